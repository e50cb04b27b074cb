import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  EVERY_RUN,
  pathsAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

const HEADER = "time,run,slug,state,code,ms,attempts,phases,location,error\n";

/** A log of two sites for one day; the second's name looks like a formula. */
function log(day: string): string {
  return `${HEADER}${day}T10:00:00.000Z,9f3c01ab,shop,up,200,80,1,,,\n${day}T10:00:00.000Z,9f3c01ab,'-blog,up,200,80,1,,,\n`;
}

const LOGS = {
  "history/checks/2026-01-05.csv": log("2026-01-05"),
  "history/checks/2026-01-06.csv": log("2026-01-06"),
  "history/checks/2026-01-07.csv": log("2026-01-07"),
  "history/checks/2026-01-08.csv": log("2026-01-08"),
  "history/checks/notes.csv": "mine\n",
  "history/daily/2026.csv":
    "date,slug,checks\n2026-01-05,shop,1\n2026-01-05,'-blog,1\n2026-01-06,shop,1\n" +
    "2026-01-08,shop,1\n2026-01-08,'-blog,0\n",
};

Deno.test("a log that is older than is kept goes once each of its sites is rolled up, from branch and clone", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN),
  });
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
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
      .some(({ name }) => name === "2026-01-05.csv"),
  );
});

thoroughly("a dry run names the logs that would go, and keeps them", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await scratch.write(".monitorrc.yml", configText({ A: site.url }));
  for (const [path, text] of Object.entries(LOGS)) {
    await Deno.mkdir(join(scratch.path, path, ".."), { recursive: true });
    await scratch.write(path, text);
  }
  const { stdout } = await runTask("update", { folder: scratch.path, args: ["--dry-run"] });
  assert(stdout.includes("\n--- history/checks/2026-01-05.csv\n(removed)\n"), stdout);
  assertEquals(await scratch.read("history/checks/2026-01-05.csv"), log("2026-01-05"));
  await runTask("update", { folder: scratch.path });
  assertEquals(
    (await Array.fromAsync(Deno.readDir(join(scratch.path, "history/checks")))).length,
    5,
  );
});
