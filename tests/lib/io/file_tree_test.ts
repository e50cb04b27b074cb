import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { namesIn } from "../../helpers/names_in.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { openTree } from "../../../lib/io/file_tree.ts";

const CONTENT = new TextEncoder().encode("same\n");

Deno.test("a writer names what is in the way of a file, and starts no more after it", async () => {
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
