import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { keptFiles, textsOf } from "../helpers/kept_files.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { openTree } from "../../lib/io/file_tree.ts";
import { combineDigests, type PageFile, syncPage } from "../../lib/page/export.ts";

const PAGES: readonly PageFile[] = [
  ["style.css", "a {}"],
  ["history/shop/index.html", "Shop"],
  ["preview.png", Uint8Array.of(137, 80, 0, 255)],
];

/** Keeps files with one that tells them from others, and tells what came of it. */
function keep(scratch: Scratch, files: readonly PageFile[], dryRun = false, name = "build.json") {
  const tree = openTree(scratch.path, "export");
  const built = (others: readonly string[]): PageFile[] => [[name, combineDigests(others)]];
  return syncPage(files, { tree, dryRun, built });
}

Deno.test("a page that can't be written whole is still the one before, and nothing of that has gone", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "export");
  await keep(scratch, PAGES);
  const build = await scratch.read("export/build.json");
  const unwritable: PageFile = [`${"x".repeat(300)}.html`, "too long a name"];
  const changed = PAGES.map(([path]): PageFile => [path, "another"]);
  const texts = textsOf(await keptFiles(folder));
  // Few files are written in the end, and many beside.
  for (const count of [3, 2000]) {
    const others = Array.from({ length: count }, (_, index): PageFile => [`${count}/${index}`, ""]);
    const middle = [...others.slice(0, -1), unwritable, ...others.slice(-1), ...changed];
    await assertRejects(() => keep(scratch, middle), Error, "too long");
    await assertRejects(() => keep(scratch, others, false, unwritable[0]), Error, "too long");
    assertEquals(await scratch.read("export/build.json"), build);
    const left = new Map(textsOf(await keptFiles(folder)));
    for (const [path, text] of texts) assertEquals(left.get(path), text, path);
  }
});
