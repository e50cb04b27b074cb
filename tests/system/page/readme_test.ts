import { assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { eventually } from "../../helpers/eventually.ts";
import { WORLDS } from "../../helpers/page_worlds.ts";
import { readmeViewOf, showReadme } from "../../helpers/shown_readme.ts";

endBrowserAfterAll();

/** What a README shows. */
const SEEN = `({
  width: document.documentElement.scrollWidth,
  pwned: "pwned" in window,
  odd: [...document.images].filter((one) => one.alt === "" || one.naturalWidth === 0)
    .map((one) => one.outerHTML),
  dark: [...document.images].filter((one) => one.currentSrc.includes("-dark.svg")).length > 0,
})`;

browserTest(
  "a README scrolls only within its table at any width, and all images load and have alternative texts",
  async () => {
    for (const world of ["partial outage", "hostile"] as const) {
      const view = await readmeViewOf(WORLDS[world]);
      await using tab = await openTab();
      const missing = await showReadme(tab, view);
      await tab.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      for (const [width, theme] of [[360, "dark"], [1100, "light"]] as const) {
        await tab.setViewportSize({ width, height: 900 });
        await tab.emulateMedia({ colorScheme: theme });
        await eventually(async () => {
          assertEquals(await tab.evaluate(SEEN), {
            ...{ width, pwned: false, odd: [] },
            dark: theme === "dark",
          });
        });
      }
      assertEquals(missing, []);
    }
  },
);
