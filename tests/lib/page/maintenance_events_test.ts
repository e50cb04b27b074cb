import { assertEquals } from "@std/assert";
import type { Maintenance, PlannedWindow } from "../../../lib/history/maintenance.ts";
import { type FeedState, NOTHING_SAID } from "../../../lib/page/feed_state.ts";
import { listMaintenanceEvents } from "../../../lib/page/maintenance_events.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");
const DAYS = 24;

function window(name: string, hours: number, changes: Partial<PlannedWindow> = {}): PlannedWindow {
  const start = NOW.add({ hours });
  const times = { start, until: start.add({ hours: 2 }) };
  return {
    source: "configuration",
    name,
    ...times,
    sites: new Map([["shop", "down"]]),
    text: "",
    ...changes,
  };
}

function list(
  maintenance: PlannedWindow[],
  { files = {}, before = NOTHING_SAID, sites = ["shop"], time = NOW }: {
    files?: Readonly<Record<string, PlannedWindow & { end?: Temporal.Instant }>>;
    before?: FeedState;
    sites?: string[];
    time?: Temporal.Instant;
  } = {},
) {
  const incidents = new Map(
    Object.entries(files).map((
      [id, one],
    ): [string, Maintenance] => [id, { kind: "maintenance", ...one, updates: [] }]),
  );
  const events = listMaintenanceEvents({
    incidents,
    maintenance,
    sites: new Set(sites),
    time,
    before,
  });
  const windows = new Map(events.map(({ window: _, hasPage: __, ...one }) => [one.id, one]));
  return { events, said: { ...NOTHING_SAID, windows } };
}

Deno.test("windows of the last 90 days stay, and canceled ones until 90 days after their start", () => {
  const past = (hours: number, isCanceled = false) => {
    const one = window("Move", -hours, { source: "issue" });
    return { ...one, end: isCanceled ? one.start : one.until };
  };
  const files = {
    ...{ over: past(89 * DAYS), older: past(91 * DAYS) },
    ...{ off: past(89 * DAYS, true), longOff: past(91 * DAYS, true) },
  };
  const { events } = list([], { files });
  assertEquals(events.map(({ id, isCanceled }) => [id, isCanceled]), [["off", true], [
    "over",
    false,
  ]]);
});

Deno.test("a change of a window gets the next number and the time at which it was read; a start is no change", () => {
  const move = window("Move", 5, { source: "issue" });
  const first = list([move], { files: { move } });
  const later = NOW.add({ hours: 1 });
  const seen = (time: Temporal.Instant, changes: Partial<PlannedWindow> = {}) => {
    const one = { ...move, ...changes };
    const [event] = list([one], { files: { move: one }, before: first.said, time }).events;
    return [event?.sequence, event?.created.equals(NOW), event?.modified.toString()];
  };
  assertEquals(seen(later), [0, true, `${NOW}`]);
  assertEquals(seen(later, { until: move.until.add({ hours: 1 }) }), [1, true, `${later}`]);
  assertEquals(seen(later, { text: "Longer" }), [1, true, `${later}`]);
  assertEquals(seen(NOW.add({ hours: 6 })), [0, true, `${NOW}`]);
});

Deno.test("a window of the configuration keeps its id when it starts and gets a file", () => {
  const backup = window("Backup", 5);
  const { events: [ahead], said } = list([backup]);
  const time = NOW.add({ hours: 6 });
  const { events: [started, ...others] } = list([backup], {
    files: { [ahead!.id]: backup },
    before: said,
    time,
  });
  assertEquals([started?.id, started?.sequence, others], [ahead?.id, 0, []]);
  assertEquals([ahead?.hasPage, started?.hasPage], [false, true]);
});

Deno.test("a window that is no longer in the configuration was canceled, and says nothing but that", () => {
  const { said } = list([window("Backup", 30)]);
  const time = NOW.add({ hours: 1 });
  const { events: [gone], said: next } = list([], { before: said, time });
  assertEquals([gone?.isCanceled, gone?.sequence, gone?.modified, gone?.window], [
    true,
    1,
    time,
    undefined,
  ]);
  assertEquals(list([], { before: next, time: time.add({ hours: 1 }) }).events, [gone]);
  assertEquals(list([], { before: next, time: NOW.add({ hours: 92 * DAYS }) }).events, []);
  assertEquals(list([], { before: said, sites: [], time }).events, []);
  const [again] = list([window("Backup", 30)], { before: next, time }).events;
  assertEquals([again?.isCanceled, again?.sequence], [false, 2]);
  // A window that has started and has no file any more is nobody's business.
  assertEquals(list([], { before: said, time: NOW.add({ hours: 31 }) }).events, []);
});
