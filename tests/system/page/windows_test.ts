import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { eventually } from "../../helpers/eventually.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { drawStrip } from "../../../lib/page/strip.ts";
import { windowBars } from "../../../lib/statistics/report/bars.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";
import { watchPage } from "../../helpers/watched_page.ts";

endBrowserAfterAll();

const LATER = REPORT_TIME.add({ minutes: 6 }).epochMilliseconds;

/** Waits until this window is chosen, and the first site's bars and the axis are those of it. */
async function expectWindow(tab: Page, name: string, bars: number): Promise<void> {
  const strip = tab.locator(".strip").first();
  await eventually(async () => {
    const shown = {
      chosen: await tab.locator(".windows input:checked").getAttribute("id"),
      bars: await strip.locator("svg").getAttribute("viewBox"),
      value: await strip.getAttribute("aria-valuemax"),
      from: await tab.locator(".from").innerText(),
    };
    const from = await tab.locator(".from").getAttribute(`data-${name}`);
    assertEquals<unknown>(shown, {
      chosen: `w-${name}`,
      bars: name === "month" ? "60 0 30 26" : `0 0 ${bars} 26`,
      value: String(bars - 1),
      from,
    });
  });
}

browserTest(
  "bars follow the selected window, which is stored and part of the address",
  async () => {
    await using server = servePage(filesOf(await worldView("one site")));
    await using tab = await openTab();
    const faults = faultsOf(tab, server.url);
    await tab.clock.setFixedTime(LATER);
    await tab.goto(`${server.url}/`);
    await expectWindow(tab, "quarter", 90);
    const bars = { day: 24, week: 28, month: 30, year: 52, quarter: 90 };
    for (const [name, count] of Object.entries(bars)) {
      await tab.locator(`.windows label:has(#w-${name})`).click();
      await expectWindow(tab, name, count);
      await tab.waitForURL(({ search }) => search === `?window=${name}`);
      await tab.reload();
      await expectWindow(tab, name, count);
    }
    await tab.goto(`${server.url}/?window=week`);
    await expectWindow(tab, "week", 28);
    // An outage of five minutes 29 days ago lies in the month and not in the week.
    const down = () => tab.locator(".strip .down").count();
    assertEquals(await down(), 0);
    await tab.goto(`${server.url}/?window=month`);
    await expectWindow(tab, "month", 30);
    assertEquals(await down(), 1);
    assertEquals(faults, []);
  },
);

browserTest("the script draws bars as the page does, and shows those of days again", async () => {
  const view = await worldView("busy weeks");
  await using server = servePage(filesOf(view));
  await using tab = await openTab();
  await tab.clock.setFixedTime(LATER);
  await tab.goto(`${server.url}/`);
  const paths = `[...document.querySelectorAll(".strip")].map((one) =>
    [...one.querySelectorAll("path")].map((path) => [path.getAttribute("class"), path.getAttribute("d")]))`;
  const days = await tab.evaluate(paths);
  await tab.locator("label:has(#w-year)").click();
  await expectWindow(tab, "year", 52);
  const years = view.report.sites.map((site) => [...drawStrip(windowBars(site, "year"))]);
  assertMatch(JSON.stringify(years), /"down".*"degraded"/);
  assertEquals((await tab.evaluate<Paths[]>(paths)).map(cellsOf), years.map(cellsOf));
  await tab.locator("label:has(#w-quarter)").click();
  await expectWindow(tab, "quarter", 90);
  assertEquals(await tab.evaluate(paths), days);
});

type Paths = [state: string, path: string][];

/** What each bar consists of, by its place. */
function cellsOf(paths: Paths): Record<number, string[]> {
  const cells: Record<number, string[]> = {};
  for (const [state, path] of paths) {
    for (const [, x, y, width, height] of path.matchAll(/M([\d.]+) ([\d.]+)h(\d+)v([\d.]+)/g)) {
      for (let at = Number(x); at < Number(x) + Number(width); at++) {
        (cells[at] ??= []).push([state, y, height].join(" "));
      }
    }
  }
  return cells;
}

browserTest("on a phone a tap picks the day below it, of the last 30 days at first", async () => {
  await using server = servePage(filesOf(await worldView("20 sites")));
  await using tab = await openTab({ width: 360 });
  await tab.clock.setFixedTime(LATER);
  await tab.goto(`${server.url}/`);
  assertEquals(await tab.locator("#w-month").isChecked(), true);
  const strip = tab.locator('[data-slug="service-2"] .strip');
  const { width, height } = (await strip.boundingBox())!;
  const tap = (index: number) =>
    strip.dispatchEvent("click", {
      bubbles: true,
      clientX: 33 + (index + 0.5) * width / 30,
      clientY: height,
      pointerType: "touch",
    });
  for (const index of [0, 7, 29]) {
    await tap(index);
    assertEquals(await strip.getAttribute("aria-valuenow"), String(index));
    await tab.locator(".tip").waitFor();
  }
  await tab.locator("h2").first().dispatchEvent("pointerdown", { bubbles: true });
  assertEquals(await tab.locator(".tip").count(), 0);
});

browserTest(
  "in the first days a phone shows 30 days too, whatever a service is called",
  async () => {
    const keys = { name: "Constructor", url: "https://example.com/" };
    await using server = servePage(filesOf(await viewOf({ sites: [{ keys, past: { days: 4 } }] })));
    await using tab = await openTab({ width: 360 });
    const faults = faultsOf(tab, server.url);
    await tab.clock.setFixedTime(LATER);
    await tab.goto(`${server.url}/`);
    assertEquals(await tab.locator(".strip").getAttribute("aria-valuemax"), "29");
    assert(await tab.locator("#w-month").isChecked());
    assert(await tab.locator("#w-month").isDisabled());
    assertEquals(faults, []);
  },
);

browserTest("hours end where the page does, however long ago the last check was", async () => {
  await using server = servePage(filesOf(await worldView("silent")));
  await using tab = await openTab();
  await tab.clock.setFixedTime(LATER);
  await tab.goto(`${server.url}/?window=day`);
  const read = await tab.locator(".strip").first().getAttribute("aria-valuetext");
  assertEquals(read, "November 20, 23:00 – 23:59 UTC, No data");
});

browserTest("bars of all time have their dates with the year", async () => {
  await using server = servePage(filesOf(await worldView("busy weeks")));
  await using tab = await openTab();
  const faults = faultsOf(tab, server.url);
  await tab.clock.setFixedTime(LATER);
  await tab.goto(`${server.url}/history/cards/?window=all`);
  await expectWindow(tab, "all", 90);
  const strip = tab.locator(".strip");
  await eventually(async () =>
    assertMatch((await strip.getAttribute("aria-valuetext"))!, /^November 16 – 21, 2026, Down /)
  );
  assertEquals(faults, []);
});

browserTest("without scripts there is no choice of windows, and its room is kept", async () => {
  await using server = servePage(filesOf(await worldView("one site")));
  const boxOf = async (scripts: boolean) => {
    await using tab = await openTab({ scripts });
    await tab.clock.setFixedTime(LATER);
    await tab.goto(`${server.url}/`);
    assertEquals(await tab.locator(".windows").isVisible(), scripts);
    return await tab.locator(".strip").boundingBox();
  };
  assertEquals(await boxOf(false), await boxOf(true));
});

browserTest(
  "a page with incidents loads without layout shifts, however late its script arrives",
  async () => {
    // A zone in which the script changes every time.
    await using tab = await openTab({ width: 360, timezone: "Asia/Kolkata" });
    await tab.clock.setFixedTime(LATER);
    await tab.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shift += value;
    }).observe({ type: "layout-shift", buffered: true });`);
    await tab.route("**/*.js*", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue();
    });
    for (const name of ["partial outage", "past", "maintenance"] as const) {
      const files = filesOf(await worldView(name));
      await using server = servePage(files);
      const isWhole = name === "partial outage";
      for (const path of isWhole ? someOfEachKind(files, 1) : ["index.html"]) {
        await tab.goto(`${server.url}/${path}`, { waitUntil: "load" });
        await tab.evaluate(
          "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        const shift = await tab.evaluate<number>("window.shift");
        assert(shift < 0.01, `${name} ${path}: ${shift}`);
      }
    }
  },
);

browserTest(
  "a rebuilt page replaces the open one, with title and icon",
  async () => {
    await using page = await watchPage(await worldView("all up"));
    const { tab } = page;
    const built = REPORT_TIME.add({ minutes: 9 });
    const after = filesOf({ ...await worldView("partial outage"), built });
    await page.pass(1);
    assertEquals((await page.text("h1")).trim(), "All systems operational");
    const icon = () => tab.locator("link[rel=icon]").getAttribute("href");
    const old = await icon();
    for (const [path, content] of after) page.served.set(path, content);
    await page.pass(1);
    assertEquals((await page.text("h1")).trim(), "Partial outage");
    assertEquals(await tab.locator(".active .incident").count(), 3);
    assert(await icon() !== old);
  },
);

browserTest("printed times are in the page's zone", async () => {
  await using server = servePage(filesOf(await worldView("partial outage")));
  await using tab = await openTab({ timezone: "Asia/Kolkata" });
  await tab.clock.setFixedTime(LATER);
  await tab.goto(`${server.url}/history/payments/`);
  const [screen] = await tab.locator("main p:has(time)").allInnerTexts();
  assert(/GMT\+5:30/.test(screen!), screen);
  await tab.emulateMedia({ media: "print" });
  const texts = await tab.evaluate<string[]>(
    `[...document.querySelectorAll("time[title]:not(.date)")].map((one) => getComputedStyle(one, "::after").content + getComputedStyle(one).fontSize)`,
  );
  assert(texts.length > 0);
  for (const text of texts) assert(/UTC"0px$/.test(text), text);
});
