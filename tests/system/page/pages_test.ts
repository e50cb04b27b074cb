import { assertEquals, assertMatch } from "@std/assert";
import { pathToFileURL } from "node:url";
import { sitePagePath } from "../../../lib/config/page_path.ts";
import { browserTest, endBrowserAfterAll, faultsOf, openTab } from "../../helpers/browser.ts";
import { filesOf, kindOf, servePage, someOfEachKind, writePage } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";
import { makeScratch } from "../../helpers/scratch.ts";

endBrowserAfterAll();

/** Between them they have everything that a page may show; the first two are looked at without scripts, too. */
const NAMES = [
  "partial outage",
  "long texts",
  "maintenance",
  "unchecked",
  "hostile",
  "arabic",
] as const;

const WIDTHS = [360, 768, 1440];

/** When texts are longest: dates have their years, and each page notes that checks have stopped. */
const NEXT_YEAR = REPORT_TIME.add({ hours: 24 * 365 }).epochMilliseconds;

/** Faults of the page in a window of this width, in words. */
const LAYOUT_FAULTS = `(() => {
  const faults = [];
  const { scrollWidth, clientWidth } = document.scrollingElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll("body *")].filter((one) =>
      one.getBoundingClientRect().right > clientWidth + 1 || one.getBoundingClientRect().left < -1);
    faults.push("scrolls sideways: " + wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 80)).join(" | "));
  }
  const heads = [...document.querySelectorAll("h1")];
  if (heads.length !== 1 || heads[0].innerText.trim() === "") faults.push(heads.length + " h1");
  if (document.querySelector("main").innerText.trim().length < 10) faults.push("no content");
  if (getComputedStyle(document.body).fontFamily === "") faults.push("no style");
  for (const icon of document.querySelectorAll(".name > .icon")) {
    const [one, name] = [icon, icon.nextElementSibling].map((part) => part.getBoundingClientRect());
    if (Math.abs(one.top - name.top) > 12) faults.push("an icon apart from its name");
  }
  return faults;
})()`;

for (const scripts of [false, true]) {
  browserTest(
    `every kind of page is whole at all widths, scripts ${scripts ? "on" : "off"}`,
    async () => {
      const faults = new Map<string, string[]>();
      await using tab = await openTab({ scripts });
      await tab.clock.setFixedTime(NEXT_YEAR);
      await tab.emulateMedia({ colorScheme: scripts ? "dark" : "light" });
      for (const name of scripts ? NAMES : NAMES.slice(0, 2)) {
        const files = filesOf(await worldView(name));
        await using server = servePage(files);
        const seen = faultsOf(tab, server.url);
        for (const path of someOfEachKind(files, 1)) {
          seen.length = 0;
          await tab.goto(`${server.url}/${path === "index.html" ? "" : path}`);
          const found = new Set<string>();
          for (const width of WIDTHS) {
            await tab.setViewportSize({ width, height: 900 });
            const own: string[] = await tab.evaluate(LAYOUT_FAULTS);
            for (const fault of own) found.add(`${width}px: ${fault}`);
          }
          if (scripts) await tab.waitForLoadState("networkidle");
          const all = [...found, ...seen];
          if (all.length > 0) faults.set(`${name}: ${path}`, all);
        }
        tab.removeAllListeners();
      }
      assertEquals(Object.fromEntries(faults), {});
    },
  );
}

browserTest("pages work from a disk too, without console messages or requests", async () => {
  const files = filesOf(await worldView("partial outage"));
  await using folder = await makeScratch();
  await writePage(folder.path, files);
  const origin = pathToFileURL(`${folder.path}/`).href;
  await using tab = await openTab();
  await tab.clock.setFixedTime(NEXT_YEAR);
  const faults = faultsOf(tab, origin);
  for (const path of someOfEachKind(files, 1)) {
    await tab.goto(`${origin}${path}`);
    assertEquals(await tab.evaluate(LAYOUT_FAULTS), [], kindOf(path));
    const styled = await tab.evaluate(`getComputedStyle(document.body).maxWidth !== "none"`);
    assertEquals(styled, true, "the style sheet is not loaded");
  }
  assertEquals(faults, []);
});

browserTest(
  "an unknown address shows the 404 page, with its style and its links",
  async () => {
    const files = filesOf(await worldView("all up"));
    if (!files.has("404.html")) return;
    await using server = servePage(files);
    await using tab = await openTab();
    const answer = await tab.goto(`${server.url}/no/such/page`);
    assertEquals(answer?.status(), 404);
    assertEquals(await tab.evaluate(LAYOUT_FAULTS), []);
  },
);

browserTest(
  "locations fit into windows of 320 pixels, with all that is known of them",
  async () => {
    const files = filesOf(await worldView("locations"));
    await using server = servePage(files);
    await using tab = await openTab({ width: 320 });
    await tab.clock.setFixedTime(REPORT_TIME.epochMilliseconds);
    await tab.goto(`${server.url}/${sitePagePath("api")}`);
    assertEquals(await tab.evaluate(LAYOUT_FAULTS), []);
    const [left, row] = await tab.evaluate<[left: number, row: string]>(
      `[document.querySelector(".scroll").scrollWidth - document.querySelector(".scroll").clientWidth,
      document.querySelector(".locations tbody tr").innerText.replaceAll(/\\s+/g, " ")]`,
    );
    assertEquals(left, 0);
    assertMatch(
      row,
      /^Sydney Down Uptime [\d.]+% Mean \d+ ms p95 \d+ ms Last result .+ UTC connection refused/,
    );
  },
);
