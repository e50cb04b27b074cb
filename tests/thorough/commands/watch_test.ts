import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../../helpers/program.ts";
import {
  allRowsAt,
  cloneRemote,
  commitFile,
  makeRepository,
  ONCE_A_DAY,
  pendingAt,
  remoteAndClone,
  rowsAt,
  rowsIn,
  status,
  tip,
} from "../../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../../helpers/scratch.ts";
import { httpServer } from "../../helpers/servers.ts";
import { watching } from "../../helpers/watching.ts";

const TOP = "interval: 10\nretry: { delays: [0.05] }\nrecheckDelay: 0.05\ncanaries: []\n";

function configOf(url: string, names: readonly string[], top = TOP): string {
  return `${top}sites:\n${
    names.map((name) => `  - { name: ${name}, url: "${url}/${name}" }\n`).join("")
  }`;
}

Deno.test("watch records every check once, commits hourly, and pushes the rest when it is stopped", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder: clone } = await remoteAndClone(
    scratch,
    configOf(site.url, ["A", "B"], TOP.replace("10", "12m")),
  );
  const ended = await watching(clone, ({ runs, stop }) => runs === 8 && stop());
  assertEquals([ended.code, ended.stderr], [0, ""]);
  const rows = await allRowsAt(remote);
  assertEquals([rows.length, new Set(rows.map(({ run, slug }) => run + slug)).size], [16, 16]);
  const commits = Number(await git(remote, "rev-list", "--count", "main")) - 1;
  assert(commits === 2 || commits === 3, `${commits}`);
  const times = [...new Set(rows.map(({ time }) => time.epochMilliseconds))];
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  assert(gaps.every((gap) => Math.abs(gap - 720_000) < 2_000), `${Math.max(...gaps)}`);
  assertStringIncludes(ended.stdout, "Watching 2 sites every 12 minutes.");
  assertStringIncludes(ended.stdout, "Stopped.");
  assertEquals([await status(clone), await tip(clone)], ["", await tip(remote, "main")]);
});

Deno.test("checks in the buffer file are included by every other command", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const text = ONCE_A_DAY + configOf(site.url, ["A"]);
  for (const place of ["a remote", "a repository alone", "a folder"]) {
    const path = join(scratch.path, place.replaceAll(" ", "-"));
    await Deno.mkdir(path);
    const remote = place === "a remote"
      ? await makeRemote(path, { ".monitorrc.yml": text })
      : undefined;
    const folder = join(path, "own");
    if (remote !== undefined) await cloneRemote(remote, folder);
    else if (place === "a folder") await Deno.mkdir(folder);
    else await makeRepository(folder, { ".monitorrc.yml": text });
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), text);
    let waiting = 0;
    await watching(folder, async ({ runs, stop }) => {
      if (runs !== 5) return;
      const { stdout } = await runTask("state", { folder, args: ["--json"] });
      waiting = JSON.parse(stdout).waiting.length;
      const all = remote === undefined ? await rowsIn(folder) : await allRowsAt(remote);
      assertEquals(all.length, 1, place);
      const { code, stderr } = await runTask("update", { folder });
      assertEquals([code, stderr], [0, ""], place);
      stop();
    });
    const rows = remote === undefined ? await rowsIn(folder) : await allRowsAt(remote);
    assertEquals([rows.length, new Set(rows.map(({ run }) => run)).size], [6, 6], place);
    assertEquals(waiting, 4, place);
  }
});

Deno.test("watch --once makes one run, and pushes it", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const text = ONCE_A_DAY + configOf(site.url, ["A"]);
  const { remote, folder } = await remoteAndClone(scratch, text);
  for (let run = 1; run <= 3; run++) {
    const { code, stderr } = await runTask("watch", { folder, args: ["--once"] });
    assertEquals([code, stderr], [0, ""]);
    assertEquals((await allRowsAt(remote)).length, run);
  }
  assertEquals((await rowsAt(remote, "main")).length, 1);
  assertEquals((await pendingAt(remote)).has("checks.csv"), true);
});

Deno.test("watch follows a configuration that is pushed to the remote, and other people's commits", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const { remote, folder } = await remoteAndClone(scratch, configOf(site.url, ["A"]));
  const { code, stdout, stderr } = await watching(folder, async ({ runs, stop }) => {
    if (runs === 2) {
      const other = await cloneRemote(remote, join(scratch.path, "other"));
      await commitFile(other, ".monitorrc.yml", configOf(site.url, ["A", "B", "C"]));
      await git(other, "push", "--quiet");
    }
    if (runs === 14) stop();
  });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "The configuration was read again. Watching 3 sites");
  assertEquals([await status(folder), await tip(folder)], ["", await tip(remote, "main")]);
  const rows = await allRowsAt(remote);
  assertEquals(Object.groupBy(rows, ({ slug }) => slug)["a"]!.length, 14);
  assertEquals(new Set(rows.map(({ slug }) => slug)), new Set(["a", "b", "c"]));
});
