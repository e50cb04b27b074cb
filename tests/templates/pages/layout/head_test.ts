import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PAGE_THEMES } from "../../../../lib/config/page/page_keys.ts";
import { type PageSettings, settingsOf } from "../../../../lib/page/settings.ts";
import { renderPage } from "../../../../templates/pages/html.ts";
import { Layout } from "../../../../templates/pages/layout.tsx";
import { STYLE } from "../../../../templates/pages/assets.ts";
import { hostileText } from "../../../helpers/hostile_text.ts";
import { elementsOf, wordsOf } from "../../../helpers/html.ts";
import { REPOSITORY, settingsWith } from "../../../helpers/own_settings.ts";
import { pageView } from "../../../helpers/page_views.ts";
import fc from "../../../helpers/property.ts";
import { configOf } from "../../../helpers/sites.ts";

/** A page with the settings given. */
function pageWith(settings: Partial<PageSettings>, path = "history/shop/index.html"): string {
  const view = pageView([], { settings });
  const children = "content";
  return renderPage(Layout({ view, path, title: "Shop", description: "All is well", children }));
}

/** What the meta tags of a page say, by name or property. */
function metaOf(page: string): Record<string, string> {
  return Object.fromEntries(
    elementsOf(page, "meta").map(({ attribs: { name, property, content, ...rest } }) => [
      name ?? property ?? rest["http-equiv"] ?? "charset",
      content ?? rest["charset"] ?? "",
    ]),
  );
}

/** The links in the head of a page, by what they are for. */
function linksOf(page: string): Record<string, string> {
  return Object.fromEntries(
    elementsOf(page, "link").map(({ attribs }) => [
      attribs["rel"]!,
      attribs["href"]!,
    ]),
  );
}

Deno.test("the policy stands before everything that it counts for", () => {
  const page = pageWith({});
  const [before] = page.split("http-equiv");
  assertEquals(elementsOf(before!, "meta").map(({ attribs }) => attribs), [{ charset: "utf-8" }]);
  assertEquals(elementsOf(before!, "link").length + elementsOf(before!, "script").length, 0);
});

Deno.test("a page whose address is known says where it is, and shows its picture where it is linked", async () => {
  const page = pageWith(await settingsWith());
  const meta = metaOf(page);
  const address = "https://acme.github.io/status";
  assertEquals(linksOf(page)["canonical"], `${address}/history/shop/`);
  assertEquals(meta["og:url"], `${address}/history/shop/`);
  assertEquals(meta["og:image"], `${address}/preview.png`);
  assertEquals([meta["og:image:width"], meta["og:image:height"]], ["1200", "630"]);
  assertEquals(meta["og:title"], "Shop – acme/status");
  assertEquals(meta["twitter:card"], "summary_large_image");
});

Deno.test("a page whose address nobody knows claims none", () => {
  const meta = metaOf(pageWith({}));
  assertEquals([meta["og:url"], meta["og:image"]], [undefined, undefined]);
  assertEquals(meta["twitter:card"], "summary");
});

Deno.test("the page for addresses that lead nowhere is not to be found, and finds its style from the top", () => {
  const page = pageWith({ address: "https://a.example/up", base: "/up/" }, "404.html");
  assertEquals(metaOf(page)["robots"], "noindex");
  assertEquals(metaOf(page)["og:url"], undefined);
  assertEquals(linksOf(page)["canonical"], undefined);
  assert(/^\/up\/style\.css\?v=[\da-f]{8}$/.test(linksOf(page)["stylesheet"]!));
});

Deno.test("what browsers paint around a page is the ground of its theme", () => {
  for (const theme of PAGE_THEMES) {
    const colours = elementsOf(pageWith({ theme }), "meta")
      .filter(({ attribs }) => attribs["name"] === "theme-color")
      .map(({ attribs }) => attribs["content"]!);
    assertEquals(colours.length, theme === "auto" ? 2 : 1);
    for (const colour of colours) assertStringIncludes(STYLE, colour);
  }
  assertEquals(metaOf(pageWith({ theme: "night" }))["color-scheme"], "dark");
});

Deno.test("tags of the owner's take the place of ours, and everything else of the owner's stands behind ours", async () => {
  const page = pageWith(
    await settingsWith({
      "status-website": {
        metaTags: [{ name: "Referrer", content: "origin" }, { name: "og:image", content: "x.png" }],
        themeUrl: "theme.css",
        links: [{ rel: "alternate", href: "https://a.example/feed", media: "print" }],
        scripts: [{ src: "/status/own.js", async: true }],
        css: 'a::before { content: "<b>" }',
        js: "if (1 < 2 && 'a') say('</script>')",
        customHeadHtml: "<!-- head --><meta name=own>",
        customBodyHtml: "<b>begin</b>",
        customFootHtml: "<i>end</i>",
        favicon: "own.png",
      },
    }),
  );
  const meta = metaOf(page);
  assertEquals([meta["Referrer"], meta["referrer"], meta["own"]], ["origin", undefined, ""]);
  assertEquals(
    elementsOf(page, "meta").filter(({ attribs }) => attribs["property"] === "og:image").length,
    1,
  );
  assertEquals(linksOf(page)["stylesheet"], "../../theme.css");
  assertEquals(linksOf(page)["alternate"], "https://a.example/feed");
  assertEquals(linksOf(page)["icon"], "../../own.png");
  assertStringIncludes(page, '<script src="../../own.js" async></script>');
  assertStringIncludes(page, '<style>a::before { content: "<b>" }</style>');
  assertStringIncludes(page, "<script>if (1 < 2 && 'a') say('\\x3C/script>')</script>");
  assertStringIncludes(page, "<!-- head --><meta name=own></head>");
  assertStringIncludes(page, "<body><b>begin</b>");
  assertStringIncludes(page, "<i>end</i></body>");
});

Deno.test("the end of a page is in the owner's words, or empty, or in ours", async () => {
  const footer = async (i18n: Record<string, string>) =>
    wordsOf(elementsOf(pageWith(await settingsWith({ i18n })), "footer")[0]!);
  assertStringIncludes(await footer({}), "Powered by Monitor Action");
  assertEquals(await footer({ footer: "" }), "About the numbers");
  assertEquals(
    await footer({ footer: "**Code** of [$OWNER]($REPO) <b>" }),
    "About the numbersCode of acme <b>",
  );
});

/** How a page is made up: its elements with their attributes, in their order, but for what those say. */
function shapeOf(page: string): string {
  const all = ["html", "head", "meta", "link", "style", "script", "body", "a", "img", "h1", "b"];
  return all.flatMap((name) =>
    elementsOf(page, name).map(({ attribs }) => `${name} ${Object.keys(attribs).join(" ")}`)
  ).join("\n");
}

/** Settings in which every text of people and of the owner, but for HTML, is the one given. */
async function settingsFull(text: string): Promise<PageSettings> {
  const texts = { name: text, introTitle: text, introMessage: text, js: text, css: text };
  const places = { logoUrl: text, logoHref: text, favicon: text, themeUrl: text };
  const config = await configOf([], {
    "status-website": {
      ...texts,
      ...Object.fromEntries(
        Object.entries(places).map((
          [key, value],
        ) => [key, `x${value.replaceAll(/[\p{C}:]/gu, "")}`]),
      ),
      navbar: [{ title: text, href: `https://a.example/?${text}`, target: text }],
      links: [{ rel: text, href: `https://a.example/?${text}`, media: text }],
      scripts: [{ src: `https://a.example/?${text}` }],
      metaTags: [{ name: `own${text}`, content: text }],
    },
  });
  return settingsOf(config, { repository: REPOSITORY });
}

Deno.test("no text of the configuration gets out of its place in a page", async () => {
  const plain = shapeOf(pageWith(await settingsFull("plain")));
  await fc.assert(
    fc.asyncProperty(hostileText(), async (text) => {
      fc.pre(text.trim() !== "" && !/<\/style/i.test(text));
      assertEquals(shapeOf(pageWith(await settingsFull(`a${text}z`))), plain);
    }),
  );
});

Deno.test("a script can't get out of its element, whatever it holds", async () => {
  for (
    const js of ["</script><b>", "<!--<script></script><b>", "</SCRIPT ><b>", "<!-- </script>"]
  ) {
    const page = pageWith(await settingsWith({ "status-website": { js: `"${js}"` } }));
    const plain = pageWith(await settingsWith({ "status-website": { js: '"plain"' } }));
    assertEquals(shapeOf(page), shapeOf(plain), js);
  }
});
