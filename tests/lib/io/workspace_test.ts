import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { dirname, join } from "node:path";
import { openTree } from "../../../lib/io/file_tree.ts";
import { folderWorkspace, holdFile } from "../../../lib/io/workspace.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { makeScratch } from "../../helpers/scratch.ts";

Deno.test("the obstacle to a file is named, and no temporary file is left", async () => {
  await using scratch = await makeScratch();
  const workspace = folderWorkspace(scratch.path);
  await workspace.write("graphs/shop", "mine");
  await Deno.mkdir(join(scratch.path, "graphs/blog.png"));
  for (
    const [path, obstacle] of [
      ["graphs/shop/day.png", "graphs/shop is a file"],
      ["graphs/blog.png", "graphs/blog.png is a folder"],
    ] as const
  ) {
    const message = `Cannot write ${path}: ${obstacle}; move it away`;
    await assertRejects(() => workspace.write(path, "ours"), Error, message);
  }
  const names = (await Array.fromAsync(Deno.readDir(join(scratch.path, "graphs"))))
    .map(({ name }) => name).sort();
  assertEquals([names, await workspace.read("graphs/shop")], [["blog.png", "shop"], "mine"]);
});

Deno.test({
  name: "a folder that can't be written is named, with the cure",
  // Not even root may write in /sys.
  ignore: Deno.build.os !== "linux",
  async fn() {
    const writes = [
      () => folderWorkspace("/sys").write("file", ""),
      () => holdFile("/sys", "file"),
    ];
    for (const write of writes) {
      const { message } = await assertRejects(write, Error);
      const denied = "you have no permission to write in /sys; change its owner or rights";
      const readOnly = "the file system of /sys is read-only; work in a copy elsewhere";
      assert([denied, readOnly].includes(message.replace("Cannot write file: ", "")), message);
    }
    const nested = () => folderWorkspace("/sys").write("new/file", "");
    await assertRejects(nested, Error, "Cannot write new/file: ");
  },
});

/** A folder with links in it, next to another folder that nothing may be written to. */
async function makeLinks(links: Readonly<Record<string, string>>) {
  const scratch = await makeScratch();
  await folderWorkspace(scratch.path).write("outside/file", "theirs");
  await folderWorkspace(scratch.path).write("root/inside/file", "ours");
  for (const [path, target] of Object.entries(links)) {
    await Deno.mkdir(dirname(join(scratch.path, path)), { recursive: true });
    await Deno.symlink(target, join(scratch.path, path));
  }
  const outside = join(scratch.path, "outside");
  return {
    root: join(scratch.path, "root"),
    outside,
    assertUntouched: async () => {
      assertEquals(await namesIn(outside), ["file"]);
      assertEquals(await Deno.readTextFile(join(outside, "file")), "theirs");
    },
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

Deno.test("nothing is written or removed through a link that leads out of the folder", async () => {
  await using links = await makeLinks({
    "root/link": "../outside",
    "root/deep/chain": "../link",
    "root/inside/up": "../..",
  });
  const workspace = folderWorkspace(links.root);
  const way = (link: string, target: string) =>
    `${link} is a link that leads out of this folder, to ${target}; put a folder in its place`;
  const top = dirname(links.outside);
  for (
    const [path, fault] of [
      ["link/file", way("link", links.outside)],
      ["link/new/file", way("link", links.outside)],
      ["deep/chain/file", way("deep/chain", links.outside)],
      ["inside/up/outside/file", way("inside/up", top)],
      ["../outside/file", `it is outside of ${links.root}; name a file in that folder`],
    ] as const
  ) {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const write = () => workspace.write(path, "ours");
      await assertRejects(write, Error, `Cannot write ${path}: ${fault}`);
    }
    await assertRejects(() => workspace.remove(path), Error, `Cannot remove ${path}: ${fault}`);
  }
  await assertRejects(() => holdFile(links.root, "link/lock"), Error, "link is a link that");
  const tree = openTree(links.root, "link");
  assertThrows(() => tree.remove("file"), Error, "Cannot remove link/file: link is a link that");
  await links.assertUntouched();
});

Deno.test("a link to nothing is named, with the cure", async () => {
  await using links = await makeLinks({ "root/lost": "../nowhere", "root/loop": "loop" });
  for (const link of ["lost", "loop"]) {
    const message =
      `Cannot write ${link}/file: ${link} is a link to nothing; remove it, or put a folder in its place`;
    await assertRejects(
      () => folderWorkspace(links.root).write(`${link}/file`, ""),
      Error,
      message,
    );
  }
});

Deno.test("a link that leads back to itself is named with the file that is read through it", async () => {
  await using scratch = await makeScratch();
  await Deno.symlink("two", join(scratch.path, "one"));
  await Deno.symlink("one", join(scratch.path, "two"));
  const { read, list, listAll } = folderWorkspace(scratch.path);
  const cause = "a link on the way leads back to itself; remove it";
  const readings = [
    () => read("one/file"),
    () => read("two"),
    () => list("one"),
    () => listAll("two"),
  ];
  for (const reading of readings) {
    const { message } = await assertRejects<Error>(reading, Error);
    assert(/^Cannot read (?:one|two)/.test(message) && message.endsWith(cause), message);
  }
});

Deno.test("links within the folder, and the folder itself as a link, are followed", async () => {
  await using links = await makeLinks({ "root/link": "inside", "other": "root" });
  const root = join(dirname(links.root), "other");
  await folderWorkspace(root).write("link/new/file", "ours");
  assertEquals(await folderWorkspace(links.root).read("inside/new/file"), "ours");
});

Deno.test("a link in place of a file is replaced, and removed, but not followed", async () => {
  await using links = await makeLinks({
    "root/file": "../outside/file",
    "root/other": "../outside/file",
  });
  const workspace = folderWorkspace(links.root);
  await workspace.write("file", "ours");
  await workspace.remove("other");
  assertEquals([await workspace.read("file"), await workspace.has("other")], ["ours", false]);
  await links.assertUntouched();
});

Deno.test("a folder in place of a file is an error with the cure", async () => {
  await using scratch = await makeScratch();
  const workspace = folderWorkspace(scratch.path);
  await Deno.mkdir(join(scratch.path, "folder"));
  const message = "Cannot read folder: that is a folder; put a file in its place";
  for (const read of [workspace.read, workspace.readBytes]) {
    await assertRejects(() => read("folder"), Error, message);
  }
});

Deno.test("a file in place of a folder is read as an empty folder", async () => {
  await using scratch = await makeScratch();
  const workspace = folderWorkspace(scratch.path);
  await workspace.write("graphs", "mine");
  assertEquals(await workspace.readAll("graphs", () => true), new Map());
  assertEquals([await workspace.list("graphs"), await workspace.read("graphs/day.png")], [
    [],
    undefined,
  ]);
});

const CONTENT = new TextEncoder().encode("same\n");

Deno.test("a writer names the obstacle to a file", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "page/late/file"), { recursive: true });
  await scratch.write("page/early", "mine");
  await scratch.write("page/late/file/inside", "mine");
  const early = "Cannot write page/early/file: page/early is a file; move it away";
  const late = "Cannot write page/late/file: page/late/file is a folder; move it away";
  for (const [path, message] of [["early/file", early], ["late/file", late]] as const) {
    const tree = openTree(scratch.path, "page");
    await assertRejects(() => tree.write(path, CONTENT), Error, message);
  }
  assertEquals(await scratch.read("page/late/file/inside"), "mine");
});
