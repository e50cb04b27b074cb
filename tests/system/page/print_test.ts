import { assert, assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

browserTest("printed pages contain the text and no controls", async () => {
  const view = await worldView("partial outage");
  await using server = servePage(filesOf(view));
  await using tab = await openTab({ theme: "dark" });
  await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
  await tab.goto(server.url);
  await tab.emulateMedia({ media: "print" });
  const isShown = (what: string) =>
    tab.evaluate<boolean>(
      `[...document.querySelectorAll(${
        JSON.stringify(what)
      })].some((one) => one.checkVisibility())`,
    );
  for (const control of ["nav", ".windows", ".chips", ".find"]) {
    assertEquals(await isShown(control), false, control);
  }
  const text = await tab.evaluate<string>("document.body.innerText");
  for (const { site } of view.report.sites) assert(text.includes(site.name), site.name);
  assert((await tab.pdf({ format: "A4" })).length > 5000);
});

browserTest("printed pages have the sites of every group, closed ones too", async () => {
  const view = await worldView("200 sites");
  await using server = servePage(filesOf(view));
  await using tab = await openTab();
  await tab.goto(server.url);
  await tab.emulateMedia({ media: "print" });
  const hidden = await tab.evaluate<number>(
    `[...document.querySelectorAll(".site")].filter((one) => one.getBoundingClientRect().height < 20).length`,
  );
  assertEquals(hidden, 0);
  assert(await tab.locator("details.group:not([open])").count() > 0);
});

browserTest(
  "whatever the theme, paper is white, words are dark, and bars have their colors",
  async () => {
    for (const theme of ["auto", "night", "ocean"] as const) {
      const view = await worldView("partial outage");
      const files = filesOf({ ...view, settings: { ...view.settings, theme } });
      await using server = servePage(files);
      await using tab = await openTab({ theme: "dark" });
      await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
      await tab.goto(server.url);
      await tab.emulateMedia({ media: "print", colorScheme: "dark" });
      const style = (what: string, key: string) =>
        tab.evaluate<string>(`getComputedStyle(document.querySelector("${what}"))["${key}"]`);
      assertEquals(await style("body", "color"), "rgb(20, 24, 29)", theme);
      assertEquals(await style(".strip svg", "printColorAdjust"), "exact");
      // Relative times are soon wrong on paper.
      assertEquals(await style(".times time", "fontSize"), "0px");
    }
  },
);
