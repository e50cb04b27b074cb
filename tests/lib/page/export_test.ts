import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { openTree } from "../../../lib/io/file_tree.ts";
import { combineDigests, type PageFile, syncPage } from "../../../lib/page/export.ts";
import { keptFiles, textsOf } from "../../helpers/kept_files.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { makeScratch, type Scratch } from "../../helpers/scratch.ts";

const PAGES: readonly PageFile[] = [
  ["style.css", "a {}"],
  ["history/shop/index.html", "Shop"],
  ["preview.png", Uint8Array.of(137, 80, 0, 255)],
];

/** Exports files with a build file, and returns the result. */
function keep(scratch: Scratch, files: readonly PageFile[], name = "build.json") {
  const tree = openTree(scratch.path, "export");
  const built = (others: readonly string[]): PageFile[] => [[name, combineDigests(others)]];
  return syncPage(files, { tree, built });
}

Deno.test("unchanged files are not rewritten, and changed ones are written together with build.json", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "export");
  const first = await keep(scratch, PAGES);
  assertEquals([first.files, first.pages, first.written.size, first.removed], [4, 1, 4, []]);
  const written = await keptFiles(folder);
  await Deno.utime(join(folder, "style.css"), 1, 1);
  const again = await keep(scratch, PAGES);
  assertEquals([again.files, again.written.size, again.removed], [4, 0, []]);
  const same = await keptFiles(folder);
  assertEquals(same.get("style.css")!.written, 1000);
  assertEquals(same.get("build.json"), written.get("build.json"));
  assertEquals(same.get("preview.png"), written.get("preview.png"));

  const other = await keep(scratch, [["style.css", "b {}"], ...PAGES.slice(1)]);
  assertEquals([...other.written.keys()], ["style.css", "build.json"]);
  const last = await keptFiles(folder);
  assertNotEquals(last.get("build.json")!.text, same.get("build.json")!.text);
  assertEquals(last.get("history/shop/index.html"), written.get("history/shop/index.html"));
});

Deno.test("obsolete files of a page are removed with empty folders, and a link without its target", async () => {
  await using scratch = await makeScratch();
  await keep(scratch, PAGES);
  await scratch.write("kept.txt", "mine");
  await Deno.mkdir(join(scratch.path, "elsewhere"));
  await scratch.write("elsewhere/kept.txt", "mine too");
  const folder = join(scratch.path, "export");
  await Deno.symlink("../kept.txt", join(folder, "link.txt"));
  await Deno.symlink("../elsewhere", join(folder, "incident"));
  await Deno.mkdir(join(folder, "empty", "within"), { recursive: true });
  await Deno.mkdir(join(folder, ".git"));
  await scratch.write("export/.git/HEAD", "ref: refs/heads/gh-pages");
  const kept = await keep(scratch, [PAGES[0]!, ["incident/1/index.html", "One"]]);
  const gone = ["history/shop/index.html", "incident", "link.txt", "preview.png"];
  assertEquals(kept.removed, gone);
  assertEquals(textsOf(await keptFiles(folder)).map(([path]) => path), [
    ".git/HEAD",
    "build.json",
    "incident/1/index.html",
    "style.css",
  ]);
  assertEquals(await namesIn(folder), [".git", "build.json", "incident", "style.css"]);
  assertEquals(
    [await scratch.read("kept.txt"), await scratch.read("elsewhere/kept.txt")],
    ["mine", "mine too"],
  );
});

Deno.test("files of an older page are replaced, and a foreign folder is reported as an obstacle", async () => {
  await using scratch = await makeScratch();
  await keep(scratch, [["a", "file"], ["b/c/d", "folder"]]);
  await keep(scratch, [["a/b", "folder"], ["b/c", "file"]]);
  const texts = textsOf(await keptFiles(join(scratch.path, "export")));
  assertEquals(texts.slice(0, 2), [["a/b", "folder"], ["b/c", "file"]]);
  await Deno.remove(join(scratch.path, "export"), { recursive: true });
  await scratch.write("export", "a file");
  await assertRejects(() => keep(scratch, PAGES), Error, "export is a file; move it away");
});

Deno.test("no path escapes the folder of the page", async () => {
  await using scratch = await makeScratch();
  for (
    const path of [
      "../x",
      "a/../../x",
      "/x",
      "a//b",
      "./x",
      "",
      "a\\b",
      "a\0b",
      "incident/../index.html",
    ]
  ) {
    await assertRejects(() => keep(scratch, [[path, ""]]), Error, "that is no path in the page");
  }
  assertEquals(await namesIn(scratch.path), []);
});

Deno.test("if a page can't be written completely, the previous one stays complete", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "export");
  await keep(scratch, PAGES);
  const build = await scratch.read("export/build.json");
  const unwritable: PageFile = [`${"x".repeat(300)}.html`, "too long a name"];
  const changed = PAGES.map(([path]): PageFile => [path, "another"]);
  const texts = textsOf(await keptFiles(folder));
  // Few files are written in the end, and many next to them.
  for (const count of [3, 200]) {
    const others = Array.from({ length: count }, (_, index): PageFile => [`${count}/${index}`, ""]);
    const middle = [...others.slice(0, -1), unwritable, ...others.slice(-1), ...changed];
    await assertRejects(() => keep(scratch, middle), Error, "too long");
    await assertRejects(() => keep(scratch, others, unwritable[0]), Error, "too long");
    assertEquals(await scratch.read("export/build.json"), build);
    const left = new Map(textsOf(await keptFiles(folder)));
    for (const [path, text] of texts) assertEquals(left.get(path), text, path);
  }
});
