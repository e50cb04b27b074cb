import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { stoppedNote } from "../../templates/terminal/progress.ts";
import { runTask, spawnTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { listenTo } from "../helpers/printed_lines.ts";

Deno.test("in a pipe, each awaited retry is one line", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response(null, { status: 503 }));
  const config = "canaries: []\nretry: { delays: [1, 0.1], jitter: 0 }\n" +
    `sites: [{ name: Shop, url: "${site.url}" }]\n`;
  await scratch.write(".monitorrc.yml", config);
  const { stdout } = await runTask("update", { folder: scratch.path });
  const [start, retry, result] = stdout.split("\n");
  assertMatch(start!, /^Checking 1 site$/);
  assertEquals(retry, "  … Shop: 503, retrying in 1 s (2 of 3)");
  assertMatch(result!, /^ {2}✘ Shop /);
});

Deno.test("a stopped run records nothing, reports what it has checked, and exits with 130", async () => {
  await using scratch = await makeScratch();
  const never = Promise.withResolvers<Response>();
  await using site = httpServer(({ url }) =>
    url.endsWith("/slow") ? never.promise : new Response("ok")
  );
  await scratch.write(
    ".monitorrc.yml",
    `canaries: []\nsites:\n  - { name: Good, url: "${site.url}" }\n` +
      `  - { name: Slow, url: "${site.url}/slow" }\n`,
  );
  const child = spawnTask("update", { folder: scratch.path });
  const printed = listenTo(child.stdout, child.stderr);
  await printed.waitFor(/^ {2}✔ Good/m);
  child.kill("SIGINT");
  assertEquals((await child.status).code, 130);
  never.resolve(new Response("late"));
  await printed.waitFor(/^warning: Stopped\. .*/m);
  assertStringIncludes(
    printed.all(),
    "warning: Stopped. Nothing was recorded. Checked, but not recorded: Good. Not checked: Slow. " +
      "The next run checks all sites again\n",
  );
  const names = (await Array.fromAsync(Deno.readDir(scratch.path))).map(({ name }) => name);
  assertEquals(names, [".monitorrc.yml"]);
});

Deno.test("a run stopped later says that it was recording, or had finished", () => {
  const [sites, checked] = [["A"], new Set(["A"])];
  const note = (stage: "recording" | "recorded") => stoppedNote({ stage, sites, checked });
  assertStringIncludes(note("recording"), '"monitor state" shows what is there');
  assert(note("recorded").endsWith("all results were recorded"));
});
