import { assert, assertEquals, assertThrows } from "@std/assert";
import { fitText, measureText, parseFont } from "../../../../lib/text/font.ts";
import { GRAPH_FONTS, WEIGHTS } from "../../../../templates/graph/style.ts";

const { font } = WEIGHTS.regular;

Deno.test("parseFont() reads the width of each character, and knows which are missing", () => {
  assert(font.advance(0x4d)! > font.advance(0x69)!, "M is wider than i");
  assertEquals(font.advance(0x0041), font.advance(0x0391), "A is as wide as Alpha");
  assertEquals(font.advance(0x65e5), undefined);
});

Deno.test("the bundled fonts have Latin, Greek, Cyrillic, punctuation and arrows", () => {
  for (const { bytes } of GRAPH_FONTS.files) {
    const { advance } = parseFont(bytes);
    for (const character of "Aßéłőšž ΑΩάώ ЯйїЄђ “–…” €₽ ← → 0 ế") {
      assert(advance(character.codePointAt(0)!) !== undefined, character);
    }
  }
});

Deno.test("parseFont() says which table a font lacks", () => {
  const bytes = Uint8Array.from(GRAPH_FONTS.files[0]!.bytes);
  const head = bytes.findIndex((_, at) =>
    String.fromCharCode(...bytes.subarray(at, at + 4)) === "hmtx"
  );
  bytes[head] = 0x58;
  assertThrows(() => parseFont(bytes), TypeError, 'Cannot read the font: it has no table "hmtx"');
});

Deno.test("fitText() leaves alone what fits, and cuts the rest with an ellipsis inside the width", () => {
  const room = { font, size: 18, width: 200 };
  assertEquals(fitText("Wikipedia", room), "Wikipedia");
  const cut = fitText("A name that goes on and on and on and on", room);
  assert(cut.endsWith("…"));
  const width = measureText(cut, room);
  assert(width <= 200 && width > 180, String(width));
});

Deno.test("fitText() does not cut a character in two", () => {
  const cut = fitText("👩‍👩‍👧‍👦".repeat(20), { font, size: 18, width: 300 });
  assertEquals(cut.replaceAll("👩‍👩‍👧‍👦", ""), "…");
});
