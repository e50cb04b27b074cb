import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseIncident } from "../../../lib/history/incident.ts";
import { windowBack } from "../../../lib/history/windows.ts";
import { graphOf } from "../../../lib/statistics/graph.ts";
import { partBars, quarterBars } from "../../../lib/statistics/report/bars.ts";
import type { State } from "../../../lib/state.ts";
import { previewSvg } from "../../../templates/pages/preview_svg.ts";
import { eachPage } from "../../../templates/pages/mod.ts";
import { elementsOf, wordsOf } from "../../helpers/html.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { worldView } from "../../helpers/page_worlds.ts";

Deno.test("the preview counts every state, the worst first, however long its words are", async () => {
  const states: State[] = ["up", "degraded", "down", "maintenance", "unknown"];
  const sites = (await sitesUp(...states.map((name) => ({ name })))).map((one, index) => ({
    ...one,
    condition: states[index] === "maintenance" || states[index] === "unknown"
      ? undefined
      : states[index] as "up",
    isInMaintenance: states[index] === "maintenance",
  }));
  const view = pageView(sites);
  const long = { ...view.language };
  const words = (key: string) => `${key} in words that are much too long for one line of it`;
  const language = {
    ...long,
    say: (key: Parameters<typeof long.say>[0], values?: Record<string, string>) =>
      (states as string[]).includes(key) ? words(key) : long.say(key, values),
  };
  for (const [own, told] of [[long, (key: State) => long.say(key)], [language, words]] as const) {
    const svg = previewSvg({ ...view, language: own });
    const places = ["down", "degraded", "maintenance", "unknown", "up"].map((state) =>
      svg.indexOf(`>1 ${told(state as State)}`.slice(0, 14))
    );
    assert(places.every((at) => at > 0), String(places));
    assertEquals(places.toSorted((one, other) => one - other), places);
  }
});

Deno.test("a list puts the cause above its effect, which names it", async () => {
  const [shop, router] = await sitesUp({ name: "Shop" }, { name: "Router" });
  const times = "start: 2026-11-21T09:00:00.000Z\nconfirmed: 2026-11-21T09:01:00.000Z\n";
  const of = (slug: string, more = "") =>
    parseIncident(`slug: ${slug}\nkind: down\n${more}${times}`)!;
  const incidents = new Map([
    ["2026-11-21-router", of("router")],
    ["2026-11-21-shop", of("shop", "cause: 2026-11-21-router\n")],
  ]);
  const pages = new Map(eachPage(pageView([shop!, router!], { incidents })));
  for (const list of elementsOf(pages.get("index.html")!, ".incidents")) {
    const cards = elementsOf(list, ".incident").map(wordsOf);
    assertMatch(cards[0]!, /^Router is down/);
    assertMatch(cards[1]!, /^Shop is down.*Caused by Router is down/);
  }
});

Deno.test("bars and figures of a window cover the same time", async () => {
  const view = await worldView("one site");
  const [report] = view.report.sites;
  const { statistics, samples } = report!;
  const observed = quarterBars(report!).reduce((sum, bar) => sum + bar.observed, 0);
  assert(Math.abs(observed - statistics.quarter.observed) < 1, String(observed));
  for (const name of ["day", "week", "month", "year"] as const) {
    const { from, to } = windowBack(name, samples.now, samples.now);
    const isDown = partBars(report!, name).some(({ worst }) => worst === "down");
    assertEquals(isDown, statistics[name].down > 0, `${name} ${from}-${to}`);
  }
});

Deno.test("the chart of a long window keeps the slowest check of each piece", async () => {
  const view = await viewOf({
    sites: [{ keys: { name: "Shop", url: "https://example.com/" }, past: { days: 3 } }],
  });
  const [report] = view.report.sites;
  const { points } = graphOf(report!, "year", { timezone: "UTC", points: 100 });
  const most = Math.max(...report!.samples.checks.map(({ ms = 0 }) => ms));
  assertEquals(Math.max(...points.map(({ max, median }) => max ?? median)), most);
});

Deno.test("on the first day there are no stubs of days before it, and a site waits for its first check in words", async () => {
  const fresh = await worldView("unchecked");
  const html = new Map(eachPage(fresh)).get("index.html")!;
  assertEquals(elementsOf(elementsOf(html, ".days")[0]!, "li").length, 1);
  assertEquals(wordsOf(elementsOf(html, ".figures")[0]!), "Waiting for the first check");
  assert(elementsOf(html, ".day").length <= 1);
});
