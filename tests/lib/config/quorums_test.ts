import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatPath } from "../../../lib/io/problem.ts";

const TWO = "[{ name: Rome, runner: ubuntu-latest }, { name: Oslo, runner: [self-hosted, oslo] }]";
const THREE = TWO.replace(/]$/, ", { name: Bonn, runner: [self-hosted, bonn] }]");

/** Places of the warnings that start with these words, for sites with these keys. */
async function findWarnings(
  start: string,
  locations: string,
  sites: readonly string[],
  defaults = "{}",
) {
  const text = `locations: ${locations}\ndefaults: ${defaults}\nsites:\n${
    sites.map((keys, index) => `  - { name: S${index}, url: "https://${index}.example"${keys} }\n`)
      .join("")
  }`;
  const { problems } = await parseConfig(text);
  const found = problems.filter(({ message }) => message.startsWith(start));
  for (const { severity, line } of found) assertEquals([severity, line! > 0], ["warning", true]);
  return found.map(({ path, message }) => [formatPath(path), message] as const);
}

const places = findWarnings.bind(undefined, "the quorum is");

async function paths(...given: Parameters<typeof places>): Promise<string[]> {
  return (await places(...given)).map(([path]) => path);
}

Deno.test("a quorum of all locations is warned of once where it is set for all sites", async () => {
  assertEquals(await places(TWO, ["", "", ""]), [[
    "locations",
    "the quorum is both locations, Rome and Oslo, so an outage is unknown and nobody is notified while one of them has no result: add a third location with quorum: 2, or set quorum: 1",
  ]]);
  assertEquals(await places(THREE, ["", ""], "{ quorum: 3 }"), [[
    "defaults.quorum",
    "the quorum is all 3 locations, Rome, Oslo and Bonn, so an outage is unknown and nobody is notified while one of them has no result: set quorum: 2 or less",
  ]]);
  assertEquals(await paths(THREE, ["", ""], "{ locations: [Rome, Bonn] }"), ["defaults.locations"]);
});

Deno.test("a site that sets its own quorum or locations is warned of at their place", async () => {
  for (const quorum of ["3", "9"]) {
    assertEquals(await paths(THREE, ["", `, quorum: ${quorum}`]), ["sites[1].quorum"]);
  }
  assertEquals(await paths(THREE, [", locations: [Rome, Oslo]"]), ["sites[0].locations"]);
});

Deno.test("nothing is warned of if the other locations decide while one sleeps", async () => {
  assertEquals(await paths(THREE, ["", ", quorum: 2", ", quorum: 1"]), []);
  assertEquals(await paths(TWO, [", quorum: 1", ", paused: true"]), []);
  assertEquals(await paths(TWO, [", locations: [Rome]", ", locations: []"], "{ quorum: 3 }"), []);
  assertEquals(await paths("[]", [""], "{ quorum: 3 }"), []);
});

Deno.test("an older form of a quorum is warned of once for each place, with the number that it means", async () => {
  const older = findWarnings.bind(undefined, "expected a number of locations");
  const site = async (quorum: string) =>
    (await older(THREE, ["", `, quorum: ${quorum}`])).map(([path, message]) =>
      `${path}: ${message}`
    );
  const found = "sites[1].quorum: expected a number of locations, found";
  assertEquals(await site("all"), [`${found} "all", which means 3 of 3: write quorum: 3`]);
  assertEquals(await site("0.5"), [`${found} 0.5, which means 2 of 3: write quorum: 2`]);
  assertEquals(await site("2"), []);
  const two = ", locations: [Rome, Oslo]";
  const sites = ["", "", ", quorum: 1", two, ", locations: []"];
  assertEquals(await older(THREE, sites, "{ quorum: 100% }"), [[
    "defaults.quorum",
    'expected a number of locations, found "100%", which means 3 for S0, S1, and 2 for S3: write quorum: 3 here, and the other numbers at their sites',
  ]]);
  assertEquals(await older(THREE, ["", two], "{ quorum: 2/3 }"), [[
    "defaults.quorum",
    'expected a number of locations, found "2/3", which means 2: write quorum: 2',
  ]]);
  assertEquals(await older(THREE, [", quorum: 1"], "{ quorum: any }"), [[
    "defaults.quorum",
    'expected a number of locations, found "any", which no site uses: remove it',
  ]]);
});
