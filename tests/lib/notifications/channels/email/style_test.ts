import { assert } from "@std/assert";
import { TINTS } from "../../../../../lib/notifications/channels/email/parts.ts";

Deno.test("the colours of states can be read on the cards of mails, in light and in dark", () => {
  for (const { word, light, dark } of Object.values(TINTS)) {
    assert(contrast(light, "#ffffff") >= 4.5, word);
    assert(contrast(dark, "#1e232a") >= 4.5, word);
  }
});

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** As the guidelines for accessible content define it. */
function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
