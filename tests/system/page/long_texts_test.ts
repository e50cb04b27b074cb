import { assertEquals } from "@std/assert";
import { mergeMessages } from "../../../lib/text/messages.ts";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { changeTexts } from "../../helpers/languages.ts";
import { filesOf, servePage, someOfEachKind } from "../../helpers/page_files.ts";
import { viewOf, type World } from "../../helpers/page_world.ts";
import { type WorldName, WORLDS } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

endBrowserAfterAll();

const NAMES: readonly WorldName[] = ["one cause", "maintenance", "busy weeks", "locations"];
const WIDTHS = [320, 360, 768, 1000, 1280];

/** Words that are 40 % longer, as those of some languages are. */
const LONGER = mergeMessages(
  changeTexts((words) =>
    words.replaceAll(/\p{L}+/gu, (word) => word + "ö".repeat(Math.ceil(0.4 * word.length)))
  ),
);

/** Texts that are cut, overlap another one, or leave their box, in words. */
const FAULTS = `(() => {
  const faults = [];
  const { scrollWidth, clientWidth } = document.scrollingElement;
  if (scrollWidth > clientWidth) faults.push("scrolls sideways by " + (scrollWidth - clientWidth));
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".away,.scroll,.skip");
  const isClipped = (one) => one !== null &&
    (getComputedStyle(one).clipPath !== "none" || isClipped(one.parentElement));
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; node = walker.nextNode();) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script,style") || !isShown(parent) || isClipped(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = node.data.trim().slice(0, 40);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      if (box.left < -1 || box.right > clientWidth + 1) faults.push("leaves the page: " + words);
      const card = parent.closest("button,.button,.pill,.card,.incident,.windows label,td,th")?.getBoundingClientRect();
      if (card && !parent.closest("svg") && (box.left < card.left - 1 || box.right > card.right + 1)) {
        faults.push("leaves its box: " + words);
      }
      boxes.push({ box, words, parent });
    }
  }
  for (const one of document.querySelectorAll("main *, header *, footer *")) {
    const { overflowX } = getComputedStyle(one);
    if (/hidden|clip/.test(overflowX) && one.scrollWidth > one.clientWidth + 1 && isShown(one) &&
      !one.closest("svg") && one.innerText?.trim()) faults.push("is cut: " + one.innerText.slice(0, 40));
  }
  boxes.forEach(({ box, words, parent }, index) => {
    for (const other of boxes.slice(index + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 2 && down > 0.4 * Math.min(box.height, other.box.height)) {
        faults.push("overlap: " + words + " | " + other.words);
      }
    }
  });
  return faults;
})()`;

browserTest("texts that are 40 % longer fit into every kind of page at all widths", async () => {
  const faults = new Map<string, string[]>();
  await using tab = await openTab();
  await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 3 }).epochMilliseconds);
  for (const name of NAMES) {
    const world: World = WORLDS[name];
    const files = filesOf(
      await viewOf({ ...world, settings: { ...world.settings, lang: "de", messages: LONGER } }),
    );
    await using server = servePage(files);
    for (const path of someOfEachKind(files, 1)) {
      await tab.goto(`${server.url}/${path === "index.html" ? "" : path}`);
      for (const width of WIDTHS) {
        await tab.setViewportSize({ width, height: 900 });
        const found: string[] = await tab.evaluate(FAULTS);
        if (found.length > 0) faults.set(`${name}: ${path}, ${width} px`, [...new Set(found)]);
      }
    }
  }
  assertEquals(Object.fromEntries(faults), {});
});
