import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { openTree } from "../../../lib/io/file_tree.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { runProcess } from "../../helpers/program.ts";
import { makeScratch } from "../../helpers/scratch.ts";

/** What the file of a path holds here; many are of another length. */
function contentOf(path: string): Uint8Array {
  return new TextEncoder().encode(`${path}\n`.repeat(1 + path.length % 7));
}

/** Whether there is a file of a path. */
function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A writer of the folder `page` of another one that holds files, and what is written with it. */
async function openWriter(root: string, files: readonly string[]) {
  const folder = join(root, "page");
  for (const path of files) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, path), "mine");
  }
  const writer = openTree(root, "page").writer();
  const written: string[] = [];
  const write = async (path: string) => {
    const content = contentOf(path);
    await writer.write(path, content);
    // Whoever makes the next may do it in the same memory.
    content.fill(0);
    written.push(path);
  };
  const next = () => write(`${written.length % 40}/ünï ${written.length}.json`);
  return {
    ...{ folder, writer, written, write, next },
    /** Writes thousands of files, until the first is there: it is for the thread to write. */
    async untilBeside() {
      for (let count = 0; count < 1000; count++) await next();
      while (!isThere(join(folder, written[0]!))) {
        await new Promise((resolve) => setTimeout(resolve));
        for (let count = 0; count < 100; count++) await next();
      }
    },
    [Symbol.dispose]: () => writer[Symbol.dispose](),
  };
}

Deno.test("thousands of new files are written whole, also beside, and in place of those that turn up meanwhile", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, ["late/file"]);
  const { folder, writer, written, write, next, untilBeside } = opened;
  await untilBeside();
  await write("late/file");
  const large = "x".repeat(300_000);
  await writer.write("large.html", new TextEncoder().encode(large));
  for (let count = 0; count < 1000; count++) await next();
  await writer.settle();
  for (let count = 0; count < 10; count++) await next();
  await writer.settle();
  assertEquals(await Deno.readTextFile(join(folder, "large.html")), large);
  for (const path of written) {
    assertEquals(await Deno.readFile(join(folder, path)), contentOf(path), path);
  }
});

Deno.test("what is in the way of one of few files is named in the end, and none after it is written", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, ["early"]);
  const { folder, writer, written, write, next } = opened;
  await next();
  await write("early/file");
  await next();
  const early = "Cannot write page/early/file: page/early is a file; move it away";
  await assertRejects(() => writer.settle(), Error, early);
  assertEquals(written.map((path) => isThere(join(folder, path))), [true, false, false]);
});

Deno.test("what is in the way of a file that is written beside is named later, and none after it is written", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, ["late/file/inside"]);
  const { folder, writer, written, write, next, untilBeside } = opened;
  await untilBeside();
  await writer.settle();
  const before = written.length;
  const late = "Cannot write page/late/file: page/late/file is a folder; move it away";
  const rest = async () => {
    await write("late/file");
    for (let count = 0; count < 20_000; count++) {
      await next();
      if (count % 1000 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await assertRejects(rest, Error, late);
  assertEquals(written.slice(before).filter((path) => isThere(join(folder, path))), []);
  assertEquals(await Deno.readTextFile(join(folder, "late", "file", "inside")), "mine");
});

Deno.test("few files are written in the end, but no more than 16 MB wait for it", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, []);
  const { folder, writer } = opened;
  const paths = Array.from({ length: 66 }, (_, index) => `${index % 2}/${index}.html`);
  const content = (path: string) => new TextEncoder().encode(path.padEnd(1 << 18));
  for (const path of paths) await writer.write(path, content(path));
  const there = paths.filter((path) => isThere(join(folder, path)));
  assertEquals(there, paths.slice(0, -1));
  await writer.settle();
  for (const path of paths) assertEquals(await Deno.readFile(join(folder, path)), content(path));
});

Deno.test("large files do not wait, and none of them is written before those that came earlier", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, ["early"]);
  const { folder, writer, write, next } = opened;
  const large = new Uint8Array(300_000);
  await next();
  await writer.write("film", large);
  assertEquals(await Deno.readFile(join(folder, "film")), large);
  await write("early/file");
  await assertRejects(() => writer.write("other", large), Error, "page/early is a file");
  assert(!isThere(join(folder, "other")));
});

Deno.test("where the thread is far behind, none is written before one that can't be", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, []);
  const { folder, writer, untilBeside } = opened;
  await untilBeside();
  const content = new Uint8Array(200_000);
  const rest = async () => {
    for (let count = 0; count < 40; count++) await writer.write(`before/${count}`, content);
    await writer.write("x".repeat(300), content);
    for (let count = 0; count < 400; count++) await writer.write(`after/${count}`, content);
    await writer.settle();
  };
  await assertRejects(rest, Error, "too long");
  assertEquals((await namesIn(join(folder, "before"))).length, 40);
  assert(!isThere(join(folder, "after", "0")) && !isThere(join(folder, "after", "399")));
});

Deno.test("a thread that begins late is told of what is held by then", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, []);
  const { folder, writer } = opened;
  const content = new Uint8Array(17_000);
  let count = 0;
  const next = () => writer.write(`${++count}`, content);
  while (count < 1100) await next();
  const before = count;
  // Enough for another batch each time.
  while (!isThere(join(folder, `${before}`))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    for (let more = 0; more < 16; more++) await next();
    assert(count < 20_000);
  }
  assert(!isThere(join(folder, `${count}`)));
  await writer.settle();
  assertEquals((await namesIn(folder)).length, count);
});

Deno.test("a writer that is given up leaves nothing running", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "page", "many");
  {
    using opened = await openWriter(scratch.path, ["many/first"]);
    await opened.untilBeside();
    const content = new Uint8Array(600);
    for (let index = 0; index < 20_000; index++) {
      await opened.writer.write(`many/${index}`, content);
    }
  }
  const left = (await namesIn(folder)).length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  // The one that was being written may be there as well.
  assert((await namesIn(folder)).length <= left + 1);
});

Deno.test("where a thread may not be begun all files are written without", async () => {
  await using scratch = await makeScratch();
  // It may read nothing of the program itself.
  const main = "tests/helpers/writing_program.ts";
  const { code, stderr } = await runProcess("validate", { folder: scratch.path, main });
  assertStringIncludes(stderr, "Requires read access to");
  assertEquals(code, 0, stderr);
  assertEquals((await namesIn(join(scratch.path, "page"))).length, 3000);
});
