import { assert, assertEquals } from "@std/assert";
import { NOTHING_SAID, parseFeedState } from "../../lib/page/feed_state.ts";
import { feedFiles } from "../../templates/feeds/mod.ts";
import type { View } from "../../templates/pages/view.ts";
import { liveYear } from "../helpers/feed_year.ts";
import { pageView, sitesUp } from "../helpers/page_views.ts";
import { SEED } from "../helpers/property.ts";

const SETTINGS = {
  address: "https://status.acme.example",
  repository: "https://github.com/acme/status",
};

function build(view: View, state: string | undefined): Map<string, string> {
  const before = state === undefined ? NOTHING_SAID : parseFeedState(state);
  return new Map(feedFiles({ view, before, redact: String }));
}

function find(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}

function assertDistinct(all: readonly unknown[], message: string): void {
  assertEquals(new Set(all).size, all.length, message);
}

/** The items of an RSS feed by guid, the newest first, with their dates. */
function parseItems(rss: string): Map<string, { xml: string; date: number }> {
  const items = find(rss, /(<item>.*?<\/item>)/gs).map((xml) =>
    [
      find(xml, /<guid[^>]*>(.*?)</g)[0]!,
      { xml, date: Date.parse(find(xml, /<pubDate>(.*?)</g)[0]!) },
    ] as const
  );
  assertDistinct(items.map(([guid]) => guid), rss);
  return new Map(items);
}

interface Event {
  sequence: number;
  modified: string;
  rest: string;
}

function parseEvents(calendar: string): Map<string, Event> {
  const lines = calendar.replaceAll("\r\n ", "");
  const events = find(lines, /(BEGIN:VEVENT.*?END:VEVENT)/gs).map((text) =>
    [find(text, /^UID:(.*)\r$/gm)[0]!, {
      sequence: Number(find(text, /^SEQUENCE:(.*)\r$/gm)[0]),
      modified: find(text, /^LAST-MODIFIED:(.*)\r$/gm)[0]!,
      rest: text.replaceAll(/^(?:SEQUENCE|LAST-MODIFIED|DTSTAMP):.*\r\n/gm, ""),
    }] as const
  );
  assertDistinct(events.map(([uid]) => uid), calendar);
  return new Map(events);
}

Deno.test("over a year no id changes or comes twice, items of RSS stay as they were and get later and later dates", async () => {
  const sites = await sitesUp({ name: "Shop", group: "Money" }, { name: "Cards", group: "Money" }, {
    name: "Search",
  });
  const start = Temporal.Instant.from("2026-01-01T00:00:00Z");
  const empty = pageView(sites, { settings: SETTINGS });
  const seen = new Map<string, { xml: string; date: number }>();
  const newest = new Map<string, number>();
  const events = new Map<string, Event>();
  const updated = new Map<string, { updated: string; content: string }>();
  let state: string | undefined;
  let builds = 0;
  for (const { time, incidents, maintenance } of liveYear(SEED, start)) {
    const view = {
      ...empty,
      incidents: new Map(incidents),
      report: { ...empty.report, time, maintenance: [...maintenance] },
    };
    const files = build(view, state);
    state = files.get("feed-state.json")!;
    assertEquals(build(view, state), files, `${time}`);
    builds++;
    for (const [path, text] of files) {
      if (path.endsWith("rss.xml")) {
        const items = parseItems(text);
        const dates = [...items.values()].map(({ date }) => date);
        assert(dates.every((date, index) => index === 0 || date < dates[index - 1]!), path);
        assert(items.size <= 50);
        const before = newest.get(path) ?? -Infinity;
        for (const [guid, item] of items) {
          const key = `${path} ${guid}`;
          const known = seen.get(key);
          if (known === undefined) assert(item.date > before, `${key} is backdated`);
          else assertEquals(item, known, `${key} has changed`);
          seen.set(key, item);
        }
        newest.set(path, Math.max(before, ...dates));
      }
      if (path === "feed.xml") {
        const entries = find(text, /(<entry>.*?<\/entry>)/gs);
        const ids = entries.map((entry) => find(entry, /<id>(.*?)</g)[0]!);
        assertDistinct(ids, text);
        assertEquals(
          ids,
          JSON.parse(files.get("feed.json")!).items.map(({ id }: { id: string }) => id),
        );
        for (const [index, entry] of entries.entries()) {
          const id = ids[index]!;
          const name = decodeURIComponent(id.split("/").at(-1)!);
          assert(incidents.has(name), id);
          const now = {
            updated: find(entry, /<updated>(.*?)</g)[0]!,
            content: entry.replace(/<updated>.*?</, ""),
          };
          const before = updated.get(id);
          if (before?.content === now.content) assertEquals(now.updated, before.updated, id);
          updated.set(id, now);
        }
      }
      if (path === "maintenance.ics") {
        for (const [uid, event] of parseEvents(text)) {
          const before = events.get(uid);
          if (before?.rest === event.rest) assertEquals(event, before, uid);
          else if (before !== undefined) {
            assertEquals(event.sequence, before.sequence + 1, uid);
            assert(event.modified >= before.modified, uid);
          }
          events.set(uid, event);
        }
      }
    }
  }
  assert(
    builds > 80 && seen.size > 300 && events.size > 10,
    `${builds}, ${seen.size}, ${events.size}`,
  );
  assert([...events.values()].some(({ rest }) => rest.includes("STATUS:CANCELLED")));
});
