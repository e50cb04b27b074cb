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
