import { assertEquals } from "@std/assert";
import axe from "axe-core";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { builtFiles } from "../../../commands/page/page_files.ts";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

browserTest("an overview of groups is accessible, and fits into narrow windows", async () => {
  const groups = ["Shops", "🛒 Checkout", "x".repeat(300), "خدمات", undefined];
  const all = await sitesUp(...Array.from({ length: 501 }, (_, index) => ({
    name: `Site ${index + 1}`,
    ...groups[index % 5] === undefined ? {} : { group: groups[index % 5] },
  })));
  const sites = all.map((one, index): SiteReport =>
    index % 100 === 0 ? { ...one, condition: "down" } : one
  );
  const files = filesOf(await worldView("nothing"));
  for (const [path, content] of builtFiles(pageView(sites), { others: [], redact: String })) {
    files.set(path, content);
  }
  await using server = servePage(files);
  await using tab = await openTab({ width: 768 });
  const faults = faultsOf(tab, server.url);
  await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
  await tab.goto(server.url);
  await tab.evaluate(axe.source);
  const violations = "axe.run(document).then(({ violations }) => violations.map(({ id }) => id))";
  assertEquals(await tab.evaluate(violations), []);
  for (const width of [320, 360, 768, 1280]) {
    await tab.setViewportSize({ width, height: 900 });
    assertEquals(await tab.evaluate("document.scrollingElement.scrollWidth"), width);
  }
  assertEquals(faults, []);
});
