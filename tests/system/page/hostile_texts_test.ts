import { assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage, someOfEachKind, textOf } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

/** Elements of a page, each by its name and its attributes. */
const ELEMENTS = `[...document.querySelectorAll("*")].map((one) => one.localName)
  .filter((one, index, all) => all.indexOf(one) === index)`;

/** Possible results of Markdown. */
const MARKDOWN = [
  ..."h1 h2 h3 h4 h5 h6 p br hr em strong del code pre blockquote ul ol li a img".split(" "),
  ..."table thead tbody tr th td input section sup".split(" "),
];

/** Whatever must not be on a page, wherever it comes from. */
const DANGERS = `(() => {
  const found = [];
  if (window.pwned !== undefined) found.push("a text was executed");
  for (const one of document.querySelectorAll("*")) {
    const element = one.outerHTML.slice(0, 120);
    for (const { name, value } of one.attributes) {
      if (/^on|^srcdoc$|^formaction$/.test(name)) found.push(name + ": " + element);
      // The script places numbers in variables.
      if (name === "style" && !/^(?:\\s*--[a-z]+: [\\d.-]+;)+$/.test(value)) found.push(value + ": " + element);
      if (/^(?:href|src|action|xlink:href)$/.test(name) && /^[\\0-\\x20]*(?:javascript|vbscript|data:(?!image\\/))/i.test(value)) {
        found.push(value.slice(0, 40) + ": " + element);
      }
    }
    if (one.localName === "script" && one.id !== "days" && !/(?:^|\\/)(?:script|details|more)\\.js(?:\\?v=\\w+)?$/.test(one.getAttribute("src") ?? "")) found.push(element);
    if (one.id === "days") JSON.parse(one.textContent);
    if (one.localName === "img" && !/^(?:data:image\\/|[\\w.%/-]+$)/.test(one.getAttribute("src"))) found.push(element);
    if (/^(?:iframe|object|embed|form|base|style|template|foreignobject|textarea)$/.test(one.localName)) found.push(element);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  if (walker.nextNode()) found.push("comment: " + walker.currentNode.data.slice(0, 60));
  if (/[\\u202a-\\u202e\\u2066-\\u2069\\0\\x07\\x1b]/.test(document.querySelector("main h1, main h2, main h3, .name")?.textContent ?? "")) found.push("controls in a heading");
  return found.slice(0, 5);
})()`;

browserTest(
  "hostile texts of people, sites and settings are plain text on every page",
  async () => {
    // Only incidents of several services have charts with captions.
    const known = new Set([...MARKDOWN, "figcaption"]);
    const found = new Map<string, string[]>();
    for (const name of ["partial outage", "past", "maintenance"] as const) {
      const files = filesOf(await worldView(name));
      for (const path of someOfEachKind(files, 4)) {
        for (const [, element] of textOf(files, path).matchAll(/<(\w+)/g)) known.add(element!);
      }
    }
    const files = filesOf(await worldView("hostile"));
    await using server = servePage(files);
    await using tab = await openTab({ width: 360 });
    await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
    const faults = faultsOf(tab, server.url);
    for (const path of someOfEachKind(files, 5)) {
      faults.length = 0;
      await tab.goto(`${server.url}/${path}`);
      // Whoever hovers or focuses must not set anything off either.
      await tab.evaluate(
        `for (const one of document.querySelectorAll("body *")) {
           one.dispatchEvent(new Event("mouseover")); one.dispatchEvent(new Event("focus"));
           if (one.localName === "details") one.open = true;
         }`,
      );
      const elements = await tab.evaluate<string[]>(ELEMENTS);
      const own = [
        ...await tab.evaluate<string[]>(DANGERS),
        ...elements.filter((element) => !known.has(element)).map((one) => `<${one}>`),
        ...faults,
      ];
      if (own.length > 0) found.set(path, own);
    }
    assertEquals(Object.fromEntries(found), {});
  },
);
