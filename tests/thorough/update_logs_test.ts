import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { keepMidnightOut } from "../helpers/midnight.ts";
import { runTask } from "../helpers/program.ts";
import {
  configText,
  EVERY_RUN,
  pathsAt,
  remoteAndClone,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { appendRows, checksPath, parseRows } from "../../lib/history/checks_log.ts";

const HEADER = "time,run,slug,state,code,ms,attempts,phases,location,error\n";

/** A log of two sites for one day; the second's name looks like a formula. */
function log(day: string, run = "9f3c01ab"): string {
  return `${HEADER}${day}T10:00:00.000Z,${run},shop,up,200,80,1,,,\n${day}T10:00:00.000Z,${run},'-blog,up,200,80,1,,,\n`;
}

const LOGS = {
  "history/checks/2026-01-05-2.csv": log("2026-01-05", "9f3c01ac"),
  "history/checks/2026-01-05.csv": log("2026-01-05"),
  "history/checks/2026-01-06.csv": log("2026-01-06"),
  "history/checks/2026-01-07.csv": log("2026-01-07"),
  "history/checks/2026-01-08.csv": log("2026-01-08"),
  "history/checks/notes.csv": "mine\n",
  "history/daily/2026.csv":
    "date,slug,checks\n2026-01-05,shop,2\n2026-01-05,'-blog,2\n2026-01-06,shop,1\n" +
    "2026-01-08,shop,1\n2026-01-08,'-blog,0\n",
};

Deno.test("an expired log is removed from branch and clone once all its sites are rolled up", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configText({ A: site.url }, EVERY_RUN),
  );
  for (const [path, text] of Object.entries(LOGS)) {
    await Deno.mkdir(join(clone, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(clone, path), text);
  }
  await git(clone, "add", "--all");
  await git(clone, "commit", "--quiet", "--message", "Bring an old history");
  await git(clone, "push", "--quiet");
  const { code, stderr } = await runTask("update", { folder: clone });
  assertEquals([code, stderr], [0, ""]);
  const left = (await pathsAt(remote, "main")).filter((path) => path in LOGS);
  assertEquals(left, Object.keys(LOGS).filter((path) => !path.includes("01-05")));
  assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
  assert(
    !(await Array.fromAsync(Deno.readDir(join(clone, "history/checks"))))
      .some(({ name }) => name.startsWith("2026-01-05")),
  );
});

Deno.test("update repairs a log that was committed with merge conflict markers", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { folder: clone } = await remoteAndClone(
    scratch,
    configText({ Shop: site.url }, EVERY_RUN),
  );
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
  const { windows } = JSON.parse(await git(clone, "show", "origin/main:api/shop/statistics.json"));
  assertEquals(windows.day.checks, 3, JSON.stringify(windows.day));
});
