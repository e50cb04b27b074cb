import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

const LATER = REPORT_TIME.add({ minutes: 6 }).epochMilliseconds;

/** The chosen window, and the first site's bars and figures for it. */
async function shown(tab: Page) {
  const row = tab.locator(".site").first();
  return {
    chosen: await tab.locator(".windows input:checked").getAttribute("id"),
    bars: await row.locator(".days:visible li").count(),
    figures: await row.locator(".w:visible").getAttribute("class"),
  };
}

browserTest(
  "bars follow the selected window, which is stored and part of the address",
  async () => {
    await using server = servePage(filesOf(await worldView("one site")));
    await using tab = await openTab();
    const faults = faultsOf(tab, server.url);
    await tab.clock.setFixedTime(LATER);
    await tab.goto(`${server.url}/`);
    assertEquals(await shown(tab), { chosen: "w-quarter", bars: 90, figures: "w w-quarter" });
    const bars = { day: 24, week: 28, month: 30, year: 52, quarter: 90 };
    for (const [name, count] of Object.entries(bars)) {
      await tab.locator(`.windows label:has(#w-${name})`).click();
      const expected = { chosen: `w-${name}`, bars: count, figures: `w w-${name}` };
      assertEquals(await shown(tab), expected);
      assertEquals(new URL(tab.url()).search, `?window=${name}`);
      await tab.reload();
      assertEquals(await shown(tab), expected);
    }
    await tab.goto(`${server.url}/?window=week`);
    assertEquals((await shown(tab)).bars, 28);
    // An outage of five minutes 29 days ago lies in the month and not in the week.
    const down = () => tab.locator(".days .down").count();
    assertEquals(await down(), 0);
    await tab.goto(`${server.url}/?window=month`);
    assertEquals(await down(), 1);
    assertEquals(faults, []);
  },
);

browserTest(
  "without JavaScript only the 90-day window has bars",
  async () => {
    await using server = servePage(filesOf(await worldView("one site")));
    await using tab = await openTab({ scripts: false });
    await tab.goto(`${server.url}/`);
    assertEquals(await shown(tab), { chosen: "w-quarter", bars: 90, figures: "w w-quarter" });
    await tab.locator(".windows label:has(#w-week)").click();
    assertEquals(await shown(tab), { chosen: "w-week", bars: 0, figures: "w w-week" });
  },
);

browserTest(
  "a page with incidents loads without layout shifts, however late its script arrives",
  async () => {
    for (const name of ["partial outage", "past", "maintenance"] as const) {
      const files = filesOf(await worldView(name));
      await using server = servePage(files);
      for (const timezone of ["UTC", "Asia/Kolkata"]) {
        await using tab = await openTab({ width: 360, timezone });
        await tab.clock.setFixedTime(LATER);
        await tab.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
      }).observe({ type: "layout-shift", buffered: true });`);
        await tab.route("**/*.js*", async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 150));
          await route.continue();
        });
        for (const path of someOfEachKind(files, 1)) {
          await tab.goto(`${server.url}/${path}`, { waitUntil: "load" });
          await tab.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
          );
          const shift = await tab.evaluate<number>("window.shift");
          assert(shift < 0.01, `${name} ${timezone} ${path}: ${shift}`);
        }
      }
    }
  },
);

browserTest(
  "a rebuilt page replaces the open one, with title and icon",
  async () => {
    const before = filesOf(await worldView("all up"));
    const after = filesOf({
      ...await worldView("partial outage"),
      built: REPORT_TIME.add({ minutes: 9 }),
    });
    const served = new Map(before);
    await using server = servePage(served);
    await using tab = await openTab();
    await tab.clock.install({ time: LATER });
    await tab.goto(`${server.url}/`);
    await tab.clock.runFor(61_000);
    assertEquals((await tab.locator("h1").innerText()).trim(), "All systems operational");
    const icon = () => tab.locator("link[rel=icon]").getAttribute("href");
    const old = await icon();
    for (const [path, content] of after) served.set(path, content);
    await tab.clock.runFor(61_000);
    await tab.locator("h1", { hasText: "Partial outage" }).waitFor();
    assertEquals(await tab.locator(".active .incident").count(), 3);
    assert(await icon() !== old);
  },
);

browserTest("printed times are in the page's zone", async () => {
  await using server = servePage(filesOf(await worldView("partial outage")));
  await using tab = await openTab({ timezone: "Asia/Kolkata" });
  await tab.clock.setFixedTime(LATER);
  await tab.goto(`${server.url}/incidents/`);
  const [screen] = await tab.locator(".incident p:has(time)").allInnerTexts();
  assert(/GMT\+5:30/.test(screen!), screen);
  await tab.emulateMedia({ media: "print" });
  const texts = await tab.evaluate<string[]>(
    `[...document.querySelectorAll("time[title]")].map((one) => getComputedStyle(one, "::after").content + getComputedStyle(one).fontSize)`,
  );
  assert(texts.length > 0);
  for (const text of texts) assert(/UTC"0px$/.test(text), text);
});
