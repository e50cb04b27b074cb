import { assert, assertEquals } from "@std/assert";
import { browserTest, endBrowserAfterAll, openTab } from "../../helpers/browser.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";
import type { View } from "../../../templates/pages/view.ts";

endBrowserAfterAll();

/** Opens the overview of a world, or another one, and evaluates an expression in it. */
async function evaluate<T>(
  page: WorldName | View,
  expression: string,
  { width = 1280, scripts = true } = {},
): Promise<T> {
  await using server = servePage(filesOf(typeof page === "string" ? await worldView(page) : page));
  await using tab = await openTab({ width, scripts });
  await tab.clock.setFixedTime(REPORT_TIME.add({ minutes: 3 }).epochMilliseconds);
  await tab.goto(server.url);
  return await tab.evaluate<T>(expression);
}

browserTest("20 calm sites in groups are at most 1,400 px high on a wide window", async () => {
  const height = await evaluate<number>(
    "20 sites",
    `document.querySelector(".recent, #services + section").getBoundingClientRect().top -
      document.querySelector("#services").getBoundingClientRect().top`,
  );
  assert(height <= 1400, `${height} px`);
});

browserTest("rows have one line of 46 px, and on phones two of 68 px in all", async () => {
  const heights = `[...document.querySelectorAll(".site:first-child")]
    .map((one) => one.getBoundingClientRect().height)`;
  for (const [width, height] of [[1280, 46], [360, 68]] as const) {
    const found = await evaluate<number[]>("20 sites", heights, { width });
    assertEquals(new Set(found), new Set([height]));
  }
});

browserTest("text of twice the size leaves names their room", async () => {
  const width = `(document.documentElement.style.fontSize = "200%",
    document.querySelector(".site .name").getBoundingClientRect().width)`;
  assert(await evaluate<number>("20 sites", width) >= 9 * 32);
});

browserTest("without current data there are no problems to filter for", async () => {
  const shown = `document.querySelector("[data-only=problems]")
    .checkVisibility({ visibilityProperty: true })`;
  assertEquals(await evaluate<boolean>("20 sites in trouble", shown), true);
  const sites = Array.from({ length: 15 }, (_, index) => ({
    keys: { name: `Service ${index}`, url: "https://example.com/" },
    past: { silentHours: 13 },
  }));
  assertEquals(await evaluate<boolean>(await viewOf({ sites }), shown), false);
});

/** Elements that the Tab key stops at: of radio buttons with one name, one. */
const STOPS = `[...document.querySelectorAll("a[href],button,summary,input,[tabindex='0']")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
  .filter((one) => one.type !== "radio" || one.checked).length`;

/** Sites of which the given ones are down, of several causes. */
function crowd(
  isDown: (index: number) => boolean,
  groupOf: (index: number) => string | undefined,
  { count = 200, causes = 4 } = {},
) {
  const error = (index: number) => `connection refused (203.0.113.7:${index})`;
  return viewOf({
    sites: Array.from({ length: count }, (_, index) => ({
      keys: {
        name: `Service ${index + 1}`,
        url: "https://example.com/",
        ...groupOf(index) === undefined ? {} : { group: groupOf(index) },
      },
      past: {
        days: 3,
        troubles: isDown(index) ? [{ hoursAgo: 1 + index % 4, error: error(index % causes) }] : [],
      },
    })),
  });
}

const STOPPED_AT: Record<string, [page: () => Promise<View>, most: number]> = {
  "20 sites": [() => worldView("20 sites"), 75],
  "20 sites in trouble": [() => worldView("20 sites in trouble"), 75],
  "200 sites": [() => worldView("200 sites"), 120],
  "200 sites in trouble": [() => worldView("200 sites in trouble"), 120],
  "one of 17 in each of many groups down": [
    () => crowd((index) => index % 17 === 3, (index) => `Group ${Math.floor(index / 17)}`),
    120,
  ],
  "200 sites without groups": [() => crowd(() => false, () => undefined), 120],
  "20 of 20 sites down, of as many causes": [
    () => crowd(() => true, (index) => `Group ${index % 5}`, { count: 20, causes: 20 }),
    75,
  ],
  "half of 200 sites down": [
    () => crowd((index) => index % 2 === 0, (index) => `Group ${index % 7}`),
    120,
  ],
};

for (const [name, [page, most]] of Object.entries(STOPPED_AT)) {
  browserTest(`the Tab key has at most ${most} stops on an overview: ${name}`, async () => {
    const stops = await evaluate<number>(await page(), STOPS);
    assert(stops <= most, `${stops} stops`);
  });
}

for (const scripts of [true, false]) {
  const how = scripts ? "with" : "without";
  browserTest(
    `${how} scripts, an outage of 3 minutes colors at most 2% of the bars of young sites`,
    async () => {
      for (const world of ["first day", "fourth day"] as const) {
        const share = await evaluate<number>(
          world,
          `(() => {
          const [, strip] = document.querySelectorAll(".strip");
          const svg = strip.querySelector("svg").getBoundingClientRect();
          const down = strip.querySelector(".down").getBoundingClientRect();
          return down.width * down.height / (svg.width * svg.height);
        })()`,
          { scripts },
        );
        assert(share > 0 && share <= 0.02, `${world}: ${share}`);
      }
    },
  );
}

browserTest("the same date has the same place in each row, however old the site is", async () => {
  const places = await evaluate<number[]>(
    "ages",
    `[...document.querySelectorAll(".strip .down")].map((one) => one.getBoundingClientRect().x)`,
  );
  assertEquals([places.length, new Set(places).size], [3, 1]);
});

browserTest(
  "without scripts no control is shown, and every row has its bars and figures",
  async () => {
    const shown = await evaluate<{ controls: number; bars: number; figures: number }>(
      "20 sites",
      `({
      controls: [...document.querySelectorAll("input,button,fieldset")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true })).length,
      bars: document.querySelectorAll(".strip path.up").length,
      figures: [...document.querySelectorAll(".site .uptime")]
        .filter((one) => one.innerText !== "").length,
    })`,
      { scripts: false },
    );
    assertEquals(shown, { controls: 0, bars: 20, figures: 20 });
  },
);
