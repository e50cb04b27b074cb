import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { openTree } from "../../../lib/doors/file_tree.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { runTask } from "../../helpers/program.ts";
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
    /** Writes thousands of files, until one is not there at once: it is for the thread to write. */
    async untilBeside() {
      for (let count = 0; count < 1000; count++) await next();
      do {
        await new Promise((resolve) => setTimeout(resolve));
        await next();
      } while (isThere(join(folder, written.at(-1)!)));
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

Deno.test("what is in the way of a file is named at once where it is written at once, else later, and nothing more is written", async () => {
  await using scratch = await makeScratch();
  using opened = await openWriter(scratch.path, ["early", "late/file/inside"]);
  const { folder, writer, written, write, next, untilBeside } = opened;
  const early = "Cannot write page/early/file: page/early is a file; move it away";
  await assertRejects(() => write("early/file"), Error, early);
  await untilBeside();
  const before = written.length;
  await writer.settle();
  const late = "Cannot write page/late/file: page/late/file is a folder; move it away";
  const rest = async () => {
    await write("late/file");
    for (let count = 0; count < 20_000; count++) await next();
    await writer.settle();
  };
  await assertRejects(rest, Error, late);
  const names =
    (await Array.fromAsync({ length: 40 }, (_, index) => namesIn(join(folder, `${index}`)))).flat();
  assertEquals(names.length, before);
  assertEquals(await Deno.readTextFile(join(folder, "late", "file", "inside")), "mine");
});

Deno.test("a few files are there at once, and a writer that is given up leaves nothing running", async () => {
  await using scratch = await makeScratch();
  {
    using opened = await openWriter(scratch.path, []);
    for (const path of ["index.html", "a/b/c.html"]) {
      await opened.write(path);
      assertEquals(await Deno.readFile(join(opened.folder, path)), contentOf(path));
    }
    await opened.writer.settle();
  }
  const folder = join(scratch.path, "page");
  const count = async () => (await Array.fromAsync(Deno.readDir(join(folder, "many")))).length;
  {
    using opened = await openWriter(scratch.path, ["many/first"]);
    await opened.untilBeside();
    const content = new Uint8Array(600);
    for (let index = 0; index < 20_000; index++) {
      await opened.writer.write(`many/${index}`, content);
    }
  }
  const left = await count();
  await new Promise((resolve) => setTimeout(resolve, 300));
  // The one that was being written may be there as well.
  assert(await count() <= left + 1);
});

Deno.test("where a thread may not be begun all files are written without", async () => {
  await using scratch = await makeScratch();
  // It may read nothing of the program itself.
  const main = "tests/helpers/writing_program.ts";
  const { code, stderr } = await runTask("validate", { folder: scratch.path, main });
  assertStringIncludes(stderr, "Requires read access to");
  assertEquals(code, 0, stderr);
  assertEquals((await namesIn(join(scratch.path, "page"))).length, 3000);
});
