import { assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { eventually } from "../../helpers/eventually.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";

endBrowserAfterAll();

/** Marks whatever Tab has to reach, in the order of the document; of radio buttons the chosen one. */
const MARK = `[...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility() && (one.type !== "radio" || one.checked))
  .map((one, index) => (one.dataset.stop = index, one.outerHTML.slice(0, 80)))`;

/** The focused element: its mark, and if its focus and itself are visible. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const isSeen = (style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 ||
    style.boxShadow !== "none";
  const shown = [one, one.nextElementSibling].filter(Boolean).map((each) => getComputedStyle(each));
  const { top, bottom, left, right } = one.getBoundingClientRect();
  return {
    stop: one.dataset?.stop,
    what: one.outerHTML.slice(0, 80),
    isSeen: one.type === "radio" ? shown.some(isSeen) : isSeen(shown[0]),
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
})()`;

/** The windows whose figures are shown. */
const SHOWN = `[...document.querySelectorAll(".w")].filter((one) => one.checkVisibility())
  .map((one) => one.className.replace(/.*w-/, "")).filter((one, index, all) => all.indexOf(one) === index).join()`;

interface Focused {
  stop?: string;
  what: string;
  isSeen: boolean;
  isInView: boolean;
}

browserTest(
  "Tab reaches everything on every kind of page in order, with a visible focus",
  async () => {
    await using tab = await openTab({ scripts: false, width: 768 });
    const faults = new Map<string, string[]>();
    for (const name of ["partial outage", "maintenance", "arabic"] as const) {
      const files = filesOf(await worldView(name));
      await using server = servePage(files);
      const isWhole = name === "partial outage";
      for (const path of isWhole ? someOfEachKind(files, 1) : ["index.html"]) {
        await tab.goto(`${server.url}/${path}`);
        const stops = await tab.evaluate<string[]>(MARK);
        const own: string[] = [];
        for (const [index, stop] of stops.entries()) {
          await tab.keyboard.press("Tab");
          const focused = await tab.evaluate<Focused>(FOCUSED);
          if (focused.stop !== String(index)) own.push(`${focused.what} instead of ${stop}`);
          if (!focused.isSeen) own.push(`unseen focus: ${focused.what}`);
          if (!focused.isInView) own.push(`out of view: ${focused.what}`);
          if (own.length > 5) break;
        }
        if (own.length > 0) faults.set(`${name}: ${path}`, own);
      }
    }
    assertEquals(Object.fromEntries(faults), {});
  },
);

browserTest(
  "the keyboard skips to the content, opens details and chooses a window, without scripts",
  async () => {
    await using server = servePage(filesOf(await worldView("partial outage")));
    await using tab = await openTab({ scripts: false });
    await tab.goto(server.url);
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    await tab.waitForURL(({ hash }) => hash === "#content");
    await tab.keyboard.press("Tab");
    await tab.locator("main :focus").waitFor();

    const summary = tab.locator("summary").first();
    await summary.focus();
    await tab.keyboard.press("Enter");
    await tab.locator("details[open] > summary:focus").waitFor();

    const expectShown = (name: string) =>
      eventually(async () => assertEquals(await tab.evaluate(SHOWN), name));
    await expectShown("quarter");
    await tab.locator("#w-quarter").focus();
    await tab.keyboard.press("ArrowRight");
    await expectShown("year");
    await tab.keyboard.press("ArrowLeft");
    await expectShown("quarter");
    await tab.keyboard.press("ArrowLeft");
    await expectShown("month");
  },
);

browserTest(
  "the points of a chart are read by keys, as the table of the chart has them",
  async () => {
    await using server = servePage(filesOf(await worldView("busy weeks")));
    await using tab = await openTab({ width: 1280 });
    await tab.goto(`${server.url}/history/cards/index.html`);
    const chart = tab.locator(".w-quarter .reader");
    const readings: string[] = [];
    await chart.focus();
    for (const key of ["End", "ArrowLeft", "PageUp", "Home", "ArrowRight"]) {
      await tab.keyboard.press(key);
      readings.push(await chart.getAttribute("aria-valuetext") ?? "");
    }
    const rows: string[] = await tab.evaluate(
      `[...document.querySelectorAll(".w-quarter tbody tr")].map((row) =>
      [...row.cells].map((cell) => cell.textContent).join())`,
    );
    const outage = rows.findIndex((row) => row.includes("Down"));
    assertEquals(
      readings.map((text) => text.replaceAll(/, (?:Median|p95|Slowest|Checks) /g, ",")),
      [rows.length - 1, rows.length - 2, outage, 0, 1].map((index) =>
        rows[index]!.replace(/ (Down)/, ", $1")
      ),
    );
    await tab.keyboard.press("PageDown");
    await tab.locator(".area > .tip a[href*='2026-09-18-cards']").waitFor();
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    await tab.waitForURL(({ pathname }) => pathname.includes("/incident/2026-09-18-cards"));
  },
);

browserTest(
  "a chart is read by the pointer, over an outage as well, and Escape closes the card",
  async () => {
    await using server = servePage(filesOf(await worldView("busy weeks")));
    await using tab = await openTab({ width: 1280 });
    await tab.goto(`${server.url}/history/cards/index.html`);
    const links = tab.locator(".w-quarter .outages a");
    assertEquals(await links.count(), 2);
    await links.first().hover();
    const card = tab.locator(".area > .tip");
    await card.getByText("September 18, 2026").waitFor();
    const chart = tab.locator(".w-quarter .reader");
    await chart.hover({ position: { x: 5, y: 100 } });
    await card.getByText("August 24, 2026").waitFor();
    await tab.keyboard.press("Escape");
    await card.waitFor({ state: "detached" });
    await links.first().click();
    await tab.waitForURL(({ pathname }) => pathname.includes("/incident/2026-09-18-cards"));
  },
);
