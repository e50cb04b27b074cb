import { assertEquals } from "@std/assert";
import { micromark } from "micromark";
import { loadTexts } from "../../../../lib/text/languages.ts";
import { LANGUAGE_CODES } from "../../../../lib/text/languages/mod.ts";

Deno.test("bold words of texts are bold next to any value, also between letters without blanks", async () => {
  for (const code of LANGUAGE_CODES) {
    const texts = Object.values(await loadTexts(code)).filter((text) => text.includes("**"));
    const broken = ["A", "株", "(1)", "\u2068A\u2069"].flatMap((value) =>
      micromark(texts.map((text) => text.replaceAll(/\$[A-Z]+/g, value)).join("\n\n"))
        .split("\n").filter((line) => line.includes("**"))
    );
    assertEquals(broken, [], code);
  }
});
