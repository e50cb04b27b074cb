import { assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { openTree } from "../../../lib/doors/file_tree.ts";
import { makeScratch } from "../../helpers/scratch.ts";

/** What the file of a path holds here; each is of another length. */
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

Deno.test("thousands of new files are written whole, also where that goes on beside, and those are told that can't be", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "page");
  // Whatever is written first, a file is in the way of one of these, and a folder of the other.
  await Deno.mkdir(join(folder, "late", "folder"), { recursive: true });
  await Deno.writeTextFile(join(folder, "early"), "mine");
  await Deno.writeTextFile(join(folder, "late", "file"), "mine");
  using writer = openTree(scratch.path, "page").writer();
  const written: string[] = [];
  const write = (path: string) => {
    const content = contentOf(path);
    writer.write(path, content);
    // Whoever makes the next may do it in the same memory.
    content.fill(0);
    written.push(path);
  };
  write("early/file");
  const next = () => `${written.length % 40}/ünï ${written.length}.json`;
  // A file that is not there at once is one that the thread has to write.
  do {
    await new Promise((resolve) => setTimeout(resolve));
    write(next());
  } while (isThere(join(folder, written.at(-1)!)));
  write("late/file");
  write("late/folder");
  const large = "x".repeat(300_000);
  writer.write("large.html", new TextEncoder().encode(large));
  for (let count = 0; count < 2000; count++) write(next());
  const refused = ["early/file", "late/file", "late/folder"];
  const told = await writer.end();
  assertEquals(told, refused.map((path) => [path, contentOf(path)] as const));
  assertEquals(await Deno.readTextFile(join(folder, "large.html")), large);
  for (const path of written.filter((one) => !refused.includes(one))) {
    assertEquals(await Deno.readFile(join(folder, path)), contentOf(path), dirname(path));
  }
  assertEquals(await Deno.readTextFile(join(folder, "early")), "mine");
  assertEquals(await Deno.readTextFile(join(folder, "late", "file")), "mine");
});

Deno.test("a few files are there at once, and a writer that is given up leaves nothing running", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "page");
  {
    using writer = openTree(scratch.path, "page").writer();
    for (const path of ["index.html", "a/b/c.html"]) {
      writer.write(path, contentOf(path));
      assertEquals(await Deno.readFile(join(folder, path)), contentOf(path));
    }
    assertEquals(await writer.end(), []);
  }
  using writer = openTree(scratch.path, "other").writer();
  for (let count = 0; count < 1500; count++) writer.write(`${count}`, contentOf(`${count}`));
});
