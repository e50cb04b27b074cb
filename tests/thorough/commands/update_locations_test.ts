import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { locationRig } from "../../helpers/location_rig.ts";
import { runTask } from "../../helpers/program.ts";
import { cloneRemote, rowsAt, runStateAt } from "../../helpers/repositories.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { computeShard } from "../../../lib/config/locations.ts";
import { LOCATION_REFS } from "../../../lib/git/remote.ts";

const LEFT_OUT = /Shop(?:, \S+)* (?:is|are) left out, and nothing is recorded/g;

Deno.test("a run outside of the workflow checks what is its own, and records nothing for other sites", async () => {
  await using scratch = await makeScratch();
  const others = [
    "name: Alone, locations: []",
    "name: Own, locations: [São Paulo]",
    "name: Any, locations: [Virginia, São Paulo], quorum: 1",
  ];
  await using it = await locationRig(scratch, { others });
  const folder = it.folder;
  await it.probe("virginia", 200, "results");
  await it.probe("frankfurt", 200, "results");
  await it.update("--results", "results");
  const before = await runStateAt(it.remote);
  it.see(503);

  const { code, stdout, stderr } = await runTask("update", { folder });
  assertEquals(code, 0, stdout + stderr);
  assertMatch(stdout, /Checking 1 site$/m);
  assertMatch(stdout, /^1 down\. Recorded/m);
  assertEquals([...stderr.matchAll(LEFT_OUT)].map(([text]) => text), [
    "Shop, Own, Any are left out, and nothing is recorded",
  ]);
  assertStringIncludes(
    stderr,
    ": this run has results from fewer locations than the quorum needs (pass those of the jobs of Uptime CI with --results)\n",
  );
  assertEquals((await it.slugs()).slice(7), ["alone"]);
  const after = await runStateAt(it.remote);
  for (const slug of ["shop", "own", "any"]) {
    assertEquals(after!.sites[slug], before!.sites[slug], slug);
  }

  // What a self-hosted location has sent counts, as does what the run sees itself.
  await it.probe("sao-paulo", 503);
  assertMatch(await it.update(), /Shop is left out, /);
  assertEquals((await it.slugs()).slice(8), ["alone", "own", "any", "any"]);
  const said = await it.update("--location", "Frankfurt");
  assertStringIncludes(said, "down in Frankfurt and São Paulo (no result from Virginia)");
  assert(!said.includes("left out"));

  // In the deciding job, missing results are unknown.
  await Deno.remove(`${folder}/results`, { recursive: true });
  await Deno.mkdir(`${folder}/results`);
  assertMatch(await it.update("--results", "results"), /\? Shop +unknown/);
});

Deno.test("results that two runs decide from are measured once: the second row has no response time", async () => {
  await using scratch = await makeScratch();
  const others = ["name: One, locations: [Virginia]", "name: Mine, locations: [São Paulo]"];
  await using it = await locationRig(scratch, { others });
  await it.probe("sao-paulo", 200);
  await it.probe("virginia", 200, "results");
  await it.probe("frankfurt", 200, "results");
  await it.update("--results", "results");
  await it.update("--results", "results");
  const times = async () =>
    (await rowsAt(it.folder)).filter(({ location }) => location === undefined)
      .map(({ slug, state, ms, phases }) => [slug, state, ms !== undefined, phases !== undefined]);
  const [first, second] = [(await times()).slice(0, 3), (await times()).slice(3)];
  const slugs = ["shop", "one", "mine"];
  assertEquals(first.map(([slug, , ms]) => [slug, ms]), slugs.map((slug) => [slug, true]));
  assertEquals(second, slugs.map((slug) => [slug, "up", false, false]));
  assertEquals(
    (await rowsAt(it.folder)).filter(({ location }) => location !== undefined).length,
    3,
  );
  // A new result among those of before is one more measurement.
  await it.probe("virginia", 200, "results");
  await it.update("--results", "results");
  assertEquals((await times()).slice(6).map(([slug, , ms]) => [slug, ms]).slice(1), [
    ["one", true],
    ["mine", false],
  ]);
  const { stdout } = await runTask("status", { folder: it.folder, args: ["One", "--json"] });
  const { checks, responseTime } = JSON.parse(stdout).sites[0].windows.day;
  assertEquals([checks, responseTime.count], [3, 2]);
});

Deno.test("the results of a shard that two runs decide from are measured once", async () => {
  await using scratch = await makeScratch();
  const others = ["name: Blog", "name: Docs", "name: Mail"];
  await using it = await locationRig(scratch, { top: "shards: 2\n", others });
  const shard = (number: number) =>
    it.run("probe", ["--shard", `${number}/2`, "--results", "results"]);
  await shard(1);
  await shard(2);
  await it.update("--results", "results");
  await shard(2);
  assertMatch(await it.update("--results", "results"), /all up/);
  const rows = (await rowsAt(it.folder)).map(({ slug, ms }) => [slug, ms !== undefined] as const);
  assertEquals(rows.slice(0, 4).map(([, ms]) => ms), [true, true, true, true]);
  const isAgain = (slug: string) => computeShard(slug, 2) === 2;
  for (const [slug, ms] of rows.slice(4)) assertEquals(ms, isAgain(slug), slug);
  assertEquals(new Set(rows.map(([slug]) => isAgain(slug))).size, 2);
});

Deno.test("results above 20 MB are named with their size, and not read", async () => {
  await using scratch = await makeScratch();
  await using it = await locationRig(scratch, { site: ", quorum: 1" });
  await it.probe("virginia", 200, "results");
  const huge = join(it.folder, "results", "results-frankfurt-1-of-1.json");
  await Deno.writeTextFile(huge, "{");
  await Deno.truncate(huge, 20_000_001);
  const other = await cloneRemote(it.remote, join(scratch.path, "other"));
  await Deno.mkdir(join(other, "main"));
  await Deno.copyFile(huge, join(other, "main", "results-1.json"));
  await git(other, "add", "main");
  await git(other, "commit", "--quiet", "--message", "Send");
  await git(other, "push", "--quiet", "origin", `HEAD:${LOCATION_REFS}sao-paulo`);
  const said = await it.update("--results", "results");
  for (const place of [huge, `${LOCATION_REFS}sao-paulo`]) {
    assertStringIncludes(
      said,
      `The results in ${place} are 21 MB and are not used: the limit is 20 MB`,
    );
  }
  assertStringIncludes(said, "Frankfurt: its job left no results (Shop)");
  assertMatch(said, /Shop +up/);
});
