import { assert, assertEquals } from "@std/assert";
import { MOST_JOBS, planLegs } from "../../../lib/config/legs.ts";
import { findHome } from "../../../lib/config/locations.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { parseRecord } from "../../../lib/history/record.ts";
import { estimateSeconds, resolveShards } from "../../../lib/setup/shards.ts";
import fc from "../../helpers/property.ts";
import type { Keys } from "../../helpers/sites.ts";

const VIRGINIA = { name: "Virginia", runner: "ubuntu-latest" };
const DUBLIN = { name: "Dublin", runner: "ubuntu-24.04" };
const HOME = { name: "Home", runner: ["self-hosted", "pi"] };
const PARIS = { name: "Paris", globalping: "Paris+FR" };

async function configOf(top: Keys) {
  const sites = [{ name: "A", url: "https://a.example" }];
  const { config, problems } = await parseConfig(JSON.stringify({ sites, ...top }));
  return { config: config!, problems };
}

Deno.test("a single hosted location needs no further job, and machines of the user never are one", async () => {
  const jobs = async (top: Keys, shards = 1) => {
    const legs = planLegs((await configOf(top)).config, shards);
    return legs && [legs.locations.map(({ id }) => id), legs.shards, legs.jobs];
  };
  assertEquals(await jobs({}), undefined);
  assertEquals(await jobs({}, 4), [[], 4, 4]);
  assertEquals(await jobs({ locations: [VIRGINIA, HOME, PARIS] }), undefined);
  assertEquals(await jobs({ locations: [VIRGINIA] }, 2), [["virginia"], 2, 2]);
  assertEquals(await jobs({ locations: [VIRGINIA, HOME, DUBLIN] }), [["virginia", "dublin"], 1, 2]);
  assertEquals(await jobs({ locations: [HOME] }, 3), undefined);
  const heartbeats = [{ name: "Beat", check: "heartbeat", every: "1d", file: "beat.txt" }];
  assertEquals(await jobs({ sites: heartbeats }, 3), undefined);
});

Deno.test("a hosted location that no site names gets no job, and a warning", async () => {
  const locations = [VIRGINIA, DUBLIN, HOME];
  const plan = async (site: Keys, rest: Keys = {}) => {
    const sites = [{ name: "A", url: "https://a.example", quorum: 1, ...site }];
    const { config, problems } = await configOf({ sites, locations, ...rest });
    return {
      legs: planLegs(config, 1)?.locations.map(({ id }) => id),
      home: findHome(config)?.id,
      problems: problems.map(({ path, message }) => [path.join("."), message]),
    };
  };
  const warning = (index: number, name: string) => [
    `locations.${index}`,
    `no site is checked from ${name}, so it gets no job: name it in locations of a site, or remove it`,
  ];
  assertEquals(await plan({ locations: ["Dublin", "Home"] }), {
    legs: undefined,
    home: "dublin",
    problems: [warning(0, "Virginia")],
  });
  const third = { name: "Oslo", runner: "ubuntu-latest" };
  assertEquals(
    await plan({ locations: ["Virginia", "Oslo"] }, { locations: [...locations, third] }),
    { legs: ["virginia", "oslo"], home: undefined, problems: [warning(1, "Dublin")] },
  );
  const none = await plan({ locations: ["Home"] });
  assertEquals([none.legs, none.home], [undefined, undefined]);
  const used = { legs: ["virginia", "dublin"], home: undefined, problems: [] };
  assertEquals(await plan({ paused: true }), used);
  const unreadable = [{ name: "A", url: "https://a.example", locations: ["Dublin"] }, {
    name: "B",
  }];
  const partial = await plan({}, { sites: unreadable });
  assertEquals([partial.legs, partial.problems.length], [["virginia", "dublin"], 1]);
});

Deno.test("more jobs than a matrix may have are an error, and are left out", async () => {
  const { config, problems } = await configOf({
    locations: [VIRGINIA, DUBLIN],
    defaults: { quorum: 1 },
    shards: 200,
  });
  assertEquals(problems.map(({ severity, path, message }) => [severity, path, message]), [[
    "error",
    ["shards"],
    "2 locations times 200 shards are 400 jobs, and GitHub accepts 256: choose shards: 128, or fewer locations",
  ]]);
  assertEquals(planLegs(config, 200)!.jobs, MOST_JOBS);
  const many = Array.from({ length: 300 }, (_, index) => ({ ...VIRGINIA, name: `V ${index}` }));
  const all = await configOf({ locations: many });
  assertEquals(all.problems.map(({ path }) => path), [["locations"]]);
  assertEquals(planLegs(all.config, 1)!.jobs, MOST_JOBS);
});

const RECORD = "lastUpdated: 2026-11-21T10:05:03.120Z\ngenerator: monitor-action v1.41.0\n";

Deno.test("a run is estimated by the last checks: their times, and time limits of what is down", async () => {
  const sites = Array.from({ length: 640 }, (_, index) => ({
    name: `Site ${index}`,
    url: `http://site-${index}.example`,
  }));
  const { config } = await configOf({ sites });
  assertEquals(estimateSeconds(config, new Map()), 10);
  const recordsOf = (text: string) =>
    new Map(config.sites.map(({ slug }) => [slug, parseRecord(text + RECORD)!]));
  const up = recordsOf("status: up\ncode: 200\nresponseTime: 2000\n");
  assertEquals(estimateSeconds(config, up), 20);
  assertEquals(estimateSeconds(config, recordsOf("status: down\ncode: 0\nresponseTime: 0\n")), 50);
  const fast = recordsOf("status: up\ncode: 200\nresponseTime: 1\n");
  assertEquals(estimateSeconds(config, fast), 0.96);
  const half = sites.map((site, index) => index < 320 ? site : { ...site, locations: ["Dublin"] });
  const places = await configOf({ sites: half, locations: [DUBLIN, VIRGINIA] });
  assertEquals(estimateSeconds(places.config, up), 20);
});

Deno.test("the number of shards does not change back and forth if times vary by a tenth", () => {
  fc.assert(fc.property(
    fc.double({ min: 0, max: 5_000, noNaN: true }),
    fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { maxLength: 20 }),
    fc.integer({ min: 1, max: 60 }),
    (usual, factors, first) => {
      let shards = resolveShards(usual, first);
      let changes = 0;
      for (const factor of factors) {
        const next = resolveShards(usual * factor, shards);
        if (next !== shards) changes++;
        shards = next;
        assert(usual * factor / shards <= 108);
      }
      assert(changes <= 1);
    },
  ));
});
