import type { Website } from "../../config/page/read_website.ts";
import type { OwnerCode } from "./page_settings.ts";
import { type Home, placeOf } from "./place.ts";

/** What the owner adds to each page. */
export function ownerCode(website: Partial<Website>, home: Home): OwnerCode {
  const { js, css, scripts = [], links = [], metaTags = [] } = website;
  return {
    head: website.customHeadHtml,
    body: website.customBodyHtml,
    foot: website.customFootHtml,
    js: js === undefined ? undefined : withinScript(js),
    css,
    scripts: scripts.map(({ src, async }) => ({ src: placeOf(src, home), async })),
    links: links.map(({ href, ...link }) => ({ ...link, href: placeOf(href, home) })),
    metaTags: metaTags.map(({ name, property, content }) => ({
      name: name ?? property ?? "",
      ...property === undefined ? {} : { isProperty: true },
      content: String(content),
    })),
  };
}

/**
 * A script that does not end the element it stands in: what would is written in another way, that means
 * the same wherever a script may have it, in its texts and patterns.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withinScript('say("</script>")'), 'say("\\x3C/script>")');
 * assertEquals(withinScript("a < b"), "a < b");
 * ```
 */
export function withinScript(code: string): string {
  return code.replace(/<(?=\/script|!--)/gi, "\\x3C");
}
