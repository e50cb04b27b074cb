import { assertEquals } from "@std/assert";
import type { Site } from "../../../lib/config/config.ts";
import { siteEvents, standingEvents } from "../../../lib/notify/events.ts";
import type { SiteWindows } from "../../../lib/maintenance/window.ts";
import type { NewsEvent } from "../../../lib/notify/message.ts";
import type { Condition } from "../../../lib/state.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { SimulatedHistory } from "../../helpers/simulated_history.ts";
import { windowsOf } from "../../helpers/windows.ts";

const KEYS = { degradedRuns: [1, 1], url: "https://example.com/?key=$KEY" };
const SHOP = await siteNamed("Shop", "shop", KEYS);

/** The events of runs 20 minutes apart, or as many as given, that see a site so. */
function eventsOf(site: Site, states: readonly Condition[], minutes = 20): NewsEvent[] {
  const history = new SimulatedHistory();
  return states.flatMap((state, index) => {
    const time = NOW.add({ minutes: minutes * index });
    const look = resultOf(site, state, { began: time, confirmed: time, attempts: 3 });
    const outcomes = history.add([look], { id: String(index), time });
    return siteEvents({ outcomes, abandoned: [] });
  });
}

function briefly(events: readonly NewsEvent[]): string[] {
  return events.map(({ kind, id }) => `${kind} ${id}`);
}

Deno.test("a new site that is up is no event, one that is down is", () => {
  assertEquals(eventsOf(SHOP, ["up", "up"]), []);
  assertEquals(briefly(eventsOf(SHOP, ["down"])), ["down 2026-11-21-shop/open"]);
});

Deno.test("an outage is told with all there is to know of it, secrets by their names, and so is its end", () => {
  const [down, up, ...others] = eventsOf(SHOP, ["up", "down", "down", "up"]);
  assertEquals(others, []);
  const site = {
    name: "Shop",
    slug: "shop",
    url: "https://example.com/?key=$KEY",
    incident: "2026-11-21-shop",
  };
  assertEquals(down, {
    ...site,
    id: "2026-11-21-shop/open",
    kind: "down",
    since: "2026-11-21T10:25:03.120Z",
    code: 0,
    error: "connection refused (203.0.113.7:443)",
    attempts: 3,
  });
  assertEquals(up, {
    ...site,
    id: "2026-11-21-shop/close",
    kind: "up",
    since: "2026-11-21T11:05:03.120Z",
    lasted: 40 * 60_000,
    code: 200,
    error: "",
    attempts: 3,
    responseTime: 123.4,
  });
});

Deno.test("turns between degraded and down are events", () => {
  assertEquals(briefly(eventsOf(SHOP, ["degraded", "down", "degraded", "up"])), [
    "degraded 2026-11-21-shop/open",
    "down 2026-11-21-shop/down@2026-11-21T10:25:03.120Z",
    "degraded 2026-11-21-shop/degraded@2026-11-21T10:45:03.120Z",
    "up 2026-11-21-shop/close",
  ]);
});

Deno.test("an incident that goes on after it ended is a new outage to channels, as long as it lasts now", () => {
  const events = eventsOf(SHOP, ["down", "down", "up", "down", "up"], 5);
  assertEquals(briefly(events), [
    "down 2026-11-21-shop/open",
    "up 2026-11-21-shop/close",
    "down 2026-11-21-shop/reopen-1",
    "up 2026-11-21-shop/close-2",
  ]);
  assertEquals(events.map(({ lasted }) => lasted), [undefined, 600_000, undefined, 300_000]);
});

Deno.test("of a site that is flapping only the beginning is told, and that it stays up", () => {
  const flaps = Array.from(
    { length: 30 },
    (_, index) => index % 2 === 0 ? "up" as const : "down" as const,
  );
  const quiet = Array.from({ length: 20 }, () => "up" as const);
  const events = eventsOf(SHOP, [...flaps, ...quiet], 5);
  assertEquals(events.at(-1)!.kind, "up");
  assertEquals(events.length < 14, true);
  for (const [index, { kind }] of events.entries()) {
    assertEquals(kind, index % 2 === 0 ? "down" : "up");
  }
});

Deno.test("no address is told that is hidden", async () => {
  const hidden = await siteNamed("Shop", "shop", { hideUrl: true });
  assertEquals(eventsOf(hidden, ["down"]).map(({ url }) => url), [undefined]);
});

Deno.test("a site that is removed while it is down is told as gone", () => {
  const history = new SimulatedHistory();
  history.add([resultOf(SHOP, "down")], { id: "1", time: NOW });
  const [id, incident] = [...history.incidents][0]!;
  const end = NOW.add({ hours: 1 });
  const gone = { id, slug: "shop", incident: { ...incident, end } };
  const [event] = siteEvents({ outcomes: [], abandoned: [gone] });
  assertEquals(event, {
    id: "2026-11-21-shop/close",
    kind: "up",
    gone: true,
    name: "shop",
    slug: "shop",
    since: "2026-11-21T11:05:03.120Z",
    lasted: 3_600_000,
    code: 0,
    error: "",
    attempts: 0,
    incident: "2026-11-21-shop",
  });
});

Deno.test("an outage that goes on is standing, but not in maintenance and not where nothing was learnt", () => {
  const history = new SimulatedHistory();
  history.add([resultOf(SHOP, "down")], { id: "1", time: NOW });
  const records = new Map([["shop", { incident: "2026-11-21-shop" }]]);
  const standingAt = (
    minutes: number,
    state: "down" | "unknown" | "up",
    windows?: SiteWindows,
  ) => {
    const time = NOW.add({ minutes });
    const look = resultOf(SHOP, state, { began: time, confirmed: time });
    return standingEvents(history.add([look], { id: String(minutes), time }, windows), records);
  };
  const [standing, ...others] = standingAt(5, "down");
  assertEquals(others, []);
  assertEquals([standing?.kind, standing?.since, standing?.lasted], [
    "down",
    "2026-11-21T10:05:03.120Z",
    undefined,
  ]);
  assertEquals(standingAt(10, "unknown"), []);
  assertEquals(standingAt(15, "down", windowsOf(["shop"], NOW.add({ hours: 1 }))), []);
  assertEquals(standingAt(70, "up"), []);
});
