import { assertEquals } from "@std/assert";
import { column, fit, textWidth } from "../../../lib/text/columns.ts";

Deno.test("the width of a text is that in a terminal: joined characters count once, wide ones twice", () => {
  const cases = {
    "shop": 4,
    "": 0,
    "é": 1,
    "e\u0301": 1,
    "日本": 4,
    "𠀀𠮷": 4,
    "\u{30000}": 2,
    "🚀": 2,
    "👨‍👩‍👧": 2,
    "مرحبا": 5,
    "\u0301": 0,
    "über – ✔ → …": 12,
    "Do\u00adnau": 5,
    "✘\ufe0f": 2,
  };
  for (const [text, width] of Object.entries(cases)) assertEquals(textWidth(text), width, text);
});

Deno.test("a column is as wide as asked for, whatever is in it", () => {
  for (const text of ["", "shop", "日本語のサイト", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "a".repeat(50)]) {
    for (let width = 1; width < 20; width++) {
      assertEquals(textWidth(column(text, width)), width, text);
    }
  }
});

Deno.test("a text fits into any terminal, also one without columns", () => {
  assertEquals([fit("shop", 10), fit("shop", 4), fit("shop", 3)], ["shop", "shop", "sh…"]);
  assertEquals([fit("shop", 1), fit("shop", 0), fit("shop", -3)], ["…", "", ""]);
});
