import { assert, assertEquals } from "@std/assert";
import { ENGLISH } from "../../../../lib/text/english.ts";
import { fillMessage, parseMessage } from "../../../../lib/text/messages.ts";
import { textsIn } from "../../../helpers/texts_in.ts";

Deno.test("every text is used", async () => {
  const folders = [
    "evaluation",
    "incidents",
    "notifications",
    "page",
    "pipeline",
    "setup",
    "statistics",
  ];
  const texts = await Promise.all(
    [...folders.map((folder) => `lib/${folder}`), "templates", "commands"]
      .map((folder) => textsIn(folder, /\.tsx?$/)),
  );
  texts.push(await textsIn("lib/text", /language\.ts$/));
  const code = texts.flat().join("\n");
  const keys = new Set(
    Object.keys(ENGLISH).map((key) => key.split(".")[0]!),
  );
  const unused = [...keys].filter((key) => !new RegExp(`\\b${key}\\b`).test(code));
  assertEquals(unused, []);
});

Deno.test("inserted values are not expanded again, and placeholders without a value stay", () => {
  assertEquals(fillMessage("$A and $B", { A: "$B", B: "$&" }), "$B and $&");
  assertEquals(fillMessage("$A and $OTHER", { A: "1" }), "1 and $OTHER");
  const parts = parseMessage(ENGLISH.dayDown).map((part) =>
    "text" in part ? part.text : `$${part.name}`
  );
  assert(parts.length > 3);
  assertEquals(parts.join(""), ENGLISH.dayDown);
});
