import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import type { Site } from "../../../lib/config/config.ts";
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

Deno.test("the top level sets the quorum of all sites; defaults and a site's own win", async () => {
  const read = async (keys: string, site = "", defaults = "{}") => {
    const { config, problems } = await parseConfig(
      `${keys}\nlocations: ${THREE}\ndefaults: ${defaults}\nsites: [{ name: A, url: "https://a.example"${site} }]\n`,
    );
    const [{ quorum, partial }] = config!.sites as [Site];
    return {
      is: [quorum, partial],
      problems: problems.map(({ severity, path, message }) =>
        `${severity} ${formatPath(path)}: ${message}`
      ),
    };
  };
  assertEquals(await read("quorum: 1\npartial: ignore"), { is: [1, "ignore"], problems: [] });
  assertEquals((await read("quorum: 1", ", quorum: 2")).is, [2, "degraded"]);
  assertEquals((await read("quorum: 1", "", "{ quorum: 2 }")).is, [2, "degraded"]);
  assertEquals(await read("quorum: 1/3"), {
    is: [1, "degraded"],
    problems: [
      'warning quorum: expected a number of locations, found "1/3", which means 1: write quorum: 1',
    ],
  });
  assertEquals((await read("quorum: any", "", "{ quorum: 2 }")).problems, [
    'warning quorum: expected a number of locations, found "any", which no site uses: remove it',
  ]);
  assertEquals((await read("quorum: 3")).problems.map((one) => one.slice(0, 40)), [
    "warning quorum: the quorum is all 3 loca",
  ]);
  assertEquals(await read("quorum: most"), {
    is: [2, "degraded"],
    problems: ['error quorum: expected a whole number from 1 to 1000, found "most"'],
  });
});
