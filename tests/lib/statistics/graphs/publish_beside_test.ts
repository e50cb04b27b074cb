import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { folderWorkspace } from "../../../../lib/io/workspace.ts";
import {
  bytesOf,
  CONFIGURED,
  dayGraph,
  drawnOf,
  graphIn,
  keep,
  LOCK,
  makeClone,
  makeFolder,
} from "../../../helpers/kept_graphs.ts";
import {
  cloneRemote,
  makeRepository,
  pathsAt,
  status,
  tip,
  writeHook,
} from "../../../helpers/repositories.ts";
import { git, makeScratch } from "../../../helpers/scratch.ts";

const FILES = { ...CONFIGURED, "notes.md": "old\n" };
const SAME = { branch: "same" };

Deno.test("graphs that go to the same branch are commits of it, at the remote and in the clone", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch, FILES, "--depth=1");
  const kept = await keep(clone, drawnOf({ shop: 1, blog: 1 }), SAME);
  assertEquals([kept.written, kept.published, kept.place], [2, true, "commits on main at origin"]);
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

Deno.test("graphs that were kept out of the branch so far are taken into it, and the files are those", async () => {
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
  assertEquals([place, published], ["commits on main, no remote", true]);
  assertEquals(await pathsAt(repository), [LOCK, "notes.md", `ops/${dayGraph("shop")}`]);
  assertEquals(await status(repository), `?? ops/${LOCK}`);
  assertEquals((await keep(folder, drawnOf({ shop: 1 }), SAME)).published, false);
});

Deno.test("a protected branch leaves graphs in the workspace and says why", async () => {
  await using scratch = await makeScratch();
  const { remote, clone } = await makeClone(scratch, FILES);
  await writeHook(remote, "pre-receive", "echo 'GH006: Protected branch' >&2; exit 1");
  const { published, refused } = await keep(clone, drawnOf({ shop: 1 }), SAME);
  assertEquals(published, false);
  assertStringIncludes(refused?.message ?? "", "Cannot push to main at origin: the remote refused");
  assertEquals(await graphIn(clone), bytesOf(1));
});
