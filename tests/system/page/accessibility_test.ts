import { assertEquals } from "@std/assert";
import axe from "axe-core";
import { PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { renderStyle } from "../../../templates/pages/files.ts";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

/** Rules that axe finds broken, with the elements; limited to tags or rules if given. */
const violations = (rules?: readonly string[]) =>
  `axe.run(document, ${
    JSON.stringify({
      resultTypes: ["violations"],
      ...rules === undefined ? {} : { runOnly: rules },
    })
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html, failureSummary }) =>
      id + ": " + html.slice(0, 150) + " " + failureSummary.split("\\n").slice(1, 3).join(" ").slice(0, 200))))`;

/** Between them they have everything that a page may show. */
const NAMES = [
  ...["partial outage", "maintenance", "unchecked", "arabic", "locations"] as const,
];

/** The pages of a world that differ from those of the others; only the overview if absent. */
const DIFFERENT = {
  "partial outage": /^/,
  maintenance: /^(?!history|404)/,
  locations: /^history\//,
};

browserTest("axe finds nothing on any kind of page", async () => {
  await using tab = await openTab({ width: 768 });
  await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
  const found = new Map<string, string[]>();
  for (const name of NAMES) {
    const view = await worldView(name);
    const files = filesOf(view)
      .set(PAGE_PATHS.style, renderStyle({ ...view.settings, theme: "dark" }));
    await using server = servePage(files);
    const differs = DIFFERENT[name as keyof typeof DIFFERENT] ?? /^index/;
    for (const path of someOfEachKind(files, 1).filter((path) => differs.test(path))) {
      await tab.goto(`${server.url}/${path}`);
      await tab.evaluate(axe.source);
      const opened = "for (const one of document.querySelectorAll('details')) one.open = true";
      await tab.evaluate(opened);
      const own: string[] = await tab.evaluate(violations());
      await tab.emulateMedia({ colorScheme: "dark" });
      for (const theme of ["dark", "night", "ocean"]) {
        await tab.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
        const faults: string[] = await tab.evaluate(violations(["color-contrast"]));
        own.push(...faults.map((fault) => `${theme}: ${fault}`));
      }
      await tab.emulateMedia({ colorScheme: "light" });
      if (own.length > 0) found.set(`${name}: ${path}`, own);
    }
  }
  assertEquals(Object.fromEntries(found), {});
});

/** Worlds with open incidents of every kind: their cards have most links close to each other. */
const TROUBLED = ["partial outage", "one error", "one cause", "20 sites in trouble"] as const;

browserTest("targets of pages with open incidents are large enough, or apart", async () => {
  await using tab = await openTab();
  await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
  const found = new Map<string, string[]>();
  for (const name of TROUBLED) {
    const files = filesOf(await worldView(name));
    await using server = servePage(files);
    for (const path of someOfEachKind(files, 1).filter((one) => /^(index|group)/.test(one))) {
      for (const width of [1280, 768, 360]) {
        await tab.setViewportSize({ width, height: 900 });
        await tab.goto(`${server.url}/${path}`);
        await tab.evaluate(axe.source);
        const own: string[] = await tab.evaluate(violations(["target-size"]));
        if (own.length > 0) found.set(`${name}: ${path} ${width}`, own);
      }
    }
  }
  assertEquals(Object.fromEntries(found), {});
});
