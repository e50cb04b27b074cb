import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseRows } from "../../lib/history/checks_log.ts";
import { runProcess, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  EVERY_RUN,
  incidentsAt,
  makeRepository,
  ONCE_A_DAY,
  pathsAt,
  rowsAt,
  rowsIn,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

/** A server that counts what it is asked. */
function countingSite() {
  const asked: string[] = [];
  const server = httpServer(({ url }) => {
    asked.push(url);
    return new Response("ok");
  });
  return { server, asked };
}

Deno.test("a folder that the task may not write in is refused before anything is checked", async () => {
  await using scratch = await makeScratch();
  const { server, asked } = countingSite();
  await using _ = server;
  const here = join(scratch.path, "here");
  const elsewhere = join(scratch.path, "elsewhere");
  const comma = join(scratch.path, "a,b");
  for (const folder of [here, elsewhere, comma, join(here, "sub")]) {
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: server.url }));
  }
  const refused = async (folder: string, args: readonly string[], message: string) => {
    const { code, stdout, stderr } = await runProcess("update", { folder, args });
    assertEquals([code, stdout, stderr], [2, "", `error: Cannot write in ${message}\n`]);
  };
  const cure = "a task may write only in the folder it is run from; run it in that folder";
  await refused(here, ["--root", elsewhere], `${elsewhere}: ${cure}`);
  await refused(here, ["--root", "../elsewhere"], `${elsewhere}: ${cure}`);
  await refused(
    comma,
    [],
    `${comma}: a comma in the name of a folder ends a permission of Deno; rename the folder, or work in a copy`,
  );
  assertEquals(asked, []);
  for (const [args, made] of [[["--root", "sub"], "sub/history"], [[], "history"]] as const) {
    const { code, stderr } = await runProcess("update", { folder: here, args });
    assertEquals(code, 0, stderr);
    assert((await Deno.stat(join(here, made))).isDirectory);
  }
});

thoroughly(
  "a bare repository and the inside of .git are refused, and nothing is written there",
  async () => {
    await using scratch = await makeScratch();
    const { server, asked } = countingSite();
    await using _ = server;
    const bare = join(scratch.path, "bare.git");
    await git(scratch.path, "init", "--quiet", "--bare", bare);
    const inside = join(await makeRepository(join(scratch.path, "work"), { "readme": "" }), ".git");
    const cases = {
      [bare]: "this repository is bare, it has no work tree; clone it and work in the clone",
      [inside]: "this is the inside of a .git folder; work in the folder it belongs to",
    };
    for (const [folder, why] of Object.entries(cases)) {
      await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: server.url }));
      const names = async () =>
        (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
      const before = await names();
      for (const github of ["false", "true"]) {
        const env = { GITHUB_ACTIONS: github };
        const { code, stdout, stderr } = await runTask("update", { folder, env });
        assertEquals(code, 1);
        assertStringIncludes(stdout + stderr, `Cannot record anything: ${why}`);
        assertEquals(await names(), before);
      }
    }
    assertEquals(asked, []);
  },
);

Deno.test("a repository that git can't read is refused, and is not taken for none", async () => {
  await using scratch = await makeScratch();
  const { server, asked } = countingSite();
  await using _ = server;
  const folder = await makeRepository(join(scratch.path, "work"), {
    ".monitorrc.yml": configText({ A: server.url }),
  });
  await Deno.writeTextFile(join(folder, ".git", "config"), "[core\n");
  const { code, stderr } = await runTask("update", { folder });
  assertEquals([code, asked], [1, []]);
  assertMatch(stderr, /^error: Cannot use the repository: bad config line 1 in file .*config/);
});

Deno.test("a folder that the repository ignores keeps its history as plain files, and says why", async () => {
  await using scratch = await makeScratch();
  const { server } = countingSite();
  await using _ = server;
  const top = await makeRepository(join(scratch.path, "work"), { ".gitignore": "private/\n" });
  await git(top, "checkout", "--quiet", "--detach");
  const folder = join(top, "private");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: server.url }));
  const before = await tip(top);
  const { code, stdout, stderr } = await runTask("update", { folder });
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "Recorded: files only, the repository ignores this folder.");
  assertEquals([await tip(top), await status(top), (await rowsIn(folder)).length], [before, "", 1]);
});

thoroughly(
  "what was kept as files before git init is where the history of the repository begins",
  async () => {
    await using scratch = await makeScratch();
    const remote = await makeRemote(scratch.path, { "readme": "" });
    const config = configText({ A: `http://127.0.0.1:${closedPort()}` }, EVERY_RUN);
    const alone = join(scratch.path, "alone");
    const sub = join(scratch.path, "top", "sub");
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    for (const folder of [alone, sub, clone]) {
      await Deno.mkdir(folder, { recursive: true });
      if (folder === clone) await Deno.rename(join(clone, ".git"), join(scratch.path, "aside"));
      await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
      assertEquals((await runTask("update", { folder })).code, 0);
      await Deno.writeTextFile(join(folder, "history", "notes.yml"), "mine: 1\n");
      const [top, prefix] = folder === sub ? [join(sub, ".."), "sub/"] : [folder, ""];
      if (folder === clone) await Deno.rename(join(scratch.path, "aside"), join(clone, ".git"));
      else await git(top, "init", "--quiet");

      const start = /^startTime: .*$/m.exec(await read(folder))![0];
      const dry = await runTask("update", { folder, args: ["--dry-run"] });
      assertStringIncludes(dry.stdout, start);
      for (let run = 2; run <= 3; run++) {
        const { code, stderr } = await runTask("update", { folder });
        assertEquals([code, stderr], [0, ""]);
        assertEquals((await rowsAt(top, "HEAD", prefix)).length, run);
      }
      assertStringIncludes(await read(folder), start);
      assertEquals((await incidentsAt(top)).map(({ end }) => end), [undefined]);
      assert(!(await pathsAt(top)).some((path) => path.includes("notes")));
      assertEquals(await status(top), `?? ${prefix}.monitorrc.yml\n?? ${prefix}history/notes.yml`);
    }
    assertEquals(await tip(clone), await tip(remote, "main"));
  },
);

thoroughly("runs that take in the same files at the same moment lose no row", async () => {
  await using scratch = await makeScratch();
  const { server } = countingSite();
  await using _ = server;
  const folder = join(scratch.path, "alone");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ A: server.url }));
  await runTask("update", { folder });
  await git(folder, "init", "--quiet");
  const runs = Array.from({ length: 4 }, () => runProcess("update", { folder }));
  for (const { code, stderr } of await Promise.all(runs)) assertEquals(code, 0, stderr);
  assertEquals((await rowsAt(folder)).length, 5);
});

function read(folder: string): Promise<string> {
  return Deno.readTextFile(join(folder, "history", "a.yml"));
}

thoroughly(
  "a history that was taken out of the repository does not come back from the files of a clone",
  async () => {
    await using scratch = await makeScratch();
    const { server } = countingSite();
    await using _ = server;
    const remote = await makeRemote(scratch.path, {
      ".monitorrc.yml": configText({ A: server.url }),
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    await runTask("update", { folder: clone });
    const other = await cloneRemote(remote, join(scratch.path, "other"));
    await git(other, "rm", "--quiet", "-r", "history");
    await git(other, "commit", "--quiet", "--message", "Begin anew");
    await git(other, "push", "--quiet");
    const { code, stderr } = await runTask("update", { folder: clone });
    assertMatch(stderr, /^warning: history\/checks\/\S+ no longer holds the checks .*\n$/);
    assertEquals([code, (await rowsAt(remote, "main")).length], [0, 1]);
  },
);

thoroughly(
  "what waits for a folder of a repository stays when the repository itself is monitored too",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const config = configText({ A: site.url }, ONCE_A_DAY);
    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    const folder = join(clone, "shop");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
    const waiting = async () =>
      parseRows(`${await git(remote, "show", "refs/monitor/pending:main/shop/checks.csv")}\n`);
    for (let run = 1; run <= 2; run++) await runTask("update", { folder });
    const before = await waiting();
    assertEquals(before.length, 1);
    const { code, stderr } = await runTask("update", { folder: clone });
    assertEquals([code, stderr], [0, ""]);
    assertEquals(await waiting(), before);
  },
);
