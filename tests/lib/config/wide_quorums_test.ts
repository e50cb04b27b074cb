import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatPath } from "../../../lib/io/problem.ts";

const TWO = "[{ name: Rome, runner: ubuntu-latest }, { name: Oslo, runner: [self-hosted, oslo] }]";
const THREE = TWO.replace(/]$/, ", { name: Bonn, runner: [self-hosted, bonn] }]");

/** Places of the warnings for sites with these keys. */
async function places(locations: string, sites: readonly string[], defaults = "{}") {
  const text = `locations: ${locations}\ndefaults: ${defaults}\nsites:\n${
    sites.map((keys, index) => `  - { name: S${index}, url: "https://${index}.example"${keys} }\n`)
      .join("")
  }`;
  const { problems } = await parseConfig(text);
  const found = problems.filter(({ message }) => message.startsWith("the quorum is"));
  for (const { severity, line } of found) assertEquals([severity, line! > 0], ["warning", true]);
  return found.map(({ path, message }) => [formatPath(path), message] as const);
}

async function paths(...given: Parameters<typeof places>): Promise<string[]> {
  return (await places(...given)).map(([path]) => path);
}

Deno.test("a quorum of all locations is warned of once where it is set for all sites", async () => {
  assertEquals(await places(TWO, ["", "", ""]), [[
    "locations",
    "the quorum is both locations, Rome and Oslo, so an outage is unknown and nobody is notified while one of them has no result: add a third location with quorum: 2, or set quorum: any",
  ]]);
  assertEquals(await places(THREE, ["", ""], "{ quorum: all }"), [[
    "defaults.quorum",
    "the quorum is all 3 locations, Rome, Oslo and Bonn, so an outage is unknown and nobody is notified while one of them has no result: set quorum: 2 or less",
  ]]);
  assertEquals(await paths(THREE, ["", ""], "{ locations: [Rome, Bonn] }"), ["defaults.locations"]);
});

Deno.test("a site that sets its own quorum or locations is warned of at their place", async () => {
  for (const quorum of ["all", "3", "9", "100%", "0.9", "3/3", "70%"]) {
    assertEquals(await paths(THREE, ["", `, quorum: ${quorum}`]), ["sites[1].quorum"]);
  }
  assertEquals(await paths(THREE, [", locations: [Rome, Oslo]"]), ["sites[0].locations"]);
});

Deno.test("nothing is warned of if the other locations decide while one sleeps", async () => {
  assertEquals(await paths(THREE, ["", ", quorum: 2/3", ", quorum: any"]), []);
  assertEquals(await paths(TWO, [", quorum: any", ", quorum: 50%", ", paused: true"]), []);
  assertEquals(await paths(TWO, [", locations: [Rome]", ", locations: []"], "{ quorum: all }"), []);
  assertEquals(await paths("[]", [""], "{ quorum: all }"), []);
});
