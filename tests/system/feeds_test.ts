import * as extractor from "@extractus/feed-extractor";
import { assert, assertEquals } from "@std/assert";
import FeedParser from "feedparser";
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import ICAL from "ical.js";
import validateJsonFeed from "jsonfeed-validator";
import ical from "node-ical";
import { join } from "node:path";
import { Readable } from "node:stream";
import RssParser from "rss-parser";
import { Statuspage } from "statuspage.io";
import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { configuredWindows } from "../../lib/incidents/maintenance/windows.ts";
import {
  type FeedFiles,
  feedsOf,
  feedWorld,
  filesNamed,
  PUBLISHED,
} from "../helpers/feed_worlds.ts";
import { servePage } from "../helpers/page_files.ts";
import { pageView, sitesUp } from "../helpers/page_views.ts";
import type { WorldName } from "../helpers/page_worlds.ts";
import { PROJECT } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { configOf } from "../helpers/sites.ts";
import { findTool, testWith } from "../helpers/tools.ts";

const WORLDS: readonly WorldName[] = [
  "past",
  "maintenance",
  "partial outage",
  "hostile",
  "arabic",
  "nothing",
];

/** The page of each world, under a known address and without one. */
async function eachWorld(check: (files: FeedFiles, name: string) => Promise<void> | void) {
  for (const name of WORLDS) {
    const unknown = `${name}, without an address`;
    await check(await made.getOrInsertComputed(name, () => feedWorld(name)), name);
    await check(await made.getOrInsertComputed(unknown, () => feedWorld(name, {})), unknown);
  }
}

const made = new Map<string, Promise<FeedFiles>>();

/** Reads a feed with feedparser, which fails if something is no XML or no feed. */
async function readStrictly(xml: string): Promise<FeedParser.Item[]> {
  const parser = Readable.from([xml]).pipe(new FeedParser({ addmeta: false }));
  return await Array.fromAsync(parser);
}

testWith(["jing"], {
  name: "Atom feeds are valid by the grammar of RFC 4287, read by jing",
  fn: async () => {
    await using scratch = await makeScratch();
    const paths: string[] = [];
    await eachWorld(async (files, world) => {
      for (const [path, text] of filesNamed(files, PAGE_PATHS.atom)) {
        const name = `${paths.length} ${world} ${encodeURIComponent(path).slice(0, 80)}`;
        await scratch.write(name, text);
        paths.push(join(scratch.path, name));
      }
    });
    assert(paths.length > 60);
    const grammar = join(PROJECT, "tests/testdata/atom.rnc");
    // The command is a script that starts Java.
    const env = { PATH: "/usr/bin:/bin" };
    const args = ["-c", grammar, ...paths];
    const { code, stdout } = await new Deno.Command(findTool("jing")!, { args, env }).output();
    assertEquals([code, new TextDecoder().decode(stdout)], [0, ""]);
  },
});

Deno.test("feedparser and feedsmith read the entries of Atom feeds", async () => {
  await eachWorld(async (files, world) => {
    for (const [path, text] of filesNamed(files, PAGE_PATHS.atom)) {
      const entries = parseAtomFeed(text).entries ?? [];
      const items = await readStrictly(text);
      const [ids, guids] = [entries.map(({ id }) => id), items.map(({ guid }) => guid)];
      assertEquals(ids, guids, `${world}: ${path}`);
      assertEquals(ids.length, text.split("<entry>").length - 1);
      for (const { updated, published } of entries) {
        assert(Date.parse(updated!) >= Date.parse(published!));
      }
    }
  });
});

Deno.test("rss-parser, feedparser and feedsmith read the items of RSS feeds, of which no two have one date", async () => {
  await eachWorld(async (files, world) => {
    for (const [path, text] of filesNamed(files, PAGE_PATHS.rss)) {
      const { items } = await new RssParser().parseString(text);
      const dates = items.map(({ isoDate }) => Date.parse(isoDate!));
      assert(
        dates.every((date, index) => index === 0 || date < dates[index - 1]!),
        `${world}: ${path}`,
      );
      const others = parseRssFeed(text).items ?? [];
      const guids = items.map(({ guid }) => guid);
      assertEquals(guids, others.map(({ guid }) => guid?.value));
      assertEquals(guids, (await readStrictly(text)).map(({ guid }) => guid));
      assertEquals(new Set(guids).size, guids.length);
      assertEquals(items.length, text.split("<item>").length - 1);
    }
  });
});

Deno.test("jsonfeed-validator finds nothing in JSON feeds, and feed-extractor and feedsmith read their items", async () => {
  await eachWorld((files, world) => {
    for (const [path, text] of filesNamed(files, PAGE_PATHS.jsonFeed)) {
      // The validator knows version 1; 1.1 has added two keys.
      const { language: _, authors: __, ...content } = JSON.parse(text);
      const old = { ...content, version: "https://jsonfeed.org/version/1" };
      if (!world.includes("without")) assertEquals(validateJsonFeed(old), [], `${world}: ${path}`);
      const items = parseJsonFeed(text).items ?? [];
      assertEquals(items.length, old.items.length);
      const { entries = [] } = extractor.extractFromJson(JSON.parse(text));
      assertEquals(entries.length, items.length);
    }
  });
});

function listEvents(calendar: string): ICAL.Event[] {
  return new ICAL.Component(ICAL.parse(calendar)).getAllSubcomponents("vevent")
    .map((one) => new ICAL.Event(one));
}

Deno.test("ical.js and node-ical read the same events, and lines have at most 75 bytes", async () => {
  const encoder = new TextEncoder();
  await eachWorld((files, world) => {
    for (const [path, text] of filesNamed(files, PAGE_PATHS.calendar)) {
      const events = listEvents(text);
      const others = Object.values(ical.sync.parseICS(text)).filter((one) =>
        one?.type === "VEVENT"
      );
      const one = events.map(({ uid, summary, startDate }) => [uid, summary, startDate.toJSDate()]);
      const other = others.map(({ uid, summary, start }) => [uid, summary, new Date(start)]);
      assertEquals(one, other, `${world}: ${path}`);
      assert(text.endsWith("\r\n"));
      for (const line of text.split("\r\n")) {
        assert(encoder.encode(line).length <= 75 && !/[\r\n]/.test(line), line);
      }
    }
  });
});

Deno.test("windows keep their hour on the clock when it is set forward and back", async () => {
  const maintenance = [{
    name: "Backup",
    cron: "30 9 * * 0",
    duration: "1h",
    timezone: "Europe/Vienna",
  }];
  const config = await configOf([{ name: "Shop", url: "https://example.com/" }], { maintenance });
  const view = pageView(await sitesUp({ name: "Shop" }), { settings: PUBLISHED });
  for (
    const [now, offsets] of [["2026-10-01T00:00:00Z", [7, 8]], ["2027-03-01T00:00:00Z", [
      8,
      7,
    ]]] as const
  ) {
    const time = Temporal.Instant.from(now);
    const windows = configuredWindows(config.maintenance, time, 50 * 24 * 3_600_000);
    const report = { ...view.report, time, maintenance: windows };
    const text = feedsOf({ ...view, report }).get(PAGE_PATHS.calendar)!;
    const starts = listEvents(text).map(({ startDate }) => startDate.toJSDate());
    assertEquals([...new Set(starts.map((start) => start.getUTCHours()))], [...offsets]);
    const local = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/Vienna",
      timeStyle: "short",
    });
    assertEquals([...new Set(starts.map((start) => local.format(start)))], ["09:30"]);
    const others = Object.values(ical.sync.parseICS(text)).filter((one) => one?.type === "VEVENT");
    assertEquals(
      others.map(({ start }) => start.getTime()),
      starts.map((start) => start.getTime()),
    );
  }
});

Deno.test("the npm client of Statuspage reads the status, its components, incidents and maintenance", async () => {
  await using server = servePage(await feedWorld("partial outage"));
  const { api } = connect(`${server.url}/status`);
  const { status, page } = await api.getStatus();
  assertEquals(status, { indicator: "major", description: "Partial outage" });
  assertEquals(page.url, "https://acme.github.io/status/");
  const { components } = await api.getComponents();
  const states = components.filter(({ group }) => !group).map(({ name, status }) => [name, status]);
  assertEquals(Object.fromEntries(states), {
    Website: "operational",
    Shop: "operational",
    API: "operational",
    Mail: "operational",
    Payments: "major_outage",
    Checkout: "major_outage",
    Search: "degraded_performance",
  });
  const { incidents } = await api.incidents.getUnresolved();
  assertEquals(incidents.map(({ name, status, impact }) => [name, status, impact]), [
    ["Checkout is down", "investigating", "major"],
    ["Payments is down", "monitoring", "major"],
    ["Search is degraded", "investigating", "minor"],
  ]);
  assert((await api.incidents.getAll()).incidents.length > incidents.length);
  assertEquals((await api.getSummary()).incidents, incidents);
});

Deno.test("the npm client of Statuspage reads planned maintenance", async () => {
  await using server = servePage(await feedWorld("maintenance"));
  const { api } = connect(`${server.url}/status`);
  const { scheduled_maintenances } = await api.scheduledMaintenances.getUpcoming();
  assertEquals(scheduled_maintenances.map(({ name, status }) => [name, `${status}`]), [
    ["Backup", "scheduled"],
    ["Database", "scheduled"],
  ]);
  const { scheduled_maintenances: current, status } = await api.getSummary();
  assertEquals(current.map(({ name }) => name), ["New router", "Backup", "Database"]);
  assertEquals(status.indicator, "maintenance");
});

function connect(address: string): Statuspage {
  const client = new Statuspage("page");
  client.setApiUrl(address);
  return client;
}
