import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { PROJECT } from "./helpers/program.ts";

const STD = join(PROJECT, "lib", "std");

/** The names that a declaration file declares as values. */
function declared(text: string): string[] {
  return [...text.matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name!);
}

for await (const { name: folder } of Deno.readDir(STD)) {
  for await (const { name } of Deno.readDir(join(STD, folder))) {
    if (!name.endsWith(".ts") || name.endsWith(".d.ts")) continue;
    Deno.test(`@std/${folder} ${name} has everything that its stand-in declares`, async () => {
      const declarations = await Deno.readTextFile(join(STD, folder, name.replace(".ts", ".d.ts")));
      const names = [...new Set(declared(declarations))].sort();
      const module = await import(`../lib/std/${folder}/${name}`);
      assertEquals(Object.keys(module).sort(), names);
      for (const one of names) assertEquals(typeof module[one], "function", one);
    });
  }
}
