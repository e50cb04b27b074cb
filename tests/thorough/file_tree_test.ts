import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { makeScratch } from "../helpers/scratch.ts";
import { openTree } from "../../lib/io/file_tree.ts";

const CONTENT = new TextEncoder().encode("same\n");

Deno.test("a writer writes hundreds of new files, also in place of one that is there by then", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "page/3"), { recursive: true });
  await scratch.write("page/3/late.txt", "mine");
  const tree = openTree(scratch.path, "page");
  const paths = Array.from({ length: 300 }, (_, index) => `${index % 7}/ünï ${index}/a.json`);
  for (const path of [...paths, "3/late.txt"]) await tree.write(path, CONTENT);
  await tree.settle();
  for (const path of [...paths, "3/late.txt"]) {
    assertEquals(await scratch.read(`page/${path}`), "same\n");
  }
});
