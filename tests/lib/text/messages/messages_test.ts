import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { ENGLISH, fill, partsOf } from "../../../../lib/text/messages/messages.ts";
import { PROJECT } from "../../../helpers/program.ts";
import { textsIn } from "../../../helpers/texts_in.ts";

Deno.test("no two topics have a text of the same name: one would silently take the other's place", async () => {
  const names = new Map<string, string>();
  for await (const { name } of Deno.readDir(join(PROJECT, "lib/text/messages/english"))) {
    const topic = await import(join(PROJECT, "lib/text/messages/english", name));
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
  const folders = ["templates", "lib/page", "lib/setup/readme", "commands"];
  const texts = await Promise.all(folders.map((folder) => textsIn(folder, /\.tsx?$/)));
  const code = texts.flat().join("\n");
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
