import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import {
  bytesOf,
  CONFIGURED,
  dayGraph,
  drawnOf,
  graphIn,
  graphsTask,
  keep,
  LOCK,
  makeClone,
  makeFolder,
} from "../helpers/kept_graphs.ts";
import { cloneRemote, makeRepository, pathsAt, status, tip } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

const FILES = { ...CONFIGURED, "notes.md": "old\n" };
const SAME = { branch: "same" };

Deno.test("graphs that go to the same branch are commits of it, at the remote and in the clone", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch, FILES, "--depth=1");
  const kept = await keep(clone, drawnOf({ shop: 1, blog: 1 }), SAME);
  assertEquals([kept.written, kept.published, kept.place], [2, true, "branch main at origin"]);
  const first = await tip(remote, "main");
  const again = await keep(clone, drawnOf({ shop: 1, blog: 1 }), SAME);
  assertEquals([again.written, again.published, await tip(remote, "main")], [0, false, first]);
  const { written, removed } = await keep(clone, drawnOf({ shop: 2 }), SAME);
  assertEquals([written, removed], [1, 1]);
  assertEquals(await pathsAt(remote, "main"), [LOCK, dayGraph("shop"), "notes.md"]);
  assertEquals(
    await git(remote, "log", "--format=%s", "main"),
    "Draw graphs [skip ci]\nDraw graphs [skip ci]\nBegin",
  );
  assertEquals([await tip(clone), await status(clone)], [await tip(remote, "main"), ""]);
  assertEquals(await graphIn(clone), bytesOf(2));
});

Deno.test("graphs go to the same branch from behind the remote, and past the user's own work", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch, FILES);
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  await keep(other, drawnOf({ shop: 1 }), SAME);
  await Deno.writeTextFile(join(clone, "notes.md"), "edited\n");
  await Deno.writeTextFile(join(clone, "staged.md"), "staged\n");
  await git(clone, "add", "staged.md");
  await Deno.mkdir(join(clone, "graphs", "shop"), { recursive: true });
  await Deno.writeTextFile(join(clone, "graphs", "shop", "mine.png"), "mine");
  const kept = await keep(clone, drawnOf({ shop: 2 }), SAME);
  assertEquals([kept.written, kept.published, kept.notes], [1, true, []]);
  assertEquals(await tip(clone), await tip(remote, "main"));
  assertEquals(await status(clone), " M notes.md\nA  staged.md\n?? graphs/shop/mine.png");
  assertEquals(await folderWorkspace(clone).read("notes.md"), "edited\n");
});

Deno.test("graphs that were excluded from the branch so far are committed to it in their newest version", async () => {
  await using scratch = await makeScratch();
  const { clone } = await makeClone(scratch, FILES);
  await keep(clone, drawnOf({ shop: 1, gone: 1 }));
  const { published, written, removed } = await keep(clone, drawnOf({ shop: 2 }), SAME);
  assertEquals([published, written, removed], [true, 1, 1]);
  assertEquals(await status(clone), "");
  assertEquals(await graphIn(clone), bytesOf(2));
});

Deno.test("graphs are committed in a folder of a repository without a remote", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), FILES);
  const folder = await makeFolder(repository, "ops");
  const { place, published } = await keep(folder, drawnOf({ shop: 1 }), SAME);
  assertEquals([place, published], ["branch main, no remote", true]);
  assertEquals(await pathsAt(repository), [LOCK, "notes.md", `ops/${dayGraph("shop")}`]);
  assertEquals(await status(repository), `?? ops/${LOCK}`);
  assertEquals((await keep(folder, drawnOf({ shop: 1 }), SAME)).published, false);
});

const LINE = "/graphs/**/response-time*.*";

/** The lines of ours by which a clone ignores files. */
async function excluded(repository: string): Promise<string[]> {
  const text = await Deno.readTextFile(join(repository, ".git", "info", "exclude"));
  return text.split("\n").filter((line) => line.includes("response-time"));
}

Deno.test("one line makes git ignore the graphs, and the user's own files beside them stay visible", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  const exclude = join(repository, ".git", "info", "exclude");
  await Deno.writeTextFile(exclude, "*.bak");
  for (const number of [1, 2]) {
    const { place, notes } = await keep(repository, drawnOf({ shop: number }));
    assertEquals([place, notes], ["files only, no remote", []]);
  }
  assertEquals(await Deno.readTextFile(exclude), `*.bak\n${LINE}\n`);
  await Deno.writeTextFile(join(repository, "graphs", "shop", "mine.png"), "mine");
  await keep(repository, drawnOf({}));
  assertEquals(await status(repository), "?? graphs/shop/mine.png");
});

Deno.test("git ignores the graphs of a folder and of a second work tree in the repository they belong to", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  const folder = await makeFolder(repository, "ops [eu]");
  await keep(folder, drawnOf({ shop: 1 }));
  assertEquals(await status(repository), `?? "ops [eu]/${LOCK}"`);
  const second = join(scratch.path, "second");
  await git(repository, "worktree", "add", "--quiet", second);
  await Deno.remove(join(repository, ".git", "info"), { recursive: true });
  await keep(second, drawnOf({ shop: 1 }));
  assertEquals(await excluded(repository), [LINE]);
  assertEquals(await status(second), "");
});

Deno.test("an ignore rule of the user is enough, and one that overrides ours is kept", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), {
    ...CONFIGURED,
    ".gitignore": "graphs/\n",
  });
  await keep(repository, drawnOf({ shop: 1 }));
  assertEquals(await excluded(repository), []);
  await Deno.writeTextFile(join(repository, ".gitignore"), "!/graphs/*/*\n");
  for (const number of [2, 3]) await keep(repository, drawnOf({ shop: number }));
  assertEquals(await excluded(repository), [LINE]);
});

Deno.test("graphs on the user's branch stay tracked, and a message names the cure", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  await keep(repository, drawnOf({ shop: 1 }), { branch: "same" });
  const { notes } = await keep(repository, drawnOf({ shop: 2 }));
  assertStringIncludes(notes.join(), "git rm -r -q --cached graphs");
  assertEquals(await status(repository), ` M ${dayGraph("shop")}`);
});

Deno.test("graphs below an unwritable repository root print the .gitignore rule that ignores them", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  const folder = await makeFolder(repository, "ops");
  const { code, stdout, stderr } = await graphsTask({ folder, contents: { shop: 1 } });
  assertEquals(code, 0, stderr);
  assertStringIncludes(
    stdout,
    "write /ops/graphs/**/response-time*.* into a .gitignore at the top",
  );
  await Deno.writeTextFile(join(repository, ".gitignore"), "/ops/graphs/**/response-time*.*\n");
  const again = await graphsTask({ folder, contents: { shop: 2 } });
  assertEquals(JSON.parse(again.stdout).notes, []);
});
