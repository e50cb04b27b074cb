import { assertEquals } from "@std/assert";
import axe from "axe-core";
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
  ...["partial outage", "maintenance", "unchecked", "arabic", "hostile", "locations"] as const,
];

/** Worlds of which each kind of page is looked at; of the others those that differ from world to world. */
const WHOLE = new Set<string>(["partial outage", "maintenance"]);
const differs = (name: string, path: string) =>
  name === "locations" ? path.startsWith("history/") : path === "index.html";

for (const name of NAMES) {
  browserTest(`axe finds nothing on the pages of "${name}"`, async () => {
    const files = filesOf(await worldView(name));
    await using server = servePage(files);
    await using tab = await openTab({ width: 768 });
    await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
    const found = new Map<string, string[]>();
    const paths = someOfEachKind(files, 1);
    for (const path of WHOLE.has(name) ? paths : paths.filter((path) => differs(name, path))) {
      await tab.goto(`${server.url}/${path}`);
      await tab.evaluate(axe.source);
      const opened = "for (const one of document.querySelectorAll('details')) one.open = true";
      await tab.evaluate(opened);
      const own: string[] = await tab.evaluate(violations());
      for (const colorScheme of ["dark"] as const) {
        await tab.emulateMedia({ colorScheme });
        own.push(...await tab.evaluate<string[]>(violations(["color-contrast"])));
      }
      await tab.emulateMedia({ colorScheme: "light" });
      if (own.length > 0) found.set(path, own);
    }
    assertEquals(Object.fromEntries(found), {});
  });
}
