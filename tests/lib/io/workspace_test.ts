import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { FileReader, folderWorkspace } from "../../../lib/io/workspace.ts";
import { makeScratch } from "../../helpers/scratch.ts";

Deno.test("what is in the way of a file is named, and nothing is left beside it", async () => {
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

Deno.test("files are read one after the other into the same memory, and none is missed that has another length", async () => {
  await using scratch = await makeScratch();
  const workspace = folderWorkspace(scratch.path);
  const texts = { short: "ab", empty: "", long: "0123456789".repeat(20_000), last: "z" };
  for (const [name, text] of Object.entries(texts)) await workspace.write(name, text);
  await Deno.mkdir(join(scratch.path, "folder"));
  const read: Record<string, string> = {};
  for await (const [path, content] of workspace.stream(["none", ...Object.keys(texts)])) {
    read[path] = new TextDecoder().decode(content);
  }
  assertEquals(read, texts);
  const message = "Cannot read folder: that is a folder; put a file in its place";
  for (const read of [workspace.read, workspace.readBytes]) {
    await assertRejects(() => read("folder"), Error, message);
  }
  await assertRejects(() => Array.fromAsync(workspace.stream(["folder"])), Error, message);
});

Deno.test("what is longer than it was when its length was asked for is read whole, and what is too long not at all", async () => {
  await using scratch = await makeScratch();
  const reader = new FileReader();
  // Where it lies, its length is told as 0.
  const path = "/proc/self/limits";
  assertEquals((await Deno.stat(path)).size, 0);
  assertEquals(new TextDecoder().decode(await reader.read(path)), await Deno.readTextFile(path));
  await scratch.write("file", "12345");
  const file = join(scratch.path, "file");
  assertEquals(await reader.read(file, 4), undefined);
  assertEquals(await reader.read(file, 5), new TextEncoder().encode("12345"));
});

Deno.test("a file where a folder is looked for holds nothing", async () => {
  await using scratch = await makeScratch();
  const workspace = folderWorkspace(scratch.path);
  await workspace.write("graphs", "mine");
  assertEquals(await workspace.readAll("graphs", () => true), new Map());
  assertEquals([await workspace.list("graphs"), await workspace.read("graphs/day.png")], [
    [],
    undefined,
  ]);
});
