import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { appendRows, checksPath, parseRows } from "../../lib/history/checks_log.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, EVERY_RUN } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("an update puts a log in order that a merge of two branches was committed into with its conflict", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: site.url }, EVERY_RUN),
  });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const now = Temporal.Now.instant();
  const path = checksPath(now);
  const written = (run: string, minutes: number) =>
    appendRows(undefined, [{
      time: now.subtract({ minutes }),
      run,
      slug: "shop",
      state: "up",
      code: 200,
      ms: 80,
      attempts: 1,
    }]);
  const commit = async (text: string) => {
    await Deno.mkdir(join(clone, "history/checks"), { recursive: true });
    await Deno.writeTextFile(join(clone, path), text);
    await git(clone, "add", "--all");
    await git(clone, "commit", "--quiet", "--message", "Write a log");
  };
  await git(clone, "checkout", "--quiet", "-b", "other");
  await commit(written("00000001", 4));
  await git(clone, "checkout", "--quiet", "main");
  await commit(written("00000002", 2).split("\n").slice(1).join("\n"));
  await git(clone, "merge", "other").catch(() => "a conflict, as expected");
  assert((await Deno.readTextFile(join(clone, path))).includes("<<<<<<<"));
  await git(clone, "add", "--all");
  await git(clone, "commit", "--quiet", "--message", "Merge it as it is");
  await git(clone, "push", "--quiet", "origin", "main");

  const { code, stderr } = await runTask("update", { folder: clone });
  assertEquals([code, stderr], [0, ""]);
  const log = await git(clone, "show", `origin/main:${path}`);
  assertEquals(log.split("\n")[0], appendRows(undefined, []).trim());
  assert(!/^[<=>]{7}/m.test(log), log);
  const runs = parseRows(`${log}\n`).map(({ run }) => run);
  assertEquals(runs.length, 3);
  assert(["00000001", "00000002"].every((run) => runs.includes(run)), runs.join());
  assertEquals((await runTask("response-time", { folder: clone })).code, 0);
  const { windows } = JSON.parse(
    await git(clone, "show", "origin/main:api/shop/statistics.json"),
  );
  assertEquals(windows.day.checks, 3, JSON.stringify(windows.day));
});
