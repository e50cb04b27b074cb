import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { commitFile } from "../helpers/repositories.ts";
import { cloned, CONFIG, UPTIME } from "../helpers/repository_rig.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

Deno.test("a runner set by hand leaves its workflow as it is, and the warning names its key", async () => {
  await using scratch = await makeScratch();
  const { folder, run, at } = await cloned(scratch);
  assertEquals((await run()).code, 0);
  const made = await Deno.readTextFile(join(folder, UPTIME));
  const edited = made.replace("runs-on: ubuntu-latest", "runs-on: self-hosted");
  assert(edited !== made);
  await commitFile(folder, UPTIME, edited);
  await git(folder, "push", "--quiet");
  const { code, stderr } = await run();
  assertEquals(code, 0);
  assertStringIncludes(stderr, "uptime.yml was changed by hand outside of the lines that are kept");
  assertStringIncludes(
    stderr,
    '\n-    runs-on: self-hosted\n+    runs-on: ubuntu-latest\nA runner is kept by the configuration: set "runner: { uptime: self-hosted }" there, and undo its line here.\n',
  );
  assertEquals(`${await at(UPTIME)}\n`, edited);
  await commitFile(folder, UPTIME, made);
  await commitFile(folder, ".monitorrc.yml", `${CONFIG}runner: { uptime: self-hosted }\n`);
  await git(folder, "push", "--quiet");
  assertEquals((await run()).stderr, "");
  assertEquals(`${await at(UPTIME)}\n`.includes("    runs-on: self-hosted\n"), true);
});
