import fc, { runs } from "../../helpers/property.ts";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createLink as toLink } from "../../../lib/config/page_path.ts";
import { PAGE_THEMES } from "../../../lib/config/page/page_keys.ts";
import { type PageSettings, toPageSettings } from "../../../lib/page/settings.ts";
import { renderPage } from "../../../templates/pages/html.ts";
import { Layout } from "../../../templates/pages/layout.tsx";
import { STYLE } from "../../../templates/pages/files.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { REPOSITORY, settingsWith } from "../../helpers/own_settings.ts";
import { pageView } from "../../helpers/page_views.ts";
import { configOf } from "../../helpers/sites.ts";
import { mergeMessages } from "../../../lib/text/messages.ts";
import { createLanguage } from "../../../templates/pages/language.ts";

/** A page with the settings given. */
function pageWith(settings: Partial<PageSettings>, path = "history/shop/index.html"): string {
  const view = pageView([], { settings });
  const children = "content";
  return renderPage(
    Layout({
      view: { ...view, path, link: toLink(path, view.settings.base) },
      title: "Shop",
      description: "All is well",
      children,
    }),
  );
}

/** The contents of a page's meta tags, by name or property. */
function metaOf(page: string): Record<string, string> {
  return Object.fromEntries(
    elementsOf(page, "meta").map(({ attribs: { name, property, content, ...rest } }) => [
      name ?? property ?? rest["http-equiv"] ?? "charset",
      content ?? rest["charset"] ?? "",
    ]),
  );
}

/** The links in the head of a page, by relation. */
function createLink(page: string): Record<string, string> {
  return Object.fromEntries(
    elementsOf(page, "link").map(({ attribs }) => [attribs["rel"]!, attribs["href"]!]),
  );
}

Deno.test("the content policy precedes everything that it applies to", () => {
  const page = pageWith({});
  const [before] = page.split("http-equiv");
  assertEquals(elementsOf(before!, "meta").map(({ attribs }) => attribs), [{ charset: "utf-8" }]);
  assertEquals(elementsOf(before!, "link").length + elementsOf(before!, "script").length, 0);
});

Deno.test("a page with a known address has a canonical link and a preview image", async () => {
  const page = pageWith(await settingsWith());
  const meta = metaOf(page);
  const address = "https://acme.github.io/status";
  assertEquals(createLink(page)["canonical"], `${address}/history/shop/`);
  assertEquals(meta["og:url"], `${address}/history/shop/`);
  assertEquals(meta["og:image"], `${address}/preview.png`);
  assertEquals([meta["og:image:width"], meta["og:image:height"]], ["1200", "630"]);
  assertEquals(meta["og:title"], "Shop – acme/status");
  assertEquals(meta["twitter:card"], "summary_large_image");
});

Deno.test("a page with an unknown address has no canonical address", () => {
  const meta = metaOf(pageWith({}));
  assertEquals([meta["og:url"], meta["og:image"]], [undefined, undefined]);
  assertEquals(meta["twitter:card"], "summary");
});

Deno.test("the 404 page is not indexed, and loads its style by an absolute path", () => {
  const page = pageWith({ address: "https://a.example/up", base: "/up/" }, "404.html");
  assertEquals(metaOf(page)["robots"], "noindex");
  assertEquals(metaOf(page)["og:url"], undefined);
  assertEquals(createLink(page)["canonical"], undefined);
  const styles = elementsOf(page, "link").filter(({ attribs }) => attribs["rel"] === "stylesheet");
  const addresses = styles.map(({ attribs }) => attribs["href"]!.replace(/[\da-f]{8}$/, ""));
  assertEquals(addresses, ["/up/style.css?v=", "/up/details.css?v="]);
});

Deno.test("an overview loads the styles of texts only if it has some of its owner", () => {
  const stylesOf = (settings: Partial<PageSettings>) =>
    elementsOf(pageWith(settings, "index.html"), "link")
      .filter(({ attribs }) => attribs["rel"] === "stylesheet").length;
  assertEquals(stylesOf({}), 1);
  assertEquals(stylesOf({ introMessage: "We **move**." }), 2);
  assertEquals(stylesOf({ footer: "| a |\n| - |" }), 2);
});

Deno.test("the browser's theme color equals the background of the page's theme", () => {
  for (const theme of PAGE_THEMES) {
    const colors = elementsOf(pageWith({ theme }), "meta")
      .filter(({ attribs }) => attribs["name"] === "theme-color")
      .map(({ attribs }) => attribs["content"]!);
    assertEquals(colors.length, theme === "auto" ? 2 : 1);
    for (const color of colors) assertStringIncludes(STYLE, color);
  }
  assertEquals(metaOf(pageWith({ theme: "night" }))["color-scheme"], "dark");
});

Deno.test("configured meta tags replace ours, and other configured elements follow ours", async () => {
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
  assertEquals(createLink(page)["stylesheet"], "../../theme.css");
  assertEquals(createLink(page)["alternate"], "https://a.example/feed");
  assertEquals(createLink(page)["icon"], "../../own.png");
  assertStringIncludes(page, '<script src="../../own.js" async></script>');
  assertStringIncludes(page, '<style>a::before { content: "<b>" }</style>');
  assertStringIncludes(page, "<script>if (1 < 2 && 'a') say('\\x3C/script>')</script>");
  assertStringIncludes(page, "<!-- head --><meta name=own></head>");
  assertStringIncludes(page, "<body><b>begin</b>");
  assertStringIncludes(page, "<i>end</i></body>");
});

Deno.test("the footer of a page is the configured text, empty, or ours", async () => {
  const footer = async (i18n: Record<string, string>) =>
    wordsOf(elementsOf(pageWith(await settingsWith({ i18n })), "footer")[0]!);
  assertStringIncludes(await footer({}), "Powered by Monitor Action");
  assertEquals(await footer({ footer: "" }), "About the numbers");
  assertEquals(
    await footer({ footer: "**Code** of [$OWNER]($REPO) <b>" }),
    "About the numbersCode of acme <b>",
  );
});

Deno.test("the footer has the configured links, and the navigation ends with the one to get help", async () => {
  const page = pageWith(
    await settingsWith({
      "status-website": {
        supportLink: "mailto:help@acme.example",
        footer: [
          { title: "Imprint", href: "/imprint/" },
          { title: "Code", href: "https://github.com/$OWNER/$REPO", target: "_blank" },
        ],
      },
    }),
  );
  const links = (part: string) =>
    elementsOf(elementsOf(page, part)[0]!, "a").map((
      link,
    ) => [wordsOf(link), link.attribs["href"]]);
  assertEquals(links("nav").at(-1), ["Support", "mailto:help@acme.example"]);
  assertEquals(links(".bottom"), [
    ["About the numbers", "../../about/index.html"],
    ["Imprint", "../../imprint/index.html"],
    ["Code", "https://github.com/acme/status"],
  ]);
});

Deno.test("the link to get help takes the repository's name, and a bare mail address", async () => {
  const help = async (supportLink: string) => {
    const page = pageWith(await settingsWith({ "status-website": { supportLink } }));
    return elementsOf(elementsOf(page, "nav")[0]!, "a").at(-1)!.attribs["href"];
  };
  assertEquals(
    await help("https://github.com/$OWNER/$REPO/discussions"),
    `${REPOSITORY}/discussions`,
  );
  assertEquals(await help("help@acme.example"), "mailto:help@acme.example");
  assertEquals(await help("/help@desk.html"), "../../help%40desk.html");
});

Deno.test("a page shows the dark logo where it is dark", async () => {
  const logos = async (keys: Record<string, unknown>) => {
    const website = { logoUrl: "a.svg", ...keys };
    const page = pageWith(await settingsWith({ "status-website": website }));
    const [brand] = elementsOf(page, ".brand");
    return ["source", "img"].flatMap((name) => elementsOf(brand!, name)).map(
      ({ attribs: { media = "any", src, srcset } }) => `${media}: ${srcset ?? src}`,
    );
  };
  const logoDark = "dark/b c.svg";
  assertEquals(await logos({}), ["any: ../../a.svg"]);
  assertEquals(await logos({ logoDark }), [
    "(prefers-color-scheme: dark): ../../dark/b%20c.svg",
    "any: ../../a.svg",
  ]);
  assertEquals(await logos({ logoDark, theme: "light" }), ["any: ../../a.svg"]);
  assertEquals(await logos({ logoDark, theme: "ocean" }), ["any: ../../dark/b%20c.svg"]);
  assertEquals(await logos({ logoDark, hideNavLogo: true }), []);
});

/** The structure of a page: its elements with their attributes, in order, without the values. */
function shapeOf(page: string): string {
  const all = ["html", "head", "meta", "link", "style", "script", "body", "a", "img", "h1", "b"];
  return all.flatMap((name) =>
    elementsOf(page, name).map(({ attribs }) => `${name} ${Object.keys(attribs).join(" ")}`)
  ).join("\n");
}

/** Settings in which every text of people and of the owner, but for HTML, is the one given. */
async function settingsFull(text: string): Promise<PageSettings> {
  const texts = { name: text, introTitle: text, introMessage: text, js: text, css: text };
  const places = {
    ...{ logoUrl: text, logoDark: text, logoHref: text, favicon: text, themeUrl: text },
    supportLink: text,
  };
  const config = await configOf([], {
    "status-website": {
      ...texts,
      ...Object.fromEntries(
        Object.entries(places).map((
          [key, value],
        ) => [key, `x${value.replaceAll(/[\p{C}:]/gu, "")}`]),
      ),
      navbar: [{ title: text, href: `https://a.example/?${text}`, target: text }],
      footer: [{ title: text, href: `https://a.example/?${text}`, target: text }],
      links: [{ rel: text, href: `https://a.example/?${text}`, media: text }],
      scripts: [{ src: `https://a.example/?${text}` }],
      metaTags: [{ name: `own${text}`, content: text }],
    },
  });
  return await toPageSettings(config, { repository: REPOSITORY });
}

Deno.test("no configured text breaks out of its place in a page", async () => {
  const plain = shapeOf(pageWith(await settingsFull("plain")));
  await fc.assert(
    fc.asyncProperty(hostileText(), async (text) => {
      fc.pre(text.trim() !== "" && !/<\/style/i.test(text));
      assertEquals(shapeOf(pageWith(await settingsFull(`a${text}z`))), plain);
    }),
    { numRuns: runs(10, 80) },
  );
});

Deno.test("a script can't break out of its element, whatever it contains", async () => {
  for (
    const js of ["</script><b>", "<!--<script></script><b>", "</SCRIPT ><b>", "<!-- </script>"]
  ) {
    const page = pageWith(await settingsWith({ "status-website": { js: `"${js}"` } }));
    const plain = pageWith(await settingsWith({ "status-website": { js: '"plain"' } }));
    assertEquals(shapeOf(page), shapeOf(plain), js);
  }
});

function inLanguage(lang: string) {
  return createLanguage(mergeMessages(), lang, "Asia/Kathmandu");
}

Deno.test("locales with a non-Gregorian default calendar show Gregorian days and months", () => {
  for (const lang of ["fa-IR", "ar-SA", "ckb-IR", "ps"]) {
    const { month, dateOf, moment } = inLanguage(lang);
    const common = new Intl.DateTimeFormat(lang, {
      ...{ month: "long", year: "numeric", timeZone: "UTC", calendar: "gregory" },
      numberingSystem: "latn",
    });
    assertEquals(month("2026-11"), common.format(Date.parse("2026-11-01")), lang);
    const time = Temporal.Instant.from("2026-11-21T20:00:00Z");
    assertEquals(dateOf(time), "2026-11-22");
    assertMatch(moment(time), /2026/, lang);
  }
});

Deno.test("durations are numbers with the units of each language, without a comma", () => {
  for (
    const lang of ["en", "de", "fr-CA", "fi", "ru", "ar", "he", "fa", "hi", "th", "ja", "zh-Hant"]
  ) {
    const language = inLanguage(lang);
    const isRight = /^(?:ar|he|fa)$/.test(lang);
    const duration = (seconds: number) => {
      const text = language.duration(seconds);
      assertEquals(/^\u2068.*\u2069$/.test(text), isRight, lang);
      return text.replaceAll(/[\u2068\u2069]/g, "");
    };
    const units = (counts: Record<string, number>) =>
      Object.entries(counts).map(([unit, count]) =>
        new Intl.NumberFormat(lang, { style: "unit", unit, numberingSystem: "latn" }).format(count)
      ).join(" ");
    assertEquals(duration(1), units({ second: 1 }), lang);
    assertEquals(duration(620), units({ minute: 10, second: 20 }), lang);
    assertEquals(duration(7_500), units({ hour: 2, minute: 5 }), lang);
    assertEquals(duration(1_234 * 86_400 + 3_700), units({ day: 1_234, hour: 1 }), lang);
  }
  assertEquals(inLanguage("en").duration(5_220), "1 hr 27 min");
});

Deno.test("dates of every year are the same with the fast path for UTC and with a named zone", () => {
  const [quick, slow] = ["UTC", "Etc/UTC"].map((zone) =>
    createLanguage(mergeMessages(), "en", zone)
  );
  for (const year of ["2026", "0099", "0000", "-000001", "+010000"]) {
    const time = Temporal.Instant.from(`${year}-12-31T23:59:59.999Z`);
    assertEquals(quick!.dateOf(time), `${year}-12-31`);
    assertEquals(slow!.dateOf(time), `${year}-12-31`);
  }
});

Deno.test("percentages have at most two decimals and targets all of theirs, as the language writes them", () => {
  const shares = [0, 0.07, 0.5, 0.99314, 0.99999, 1];
  const { share, target } = inLanguage("en");
  assertEquals(shares.map(share), ["0%", "7%", "50%", "99.31%", "99.99%", "100%"]);
  assertEquals([0.9, 0.999, 0.99995, 1].map(target), ["90%", "99.9%", "99.995%", "100%"]);
  assertEquals(inLanguage("de").target(0.999), "99,9\u00a0%");
});
