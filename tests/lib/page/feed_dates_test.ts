import { assertEquals } from "@std/assert";
import {
  dateEntries,
  dateItems,
  keepItems,
  listNewestItems,
} from "../../../lib/page/feed_dates.ts";
import type { FeedEntry, FeedItem } from "../../../lib/page/feed_entries.ts";
import { NOTHING_SAID } from "../../../lib/page/feed_state.ts";
import { outageSince } from "../../helpers/outage.ts";

const at = (clock: string) => Temporal.Instant.from(`2026-11-21T${clock}Z`);

/** The time of the last check. */
const NOW = at("12:00:00");

function item(id: string, clock: string): FeedItem {
  return { id, at: at(clock), event: "down" };
}

/** The dates of items, given their ids and times, after feeds that had items at these times. */
function datesOf(
  now: Readonly<Record<string, string>>,
  said: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const items = Object.entries(now).map(([id, clock]) => item(id, clock));
  const before = new Map(Object.entries(said).map(([id, clock]) => [id, { id, at: at(clock) }]));
  const dates = dateItems([{ items }], { before: { items: before }, time: NOW });
  return Object.fromEntries(
    [...dates].map(([id, date]) => [id, new Date(date).toISOString().slice(11, 19)]),
  );
}

Deno.test("items of one second get different dates, in the order of their times and ids", () => {
  const now = {
    b: "10:00:00.900",
    a: "10:00:00.900",
    c: "10:00:00.100",
    d: "10:00:02",
    e: "11:00:00",
  };
  assertEquals(datesOf(now), {
    c: "10:00:00",
    a: "10:00:01",
    b: "10:00:02",
    d: "10:00:03",
    e: "11:00:00",
  });
});

Deno.test("a published date stays, and an item that is read late is dated after the newest one", () => {
  const now = { old: "09:00:00", late: "09:30:00", newer: "09:59:00", fresh: "10:30:00" };
  assertEquals(datesOf(now, { old: "09:00:07", newer: "10:00:00" }), {
    old: "09:00:07",
    newer: "10:00:00",
    late: "10:00:01",
    fresh: "10:30:00",
  });
});

Deno.test("what is read more than a day late is no news", () => {
  const items = [item("new", "10:00:00"), {
    ...item("imported", "10:00:00"),
    at: at("10:00:00").subtract({ hours: 25 }),
  }];
  const said = item("said", "10:30:00");
  const before = { items: new Map([[said.id, said]]) };
  const dates = dateItems([{ items: [...items, said] }], { before, time: NOW });
  assertEquals([...dates.keys()].sort(), ["new", "said"]);
});

Deno.test("a wrong clock dates no item after the last check, and ends no news", () => {
  assertEquals(datesOf({ ahead: "23:00:00", right: "11:00:00" }), {
    right: "11:00:00",
    ahead: "12:00:00",
  });
  const next = { ...item("said", "12:00:00"), at: NOW.add({ hours: 24 * 365 }) };
  const dates = dateItems([{ items: [item("new", "11:00:00")] }], {
    before: { items: new Map([[next.id, next]]) },
    time: NOW,
  });
  assertEquals([...dates], [["new", next.at.epochMilliseconds + 1000]]);
});

Deno.test("dates of items that no feed lists are kept for a day, else they would be news again", () => {
  const entry = (id: string, hours: number): FeedEntry => {
    const start = at("10:00:00").subtract({ hours });
    return {
      id,
      slugs: [],
      incident: undefined!,
      items: [{ id: `${id}/1`, at: start, event: "down" }],
    };
  };
  const listed = [entry("new", 0), entry("recent", 20), entry("old", 30), entry("listed", 40)];
  const dates = dateItems(listed, { before: NOTHING_SAID, time: NOW });
  const entries = dateEntries(listed, dates);
  const items = keepItems(entries, dates, {
    isListed: ({ id }) => id === "listed",
    wordsOf: () => undefined,
  });
  assertEquals([...items.keys()], ["new/1", "recent/1", "listed/1"]);
  const again = dateItems(listed.slice(0, 2), { before: { items }, time: NOW });
  assertEquals(again, new Map([...dates].slice(2).reverse()));
});

Deno.test("plans of what is ahead are kept for as long, else they would be news again", () => {
  const plan = (id: string, days: number): FeedEntry => ({
    id,
    slugs: [],
    incident: outageSince(NOW.add({ hours: 24 * days })),
    items: [{ id: `${id}/planned`, at: at("09:00:00"), event: "planned", isFirstSeen: true }],
  });
  const later = { ...item("later/1", "12:00:00"), at: NOW.add({ hours: 24 * 9 }) };
  const time = later.at;
  const listed = [{ ...plan("later", 9), items: [later] }, plan("ahead", 300), plan("past", 1)];
  const dates = dateItems(listed, { before: NOTHING_SAID, time });
  const kept = keepItems(dateEntries(listed, dates), dates, {
    isListed: () => false,
    wordsOf: () => undefined,
  });
  assertEquals([...kept.keys()], ["later/1", "ahead/planned"]);
});

Deno.test("a feed has the 50 newest items, the newest first", () => {
  const items = Array.from(
    { length: 60 },
    (_, minute) => item(`${minute}`, `10:${String(minute).padStart(2, "0")}:00`),
  );
  const entries: FeedEntry[] = [{ id: "one", slugs: [], incident: undefined!, items }];
  const dates = dateItems(entries, { before: NOTHING_SAID, time: NOW });
  const newest = listNewestItems(dateEntries(entries, dates), dates);
  assertEquals([newest.length, newest[0]?.id, newest[49]?.id], [50, "59", "10"]);
});
