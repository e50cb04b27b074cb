import * as v from "valibot";
import { about, later, laterKeys, map, text } from "./values.ts";

/** Keys of the status page. */
export function pageKeys() {
  return about(
    "The status page.",
    map({
      name: v.optional(later(about("Its title.", text()))),
      cname: v.optional(later(about("Its own domain.", text("a domain")))),
      baseUrl: v.optional(later(about("Path the page stands under.", text("a path")))),
      ...laterKeys({
        logoUrl: "Address of a logo",
        logoHref: "Where the logo leads",
        hideNavLogo: "true: no logo",
        hideNavTitle: "true: no title",
        navbar: "Links at the top",
        navbarGitHub: "Whether the repository is linked",
        introTitle: "Title above the sites",
        introMessage: "Text above the sites",
        theme: "Colours of the page",
        themeUrl: "Address of a style sheet",
        favicon: "Address of an icon",
        faviconSvg: "Address of an icon as SVG",
        publish: "Whether the page of a private repository is published",
        singleCommit: "Whether the page's branch keeps one commit",
        apiBaseUrl: "Address of the platform's API",
        userContentBaseUrl: "Address of raw files",
        customHeadHtml: "HTML for the head",
        customBodyHtml: "HTML for the body",
        customFootHtml: "HTML for the end",
        js: "Script in the page",
        css: "Style in the page",
        scripts: "Scripts that are loaded",
        links: "Links in the head",
        metaTags: "Meta tags in the head",
        robotsText: "Text of robots.txt",
      }),
    }),
  );
}
