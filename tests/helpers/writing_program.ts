/** A program that writes 3000 files into the folder `page` of the one that it is given, with the rights of some task. */
import { openTree } from "../../lib/io/file_tree.ts";

const root = Deno.args.find((one) => one.startsWith("--root="))!.slice("--root=".length);
const content = new TextEncoder().encode("same\n");
using writer = openTree(root, "page").writer();
for (let index = 0; index < 3000; index++) {
  await writer.write(`${index}.txt`, content);
  // Now and then time for a thread to say how it is.
  if (index % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
}
await writer.settle();
