import { assertEquals, assertMatch } from "@std/assert";
import { locationRig } from "../helpers/location_rig.ts";
import { runTask } from "../helpers/program.ts";
import { runStateAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";

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
    assertEquals(stderr.split("Shop is left out, and nothing is recorded").length - 1, 1, stderr);
    if (args.includes("--json")) assertMatch(JSON.parse(stdout).failure, /^Shop is left out/);
  }
  const { code } = await runTask("update", { folder });
  assertEquals([code, await it.rows(), await runStateAt(it.remote)], [2, [], undefined]);
});
