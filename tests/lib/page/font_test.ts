import { assertEquals } from "@std/assert";
import { isVariableFont } from "../../../lib/page/font.ts";

/** A font of the given kind with the list of its tables alone. */
function font(kind: "wOF2" | "wOFF", count: number, tables: readonly number[]): Uint8Array {
  const head = new Uint8Array(kind === "wOF2" ? 48 : 44);
  head.set(new TextEncoder().encode(kind));
  head[13] = count;
  return Uint8Array.from([...head, ...tables]);
}

function named(tag: string): number[] {
  return [...new TextEncoder().encode(tag), ...Array(16).fill(0)];
}

Deno.test("a WOFF font with a table of its axes is variable", () => {
  assertEquals(isVariableFont(font("wOFF", 2, [...named("cmap"), ...named("fvar")])), true);
  assertEquals(isVariableFont(font("wOFF", 1, [...named("cmap"), ...named("fvar")])), false);
});

Deno.test("a WOFF 2 font with a table of its axes is variable, whatever tables precede it", () => {
  const long = [0x81, 0x80, 0x01];
  // Tables by number, with a length each; outlines have two, unless they are not transformed.
  const [cmap, glyf, loca, plainGlyf] = [[0, 5], [10, ...long, 7], [11, 9, 0], [10 | 3 << 6, 8]];
  const other = [63, ...new TextEncoder().encode("HVAR"), ...long];
  const fvar = [47, 12];
  const isVariable = (...tables: number[][]) =>
    isVariableFont(font("wOF2", tables.length, tables.flat()));
  assertEquals(isVariable(cmap, glyf, loca, other, fvar), true);
  assertEquals(isVariable(cmap, plainGlyf, fvar), true);
  assertEquals(isVariable(cmap, glyf, loca, other), false);
});

Deno.test("a file that ends early, or is no font, is not variable", () => {
  assertEquals(isVariableFont(font("wOF2", 200, [])), false);
  assertEquals(isVariableFont(new TextEncoder().encode("<svg></svg>")), false);
});
