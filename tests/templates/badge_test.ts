import { assert, assertEquals } from "@std/assert";
import { COLORS, LABEL_COLORS, renderBadge } from "../../templates/graph/badge.ts";
import { hostileText } from "../helpers/hostile_text.ts";
import fc from "../helpers/property.ts";

/** How light a colour is, as WCAG 2.1 defines it. */
function luminance(color: string): number {
  const digits = color.slice(1).replace(/^(.)(.)(.)$/, "$1$1$2$2$3$3");
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
    .map((part) => part / 255).map((part) =>
      part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const ELEMENT =
  /<(\/?)([a-z]+)((?: [a-z-]+="[^"<>&]*(?:&(?:amp|lt|gt|quot|#39);[^"<>&]*)*")*)(\/?)>/gi;

/** The words of a picture, and nothing else may be in it. */
function wordsOf(svg: string): string {
  const open: string[] = [];
  const rest = svg.replace(ELEMENT, (_, closes, name, attributes, empty) => {
    if (closes) assertEquals(open.pop(), name);
    else if (!empty) open.push(name);
    assert(["svg", "title", "path", "g", "text"].includes(name), name);
    assert(!/ (?:on\w+|href|style|id)=/.test(attributes), attributes);
    return closes ? "\n" : "";
  });
  assertEquals(open, []);
  assert(!/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(rest), rest);
  return rest;
}

Deno.test("a badge shows label and message, and is read out as both", () => {
  const svg = renderBadge({ label: "uptime 7d", message: "99.98%", color: "brightgreen" });
  assertEquals(wordsOf(svg).split("\n").filter((line) => line !== ""), [
    "uptime 7d: 99.98%",
    "uptime 7d",
    "99.98%",
  ]);
  assert(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" '));
  assert(svg.includes('role="img" aria-label="uptime 7d: 99.98%"'));
});

Deno.test("texts of a badge can be read on their colours by anybody", () => {
  for (const [ground, text] of [...Object.values(COLORS), LABEL_COLORS]) {
    const [dark, light] = [luminance(ground), luminance(text)].sort((one, other) => one - other);
    assert((light! + 0.05) / (dark! + 0.05) >= 4.5, `${text} on ${ground}`);
  }
});

Deno.test("each text is given the room that the picture has for it", () => {
  for (const message of ["up", "100%", "12345 ms", "maintenance", "日本語", ""]) {
    const svg = renderBadge({ label: "status", message, color: "red" });
    const numbers = (name: string) =>
      [...svg.matchAll(new RegExp(` ${name}="(\\d+)"`, "g"))].map(([, number]) => Number(number));
    const [width] = numbers("width");
    const [label, own] = numbers("textLength");
    assertEquals(numbers("x"), [6, label! + 18]);
    assertEquals(width, label! + own! + 24);
  }
});

Deno.test("a badge stays a picture whatever its texts are", () => {
  const svg = renderBadge({ label: "</svg>", message: `"'><script>&\n`, color: "green" });
  assert(wordsOf(svg).includes("&lt;/svg&gt;"));
  fc.assert(
    fc.property(hostileText(), hostileText(), (label, message) => {
      const drawn = renderBadge({ label, message, color: "green" });
      wordsOf(drawn);
      // deno-lint-ignore no-control-regex
      assert(!/[\u0000-\u0009\u000b-\u001f\ufffe\uffff]|\n./.test(drawn));
    }),
  );
});
