import { assertEquals } from "@std/assert";
import { computeShard, findHome } from "../../../lib/config/locations.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatPath } from "../../../lib/io/problem.ts";

const LOCATIONS = `locations:
  - { name: Virginia, runner: ubuntu-latest }
  - { name: Frankfurt, runner: [self-hosted, frankfurt] }
  - { name: São Paulo, globalping: Sao Paulo+BR }
  - { name: Tokyo, globalping: Tokyo }
  - { name: Oslo, globalping: Oslo }
`;

async function read(site: string, locations = LOCATIONS) {
  const text = `${locations}sites:\n  - { name: Shop, url: "https://shop.example"${site} }\n`;
  const { config, problems } = await parseConfig(text);
  const { locations: names, quorum, partial } = config!.sites[0]!;
  return {
    config: config!,
    site: { names, quorum, partial },
    problems: problems
      .filter(({ message }) => !/^no site is checked from|^the quorum is/.test(message))
      .map(({ severity, path, message }) => `${severity} ${formatPath(path)}: ${message}`),
  };
}

Deno.test("locations have a name, an id for files, and either a runner or a Globalping probe", async () => {
  const { config, site, problems } = await read("");
  assertEquals(problems, []);
  assertEquals(config.locations.slice(0, 3), [
    { name: "Virginia", id: "virginia", runner: ["ubuntu-latest"] },
    { name: "Frankfurt", id: "frankfurt", runner: ["self-hosted", "frankfurt"] },
    { name: "São Paulo", id: "sao-paulo", globalping: "Sao Paulo+BR" },
  ]);
  assertEquals(site, { names: ["Virginia", "Frankfurt"], quorum: 2, partial: "degraded" });
  assertEquals(findHome(config)?.id, "virginia");
});

Deno.test("a site names its locations in any case, by id, or with the word globalping", async () => {
  const names = async (keys: string) => (await read(keys)).site.names;
  assertEquals(await names(", locations: [sao-paulo, VIRGINIA, Virginia]"), [
    "São Paulo",
    "Virginia",
  ]);
  assertEquals(await names(", locations: globalping"), ["São Paulo", "Tokyo"]);
  assertEquals(await names(", locations: [Frankfurt, globalping]"), [
    "Frankfurt",
    "São Paulo",
    "Tokyo",
  ]);
  assertEquals(await names(", locations: []"), []);
});

Deno.test("a quorum is a number; older words and shares are converted to it", async () => {
  const quorum = async (value: string) =>
    (await read(`, locations: [Virginia, Frankfurt, Tokyo], quorum: ${value}`)).site.quorum;
  const values = [
    "1",
    "3",
    "all",
    "Any",
    "0.5",
    "50%",
    "34%",
    "100%",
    "2/3",
    "1 / 3",
    "66.6%",
    '"2"',
  ];
  const counted = await Promise.all(values.map(quorum));
  assertEquals(counted, [1, 3, 3, 1, 2, 2, 2, 3, 2, 1, 2, 2]);
});

Deno.test("mistakes in a site's locations affect nothing else", async () => {
  const unknown = await read(", locations: [Frankfrt, Tokyo]");
  assertEquals(unknown.site.names, ["Tokyo"]);
  assertEquals(unknown.problems, [
    'error sites[0].locations[0]: unknown location "Frankfrt", did you mean "Frankfurt"?',
  ]);
  assertEquals((await read(", locations: Paris")).site.names, ["Virginia", "Frankfurt"]);
  const many = await read(", quorum: 5");
  assertEquals(many.site.quorum, 2);
  assertEquals(many.problems, [
    "warning sites[0].quorum: 5 is more than the 2 locations of this site: all of them are needed",
  ]);
  const wrong = await read(", quorum: most");
  assertEquals(wrong.site.quorum, 2);
  assertEquals(wrong.problems, [
    'error sites[0].quorum: expected a whole number from 1 to 1000, found "most"',
  ]);
  for (const value of ["0", "-1", "2.5", "0%", "0.0%", "101%", "0/3", "2/0", "1/2/3", '""']) {
    assertEquals((await read(`, quorum: ${value}`)).problems.length, 1, value);
  }
  assertEquals((await read(", quorum: 2", "")).problems, [
    "warning sites[0].quorum: has no effect: no locations check this site",
  ]);
  assertEquals((await read(", locations: Rome", "")).problems, [
    'error sites[0].locations: unknown location "Rome": the top level has no list locations',
  ]);
});

Deno.test("a location in error is left out alone", async () => {
  const { config, problems } = await read(
    "",
    `locations:
  - { name: Rome }
  - { name: Bonn, runner: a, globalping: Bonn }
  - { name: Oslo, runner: self-hosted }
  - { name: OSLO, runner: b }
  - { name: globalping, runner: b }
  - { name: Paris, globalping: "Paris, Lyon" }
  - Lima
  - { runner: c }
  - { name: Sao Paulo, runner: self-hosted }
  - { name: sao-paulo, runner: b }
  - { name: Upptime, runner: b }
`,
  );
  assertEquals(config.locations.map(({ name }) => name), ["Oslo", "Sao Paulo"]);
  assertEquals(problems, [
    "error locations[0]: expected either runner or globalping, found neither",
    "error locations[1]: expected either runner or globalping, found both",
    'error locations[3].name: "OSLO" is the name of another location: choose another name',
    'error locations[4].name: expected a name other than "globalping" and "upptime", found "globalping"',
    'error locations[5].globalping: expected one place without a comma (Paris+FR narrows it down; each further place is a location of its own), found "Paris, Lyon"',
    'error locations[6]: expected a map with name, and runner or globalping, found "Lima"',
    "error locations[7].name: is missing",
    'error locations[9].name: "sao-paulo" is the id of the location Sao Paulo: choose another name',
    'error locations[10].name: expected a name other than "globalping" and "upptime", found "Upptime"',
  ]);
});

Deno.test("sites whose check keeps state between runs are checked once", async () => {
  const { site, problems } = await read(", check: domain, locations: [Tokyo]");
  assertEquals(site, { names: [], quorum: 1, partial: "degraded" });
  assertEquals(problems, [
    "warning sites[0].locations: has no effect: a site with check: domain is checked once, by the deciding run",
  ]);
});

Deno.test("home is the only hosted location; with several there is none", async () => {
  const two = LOCATIONS.replace("[self-hosted, frankfurt]", "windows-latest");
  assertEquals(findHome((await read("", two)).config), undefined);
  assertEquals(findHome((await read("", "")).config), undefined);
});

Deno.test("shards divide sites evenly, and a site stays in its shard when others come", () => {
  const counts = new Map<number, number>();
  for (let index = 0; index < 10_000; index++) {
    const shard = computeShard(`site-${index}`, 10);
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  assertEquals([...counts.keys()].sort((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const most = Math.max(...counts.values());
  assertEquals(most < 1_150 && Math.min(...counts.values()) > 850, true);
  assertEquals(["shop", "blog"].map((slug) => computeShard(slug, 7)), [6, 5]);
});

Deno.test("an unknown name in the locations of defaults is reported there, and once", async () => {
  const defaults = `${LOCATIONS}defaults: { locations: [Rome, Virginia, globalping] }\n`;
  const problems = ['error defaults.locations[0]: unknown location "Rome"'];
  const { site, problems: found } = await read("", defaults);
  assertEquals([site.names, found], [["Virginia", "São Paulo", "Tokyo"], problems]);
  const { problems: both } = await read(", locations: { Oslo: true }", defaults);
  assertEquals(both, [
    ...problems,
    "error sites[0].locations: expected a list with a location in each line, found a map",
  ]);
});

Deno.test("shards that divide nothing have a warning", async () => {
  const problems = async (locations: string) => (await read("", locations)).problems;
  const own = "locations: [{ name: Oslo, runner: self-hosted }]\n";
  assertEquals(await problems(`shards: 3\n${own}`), [
    "warning shards: has no effect: self-hosted and Globalping locations check all of their sites at once",
  ]);
  for (const fine of [`shards: auto\n${own}`, `shards: 3\n${LOCATIONS}`, "shards: 3\n"]) {
    assertEquals(await problems(fine), []);
  }
});

Deno.test("a site that Globalping can't check loses those locations only, with the reason", async () => {
  const post = ", method: POST, locations: [Virginia, Tokyo, Oslo]";
  const { site, problems } = await read(post);
  assertEquals(site, { names: ["Virginia"], quorum: 1, partial: "degraded" });
  assertEquals(problems, [
    "error sites[0].method: Globalping can't check this site: it knows only GET, HEAD, OPTIONS, not POST; it is not checked from Tokyo, Oslo",
  ]);
  const { site: alone } = await read(", body: x, locations: globalping");
  assertEquals(alone.names, ["Virginia", "Frankfurt"]);
  const { problems: shared } = await read(
    ", body: x",
    `${LOCATIONS}defaults: { locations: [Virginia, Tokyo] }\n`,
  );
  assertEquals(shared.map((one) => one.split(":")[0]), ["warning sites[0].body"]);
  // Runners don't mind.
  assertEquals((await read(", body: x, locations: [Virginia]")).problems, []);
});

Deno.test("doubtful places are warned of, and too many parts are an error", async () => {
  const { config, problems } = await read(
    "",
    `locations:
  - { name: Berlin, globalping: Berlin+datacenter }
  - { name: Oslo, globalping: a+b+c+d+e }
  - { name: Pi, runner: [Linux, pi] }
  - { name: Big, runner: ubuntu-latest-8-cores }
`,
  );
  assertEquals(config.locations.map(({ name }) => name), ["Berlin", "Pi", "Big"]);
  assertEquals(problems, [
    'warning locations[0].globalping: "datacenter" is only part of a tag, and may match other probes later: write datacenter-network',
    'error locations[1].globalping: expected at most 128 characters and 4 parts, found "a+b+c+d+e"',
    'warning locations[2].runner: without the label self-hosted, "Linux, pi" is taken for a runner of GitHub, for which each run waits: if it is a machine of your own, add self-hosted',
  ]);
});
