import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { makeUpptimeRepository } from "../helpers/upptime_repository.ts";

const CONFIG = "sites:\n  - name: Shop\n    url: https://shop.example.com\n";

Deno.test("Upptime's configuration is converted even if nothing was monitored yet", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  await makeUpptimeRepository(folder, [
    { at: "2026-05-01T09:00:00Z", files: { ".upptimerc.yml": CONFIG } },
  ]);
  const run = () => runTask("import", { folder, args: ["upptime"] });
  assertEquals((await run()).code, 0);
  assertEquals(await Deno.readTextFile(join(folder, ".monitorrc.yml")), CONFIG);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Move");
  assertStringIncludes((await run()).stdout, "Nothing is left to import.");
});
