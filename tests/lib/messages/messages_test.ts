import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { ENGLISH, fill, partsOf } from "../../../lib/messages/messages.ts";
import { PROJECT } from "../../helpers/program.ts";

async function textsOf(...folders: string[]): Promise<string> {
  const texts: string[] = [];
  for (const folder of folders) {
    for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
      const path = `${folder}/${name}`;
      if (isDirectory) texts.push(await textsOf(path));
      else if (/\.tsx?$/.test(name)) texts.push(await Deno.readTextFile(join(PROJECT, path)));
    }
  }
  return texts.join("\n");
}

Deno.test("no two topics have a text of the same name: one would silently take the other's place", async () => {
  const names = new Map<string, string>();
  for await (const { name } of Deno.readDir(join(PROJECT, "lib/messages/english"))) {
    const topic = await import(join(PROJECT, "lib/messages/english", name));
    for (const words of Object.values(topic)) {
      for (const key of Object.keys(words as Record<string, string>)) {
        assertEquals(names.get(key), undefined, `${key} in ${name}`);
        names.set(key, name);
      }
    }
  }
  assertEquals(names.size, Object.keys(ENGLISH).length);
});

Deno.test("every text is used", async () => {
  const code = await textsOf("templates", "lib/page", "commands");
  const unused = Object.keys(ENGLISH).filter((key) => !new RegExp(`\\b${key}\\b`).test(code));
  assertEquals(unused, []);
});

Deno.test("what is put into a text is taken as it is, and names without a value stay", () => {
  assertEquals(fill("$A and $B", { A: "$B", B: "$&" }), "$B and $&");
  assertEquals(fill("$A and $OTHER", { A: "1" }), "1 and $OTHER");
  const parts = partsOf(ENGLISH.dayDown).map((part) =>
    "text" in part ? part.text : `$${part.name}`
  );
  assert(parts.length > 3);
  assertEquals(parts.join(""), ENGLISH.dayDown);
});
