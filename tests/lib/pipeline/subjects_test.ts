import { assertEquals, assertMatch } from "@std/assert";
import fc from "../../helpers/property.ts";
import type { Site } from "../../../lib/config/config.ts";
import { findHint } from "../../../lib/incidents/hints.ts";
import type { SiteWindows } from "../../../lib/evaluation/results.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import type { Subject } from "../../../lib/notifications/subject.ts";
import type { Condition } from "../../../lib/state.ts";
import { eventHeadline } from "../../../lib/notifications/headlines.ts";
import { channelOf, Inbox } from "../../helpers/channels.ts";
import { LANGUAGE } from "../../helpers/languages.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { SimulatedHistory } from "../../helpers/simulated_history.ts";
import { windowsOf } from "../../helpers/windows.ts";

const KEYS = { degradedRuns: [1, 1], url: "https://example.com/?key=$KEY" };
const SHOP = await siteNamed("Shop", "shop", KEYS);

/** The new events of runs 20 minutes apart, or as many as given, that see a site so. */
function eventsOf(site: Site, states: readonly Condition[], minutes = 20): SiteEvent[] {
  const history = new SimulatedHistory();
  const seen = new Set<string>();
  return states.flatMap((state, index) => {
    const time = NOW.add({ minutes: minutes * index });
    const look = resultOf(site, state, { began: time, confirmed: time, attempts: 3 });
    history.add([look], { id: String(index), time });
    return history.subjects(time).map(({ event }) => event).filter(({ id }) =>
      seen.size < seen.add(id).size
    );
  });
}

function briefly(events: readonly SiteEvent[]): string[] {
  return events.map(({ kind, id }) => `${kind} ${id}`);
}

Deno.test("a new site that is up is no event, one that is down is", () => {
  assertEquals(eventsOf(SHOP, ["up", "up"]), []);
  assertEquals(briefly(eventsOf(SHOP, ["down"])), ["down 2026-11-21-shop/open"]);
});

/** An event as the run state keeps it: without values that are `undefined`. */
const asStored = (event: unknown) => JSON.parse(JSON.stringify(event));

Deno.test("events of an outage and its end contain all details, with secrets by name", () => {
  const [down, up, ...others] = eventsOf(SHOP, ["up", "down", "down", "up"]);
  assertEquals(others, []);
  const site = {
    name: "Shop",
    slug: "shop",
    url: "https://example.com/?key=$KEY",
    incident: "2026-11-21-shop",
  };
  assertEquals(asStored(down), {
    ...site,
    id: "2026-11-21-shop/open",
    kind: "down",
    since: "2026-11-21T10:25:03.120Z",
    code: 0,
    error: "connection refused (203.0.113.7:443)",
    attempts: 3,
    hint: findHint({ code: 0, error: down!.error }, SHOP, LANGUAGE, String)!,
  });
  assertEquals(asStored(up), {
    ...site,
    id: "2026-11-21-shop/close",
    kind: "up",
    since: "2026-11-21T11:05:03.120Z",
    lasted: 40 * 60_000,
    failed: { kind: "down", code: 0, error: "connection refused (203.0.113.7:443)" },
    code: 200,
    error: "",
    attempts: 3,
    responseTime: 123.4,
  });
});

Deno.test("changes between degraded and down are events", () => {
  assertEquals(briefly(eventsOf(SHOP, ["degraded", "down", "degraded", "up"])), [
    "degraded 2026-11-21-shop/open",
    "down 2026-11-21-shop/down@2026-11-21T10:25:03.120Z",
    "degraded 2026-11-21-shop/degraded@2026-11-21T10:45:03.120Z",
    "up 2026-11-21-shop/close",
  ]);
});

Deno.test("an event says when its outage started if that was before, and that its site is no critical one", async () => {
  const minor = await siteNamed("Shop", "shop", { ...KEYS, severity: "warning" });
  const events = eventsOf(minor, ["degraded", "down", "up"]);
  assertEquals(events.map(({ kind, start, severity }) => [kind, start, severity]), [
    ["degraded", undefined, "warning"],
    ["down", "2026-11-21T10:05:03.120Z", "warning"],
    ["up", undefined, "warning"],
  ]);
  const reopened = eventsOf(SHOP, ["degraded", "up", "degraded", "down"], 5);
  assertEquals(reopened.at(-1)!.start, "2026-11-21T10:15:03.120Z");
});

Deno.test("the step of a channel is decided from what runs find, also for an outage that is worse by then", () => {
  const history = new SimulatedHistory();
  const inbox = new Inbox(channelOf({ after: 15 * 60_000, on: ["down", "up"] }));
  for (
    const [index, state] of (["degraded", "degraded", "down", "down", "up"] as const).entries()
  ) {
    const time = NOW.add({ minutes: 5 * index });
    const look = resultOf(SHOP, state, { began: time, confirmed: time });
    history.add([look], { id: String(index), time });
    inbox.run(5 * index, history.subjects(time));
  }
  assertEquals(inbox.summary(), ["15: shop down", "20: shop up"]);
});

Deno.test("a reopened incident is a new outage to channels, with its new duration", () => {
  const events = eventsOf(SHOP, ["down", "down", "up", "down", "up"], 5);
  assertEquals(briefly(events), [
    "down 2026-11-21-shop/open",
    "up 2026-11-21-shop/close",
    "down 2026-11-21-shop/reopen-1",
    "up 2026-11-21-shop/close-2",
  ]);
  assertEquals(events.map(({ lasted }) => lasted), [undefined, 600_000, undefined, 300_000]);
});

/** The messages of a channel that wants everything, from runs 5 minutes apart that see a site so. */
function textsOf(states: string, minutes = 5): string[] {
  const history = new SimulatedHistory();
  const inbox = new Inbox(channelOf());
  return [...states].flatMap((letter, index) => {
    const time = NOW.add({ minutes: minutes * index });
    const state = ({ u: "up", d: "down", e: "degraded" } as const)[letter as "u" | "d" | "e"];
    const look = resultOf(SHOP, state, { began: time, confirmed: time });
    history.add([look], { id: String(index), time });
    const messages = inbox.run(minutes * index, history.subjects(time));
    return messages.flatMap(({ events }) =>
      events.map((event) => `${index}: ${eventHeadline(event, LANGUAGE)}`)
    );
  });
}

Deno.test("a site that starts to flap causes one message with its changes, and the next says that it is stable", () => {
  const flaps = "ud".repeat(10);
  const texts = textsOf(flaps + "u".repeat(10));
  assertEquals(texts.slice(-2), [
    "11: Shop is flapping (11 changes in the last hour), silent until it stays up",
    "25: Shop is up again and stable",
  ]);
  assertEquals(texts.slice(0, -2).every((text) => /is down|is up again$/.test(text)), true);
});

Deno.test("a site that starts to flap as it comes up is not left as down", () => {
  const texts = textsOf("uuud".padEnd(24, "ud") + "uuuuuu");
  assertEquals(texts.filter((text) => text.includes("flapping")).length, 1);
  assertMatch(texts.at(-1)!, /: Shop is up again and stable$/);
  const up = textsOf("du".repeat(6) + "uuuuuu");
  assertEquals(up.slice(-2), [
    "11: Shop is flapping (11 changes in the last hour), silent until it stays up",
    "16: Shop is up again and stable",
  ]);
});

Deno.test("a flapping site that stays down is down again to channels, and flaps anew only after new changes", () => {
  const texts = textsOf("ud".repeat(10) + "d".repeat(12) + "u" + "d" + "u".repeat(3));
  assertEquals(
    texts.slice(-4),
    [
      "11: Shop is flapping (11 changes in the last hour), silent until it stays up",
      "30: Shop is down",
      "32: Shop is up again",
      "33: Shop is down",
      "34: Shop is up again",
    ].slice(-4),
  );
});

Deno.test("changes over more than an hour are shown with their time", () => {
  const texts = textsOf("ud".repeat(6), 30);
  assertEquals(
    texts.at(-1),
    "11: Shop is flapping (3 changes in the last hour), silent until it stays up",
  );
  assertEquals(
    textsOf("ud".repeat(6), 60).at(-1),
    "11: Shop is flapping (11 changes in the last 10 hours), silent until it stays up",
  );
});

Deno.test("whatever a site does, a channel is never left with an outage of a site that stays up", () => {
  const letters = fc.array(fc.constantFrom("u", "u", "d", "d", "e"), { maxLength: 60 });
  fc.assert(fc.property(letters, (all) => {
    const texts = textsOf(all.join("") + "uuuuuu");
    const last = texts.at(-1) ?? "up again";
    assertMatch(last, /up again|back to normal/);
    const flapping = texts.map((text) => text.includes("is flapping"));
    for (const [index, is] of flapping.entries()) {
      if (is) assertMatch(texts[index + 1] ?? "", /stable$|is down$|has degraded performance$/);
    }
  }));
});

Deno.test("hidden addresses are in no event", async () => {
  const hidden = await siteNamed("Shop", "shop", { hideUrl: true });
  assertEquals(eventsOf(hidden, ["down"]).map(({ url }) => url), [undefined]);
});

Deno.test("a site that is removed while it is down is reported as gone", () => {
  const history = new SimulatedHistory();
  history.add([resultOf(SHOP, "down")], { id: "1", time: NOW });
  const [id, incident] = [...history.incidents][0]!;
  const end = NOW.add({ hours: 1 });
  const gone = { id, slug: "shop", incident: { ...incident, end } };
  history.add([], { id: "2", time: end });
  const [{ event }] = history.subjects(end, { abandoned: [gone] }) as [Subject];
  assertEquals(asStored(event), {
    id: "2026-11-21-shop/close",
    kind: "up",
    gone: true,
    name: "shop",
    slug: "shop",
    since: "2026-11-21T11:05:03.120Z",
    lasted: 3_600_000,
    failed: { kind: "down", code: 0, error: "connection refused (203.0.113.7:443)" },
    code: 0,
    error: "",
    attempts: 0,
    incident: "2026-11-21-shop",
  });
});

Deno.test("nothing is news of an ongoing outage in maintenance or in an unknown state", () => {
  const history = new SimulatedHistory();
  history.add([resultOf(SHOP, "down")], { id: "1", time: NOW });
  const ongoingAt = (minutes: number, state: "down" | "unknown" | "up", windows?: SiteWindows) => {
    const time = NOW.add({ minutes });
    const look = resultOf(SHOP, state, { began: time, confirmed: time });
    history.add([look], { id: String(minutes), time }, windows);
    return history.subjects(time, { windows }).map((
      { state, event, isUncertain, end },
    ) => [state, event.since, isUncertain ?? false, end !== undefined]);
  };
  const since = "2026-11-21T10:05:03.120Z";
  const window = windowsOf(["shop"], NOW.add({ hours: 1 }));
  assertEquals(ongoingAt(5, "down"), [["down", since, false, false]]);
  assertEquals(ongoingAt(10, "unknown"), [["down", since, true, false]]);
  assertEquals(ongoingAt(15, "down", window), [["down", since, true, false]]);
  assertEquals(ongoingAt(20, "down"), [["down", since, false, false]]);
  assertEquals(ongoingAt(70, "up"), [[undefined, "2026-11-21T11:15:03.120Z", false, true]]);
});
