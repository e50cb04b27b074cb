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
  dark: [...document.images].filter((one) => one.currentSrc.includes("-dark.png")).length > 0,
})`;

/** How a README is looked at, each world first in another way. */
function viewsOf(world: "partial outage" | "hostile") {
  const views = [[360, "dark"], [1100, "light"]] as const;
  return world === "hostile" ? views.toReversed() : views;
}

browserTest(
  "a README scrolls only within its table at any width, and all images load and have alternative texts",
  async () => {
    for (const world of ["partial outage", "hostile"] as const) {
      const view = await readmeViewOf(WORLDS[world]);
      for (const [width, theme] of viewsOf(world)) {
        await using tab = await openTab({ width, theme });
        const missing = await showReadme(tab, view);
        await tab.evaluate(
          "document.querySelectorAll('details').forEach((one) => one.open = true)",
        );
        await eventually(async () => {
          assertEquals(await tab.evaluate(SEEN), {
            ...{ width, pwned: false, odd: [] },
            dark: theme === "dark",
          });
        });
        assertEquals(missing, []);
      }
    }
  },
);
