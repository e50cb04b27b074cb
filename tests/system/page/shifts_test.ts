import { assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll } from "../../helpers/browser.ts";
import { PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { WORLD_NAMES, worldView } from "../../helpers/page_worlds.ts";
import { type WatchedPage, watchPage } from "../../helpers/watched_page.ts";

endBrowserAfterAll();

const WIDTHS = [360, 412, 1280];

/** Largest sum of shifts that is allowed, as browsers measure them. */
const MOST = 0.02;

const OBSERVE = `globalThis.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries()))
  .observe({ type: "layout-shift", buffered: true });`;

/** Waits until frames were painted. The clock of the page stands still, but elements are still observed. */
const PAINTED = `(async () => {
  for (const _ of [1, 2, 3]) {
    await new Promise((done) => new IntersectionObserver((_, observer) => (observer.disconnect(), done()))
      .observe(document.body));
  }
})()`;

/** Shifts since the last measurement: their sum, and what was moved from where to where. */
const MEASURE = `(() => {
  const found = shifts.splice(0);
  return {
    sum: found.reduce((sum, { value }) => sum + value, 0),
    what: found.flatMap(({ sources }) => sources.map(({ node, previousRect, currentRect }) =>
      [(node?.outerHTML ?? node?.textContent)?.slice(0, 80), previousRect.y, currentRect.y])),
  };
})()`;

async function measure({ tab }: WatchedPage): Promise<string[]> {
  await tab.evaluate(PAINTED);
  const { sum, what } = await tab.evaluate<{ sum: number; what: unknown[] }>(MEASURE);
  return sum > MOST ? [`${sum}: ${JSON.stringify(what.slice(0, 4))}`] : [];
}

browserTest(
  "nothing shifts when an overview is opened, filtered by its address, or built anew",
  async () => {
    const faults = new Map<string, string[]>();
    const note = async (what: string, page: WatchedPage) => {
      const found = await measure(page);
      if (found.length > 0) faults.set(what, found);
    };
    for (const [index, name] of WORLD_NAMES.entries()) {
      const view = await worldView(name);
      const before = filesOf(view);
      const after = filesOf(await worldView(WORLD_NAMES[index + 1] ?? "all up"))
        .set(PAGE_PATHS.build, "another build");
      await using page = await watchPage(view);
      const { tab, served } = page;
      await tab.addInitScript(OBSERVE);
      // The second script comes when the page was painted already.
      await tab.route(`**/${PAGE_PATHS.moreScript}*`, async (route) => {
        await tab.evaluate(PAINTED);
        await route.continue();
      });
      const url = tab.url();
      const addresses = textOf(before, PAGE_PATHS.overview).includes('class="find"')
        ? [`${url}?q=service+1`, url]
        : [url];
      for (const width of WIDTHS) {
        await tab.setViewportSize({ width, height: 900 });
        for (const address of addresses) {
          for (const [path, content] of before) served.set(path, content);
          await tab.goto(address);
          await tab.evaluate("settled()");
          await note(`${name}: ${address.slice(url.length)} ${width} px`, page);
        }
        for (const [path, content] of after) served.set(path, content);
        await page.pass(1);
        await note(`${name}: ${width} px, built anew`, page);
      }
    }
    assertEquals(Object.fromEntries(faults), {});
  },
);
