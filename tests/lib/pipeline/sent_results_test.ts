import { assertEquals } from "@std/assert";
import { computeShard } from "../../../lib/config/locations.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import { formatResults, parseResults } from "../../../lib/history/location_results.ts";
import { SentParts } from "../../../lib/pipeline/sent_results.ts";
import { MINUTE } from "../../../lib/time.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";

const LOCATIONS = [
  { name: "Frankfurt", runner: "self-hosted" },
  { name: "Virginia", runner: "ubuntu-latest" },
];
const { sites, locations } = await configOf([
  { name: "Shop", url: "https://shop.example" },
  { name: "Blog", url: "https://blog.example" },
], { locations: LOCATIONS });
const [shop, blog] = sites as [typeof sites[0], typeof sites[0]];
const [frankfurt, virginia] = locations as [typeof locations[0], typeof locations[0]];
const NOW = Temporal.Instant.from("2026-11-23T10:05:00Z");

interface Sending {
  location?: string;
  run?: string;
  minutesAgo?: number;
  shard?: { number: number; of: number };
  of?: readonly (typeof sites[0])[];
  state?: ProbeResult["state"];
  more?: Partial<ProbeResult>;
}

function sent(
  {
    location = "frankfurt",
    run = "00000001",
    minutesAgo = 1,
    shard,
    of = sites,
    state = "up",
    more,
  }: Sending = {},
) {
  const time = NOW.subtract({ seconds: Math.round(60 * minutesAgo) });
  const results = of.map((site): ProbeResult => (
    { site, state, code: 200, attempts: 1, began: time, confirmed: time, ...more }
  ));
  const head = { location: location === "" ? undefined : location, shard, run, time };
  return parseResults(formatResults(head, results))!;
}

function open(all: readonly Sending[], recorded?: Record<string, string>) {
  return new SentParts(all.map(sent), { now: NOW, maxAge: 30 * MINUTE, recorded });
}

function usedOf(
  parts: SentParts,
  recorded: Record<string, string>,
  slugs: readonly string[],
): Record<string, string> {
  return Object.fromEntries(parts.addUsed(recorded, new Set(slugs), { locations, sites }));
}

Deno.test("the newest results of a location count, in whatever order they are read", () => {
  const old: Sending = { run: "00000001", minutesAgo: 9, state: "down" };
  const attempts: Sending[] = [old, { run: "00000002", minutesAgo: 2 }];
  for (const all of [attempts, attempts.toReversed()]) {
    const { result, results, isNew } = open(all).find(shop, frankfurt);
    assertEquals([result?.state, results, isNew], ["up", "00000002", true]);
  }
  const ahead = { run: "00000003", minutesAgo: -60 * 24 };
  assertEquals(open([ahead, ...attempts]).find(shop, frankfurt).results, "00000002");
});

Deno.test("results in several files of one run are taken together", () => {
  const parts = open([{ of: [shop] }, { of: [blog] }]);
  assertEquals(sites.map((site) => parts.find(site, frankfurt).result?.state), ["up", "up"]);
});

Deno.test("results that an earlier run has recorded are known, and stay noted while nothing newer comes", () => {
  const recorded = { frankfurt: "00000001", "virginia 1/2": "0000000a", oslo: "0000000b" };
  const parts = open([{}], recorded);
  assertEquals(parts.find(shop, frankfurt).isNew, false);
  assertEquals(usedOf(parts, recorded, ["shop", "blog"]), {
    frankfurt: "00000001",
    "virginia 1/2": "0000000a",
  });
});

Deno.test("results of which only some sites are recorded so far are new for the others, also if their location is constructor", async () => {
  const { sites, locations } = await configOf(
    ["Shop", "Blog"].map((name) => ({ name, url: "https://shop.example" })),
    { locations: [{ name: "Constructor", runner: "self-hosted" }] },
  );
  const all = [{ location: "constructor", of: sites }];
  const first = open(all);
  const used = Object.fromEntries(first.addUsed({}, new Set(["shop"]), { locations, sites }));
  assertEquals(used, { constructor: "00000001 shop" });
  const second = open(all, used);
  const isNew = (parts: SentParts) => sites.map((site) => parts.find(site, locations[0]!).isNew);
  assertEquals([isNew(first), isNew(second)], [[true, true], [false, true]]);
  const after = second.addUsed(used, new Set(["blog"]), { locations, sites });
  assertEquals(Object.fromEntries(after), { constructor: "00000001" });
});

Deno.test("results that are too old, from a fast clock, of another site or configuration are missing, with the reason", () => {
  const why = (all: readonly Sending[], site = shop) => open(all).find(site, frankfurt).missing;
  assertEquals(why([]), "it has sent nothing");
  assertEquals(why([{ minutesAgo: 30 }]), undefined);
  assertEquals(why([{ minutesAgo: 31 }]), "it has sent nothing since 09:34 UTC");
  assertEquals(why([{ minutesAgo: 60 * 24 }]), "it has sent nothing since 2026-11-22 10:05 UTC");
  assertEquals(why([{ minutesAgo: -180 }]), "its clock is 3 hours ahead");
  assertEquals(why([{ of: [blog] }]), "its results lack this site");
  const moved = { ...shop, url: "https://new.example" };
  assertEquals(why([{}], moved), "its results are of an older configuration");
});

Deno.test("a response time that is longer than an attempt may take is damaged", async () => {
  const read = async (keys: Keys, ms: number, phase = 0) => {
    const config = await configOf([{ name: "Shop", url: "https://shop.example", ...keys }], {
      locations: LOCATIONS,
    });
    const [site] = config.sites as [typeof shop];
    const phases = { dns: phase, connect: 0, tls: 0, ttfb: 0, download: 0 };
    const one = sent({ of: [site], more: { responseTime: ms, phases } });
    const { result, missing } = new SentParts([one], { now: NOW, maxAge: 30 * MINUTE })
      .find(site, frankfurt);
    return result?.responseTime ?? missing;
  };
  const damaged = (ms: string) =>
    `its result is damaged, as ${ms} ms are more than an attempt may take`;
  assertEquals(await read({ requestTimeout: 5 }, 4_999), 4_999);
  assertEquals(await read({ requestTimeout: 5 }, 5_400), 5_000, "a busy machine measures more");
  assertEquals(await read({ requestTimeout: 5 }, 7_000), damaged("7000"));
  assertEquals(await read({}, 86_400_000), damaged("86400000"));
  assertEquals(await read({}, 10, 86_400_000), damaged("86400000"));
  const port = { check: "tcp-ping", port: 443 };
  assertEquals(await read({ ...port, requestTimeout: 2, connectTimeout: 9 }, 8_000), 8_000);
  assertEquals(await read({ ...port, requestTimeout: 2 }, 12_000), damaged("12000"));
});

Deno.test("results of a hosted job count for half an hour, because some jobs wait longer for a runner", () => {
  const why = (location: typeof frankfurt, minutesAgo: number) => {
    const all = [sent({ location: location.id, minutesAgo })];
    return new SentParts(all, { now: NOW, maxAge: 10 * MINUTE }).find(shop, location).missing;
  };
  assertEquals([why(frankfurt, 10), why(virginia, 30)], [undefined, undefined]);
  assertEquals(why(frankfurt, 11), "it has sent nothing since 09:54 UTC");
  assertEquals(why(virginia, 31), "it has sent nothing since 09:34 UTC");
});

Deno.test("a clock that is a little fast doesn't put results into the future", () => {
  const { result } = open([{ minutesAgo: -5 }]).find(shop, frankfurt);
  assertEquals([result?.began, result?.confirmed], [NOW, NOW]);
  const [asking, ...others] = [sent({})];
  const restUntil = NOW.add({ hours: 99 });
  const results = asking!.results.map((one) => ({ ...one, restUntil, began: restUntil }));
  const parts = new SentParts([{ ...asking!, results }, ...others], { now: NOW, maxAge: MINUTE });
  const resting = parts.find(shop, frankfurt).result!;
  assertEquals(resting.restUntil, NOW.add({ hours: 1 }));
  assertEquals(resting.began, resting.confirmed);
});

Deno.test("a clock that is set during the checks doesn't put them into the past", () => {
  const [one] = [sent({})];
  const began = NOW.subtract({ hours: 24 * 400 });
  const results = one!.results.map((result) => ({ ...result, began, confirmed: began }));
  const parts = new SentParts([{ ...one!, results }], { now: NOW, maxAge: 30 * MINUTE });
  const { result } = parts.find(shop, frankfurt);
  const first = one!.time.subtract({ hours: 1 });
  assertEquals([result?.began, result?.confirmed], [first, first]);
});

Deno.test("a shard that is missing is named, and those of another number of shards are not used", () => {
  const shard = { number: computeShard("shop", 3), of: 3 };
  const other = { number: shard.number % 3 + 1, of: 3 };
  const state = (all: readonly Sending[]) => {
    const { state, error } = open(all).findOfShard(shop, 3);
    return [state, error];
  };
  assertEquals(state([{ location: "", shard }]), ["up", undefined]);
  const again = open([{ location: "", shard }], { [`all ${shard.number}/3`]: "00000001" });
  assertEquals(again.findOfShard(shop, 3).isRepeated, true);
  const lost = ["unknown", `shard ${shard.number} of 3 left no results`];
  assertEquals(state([{ location: "", shard: other }]), lost);
  assertEquals(state([]), lost);
  const before: Sending = { location: "", shard: { number: 1, of: 1 }, minutesAgo: 9 };
  assertEquals(state([before, { location: "", shard: other }]), lost);
});
