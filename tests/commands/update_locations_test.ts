import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { locationRig } from "../helpers/location_rig.ts";
import { runTask } from "../helpers/program.ts";
import { runStateAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";

const LEFT_OUT = /Shop(?:, \S+)* (?:is|are) left out, and nothing is recorded/g;

Deno.test("a run outside of the workflow checks what is its own, and records nothing for other sites", async () => {
  await using scratch = await makeScratch();
  const others = [
    "name: Alone, locations: []",
    "name: Own, locations: [São Paulo]",
    "name: Any, locations: [Virginia, São Paulo], quorum: any",
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
  assertMatch(stdout, /Checking 1 site\./);
  assertMatch(stdout, /^1 down\. Recorded/m);
  assertEquals([...stderr.matchAll(LEFT_OUT)].map(([text]) => text), [
    "Shop, Own, Any are left out, and nothing is recorded",
  ]);
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
  assertStringIncludes(said, "down from 2 of 3 (Frankfurt, São Paulo; no result from Virginia)");
  assert(!said.includes("left out"));

  // In the deciding job, missing results are unknown.
  await Deno.remove(`${folder}/results`, { recursive: true });
  await Deno.mkdir(`${folder}/results`);
  assertMatch(await it.update("--results", "results"), /\? Shop +unknown/);
});

Deno.test("a run that can decide no site records nothing and fails", async () => {
  await using scratch = await makeScratch();
  await using it = await locationRig(scratch);
  const folder = it.folder;
  const runs = [
    ["update"],
    ["update", "--location", "Virginia"],
    ["update", "--json"],
    ["watch", "--once", "--location", "São Paulo"],
  ];
  for (const [task, ...args] of runs) {
    const { stdout, stderr } = await runTask(task!, { folder, args });
    assertEquals([...stderr.matchAll(LEFT_OUT)].length, 1, stderr);
    if (args.includes("--json")) assertMatch(JSON.parse(stdout).failure, /^Shop is left out/);
  }
  const { code } = await runTask("update", { folder });
  assertEquals([code, await it.rows(), await runStateAt(it.remote)], [2, [], undefined]);
});
