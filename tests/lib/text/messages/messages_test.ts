import { assert, assertEquals } from "@std/assert";
import { ENGLISH } from "../../../../lib/text/english.ts";
import { createLanguage } from "../../../../lib/text/language.ts";
import { fillMessage, mergeMessages, parseMessage } from "../../../../lib/text/messages.ts";
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

Deno.test("Chinese and Japanese letters have no blank between them, and Latin ones do", () => {
  for (const code of ["ja", "zh-Hans"]) {
    const { say, sayParts } = createLanguage(code, mergeMessages({ isDown: "今 $NAME が停止" }));
    const texts = ["店", "Shop", "店 A", "A店"].map((NAME) => say("isDown", { NAME }));
    assertEquals(texts, ["今店が停止", "今 Shop が停止", "今店 A が停止", "今 A店が停止"]);
    assertEquals(sayParts("isDown", { NAME: ["店"] }), ["今 ", ["店"], " が停止"]);
  }
});
