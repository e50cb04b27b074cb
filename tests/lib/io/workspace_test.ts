import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
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

Deno.test("a writer names the obstacle to a file, and writes no further files", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "page/late/file"), { recursive: true });
  await scratch.write("page/early", "mine");
  await scratch.write("page/late/file/inside", "mine");
  const early = "Cannot write page/early/file: page/early is a file; move it away";
  const late = "Cannot write page/late/file: page/late/file is a folder; move it away";
  for (const [path, message] of [["early/file", early], ["late/file", late]] as const) {
    const tree = openTree(scratch.path, "page");
    const all = async () => {
      await tree.write(path, CONTENT);
      for (let index = 0; index < 500; index++) await tree.write(`after/${index}`, CONTENT);
      await tree.settle();
    };
    await assertRejects(all, Error, message);
    await assertRejects(() => tree.settle(), Error, message);
    assert((await namesIn(join(scratch.path, "page/after"))).length < 200);
  }
  assertEquals(await scratch.read("page/late/file/inside"), "mine");
});
