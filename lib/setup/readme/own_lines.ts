/** What stands around a summary: whose lines these are, and that formatters of Markdown leave them alone. */
export const OWN_LINES = {
  head: [
    "<!-- Written by monitor-action: what is changed between these comments is lost. -->",
    "<!-- prettier-ignore-start -->",
    "<!-- deno-fmt-ignore-start -->",
  ],
  foot: ["<!-- deno-fmt-ignore-end -->", "<!-- prettier-ignore-end -->"],
} as const;

/** A README without what was written into it, which only takes time to read. */
export interface ShortReadme {
  text: string;
  /** Where a place of it is in the whole README. */
  offsetOf(place: number): number;
}

/**
 * Leaves out what stands between our own comments: hundreds of kilobytes where there are many sites.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const whole = `a ${OWN_LINES.head[2]}\nlong\n${OWN_LINES.foot[0]} b`;
 * const { text, offsetOf } = withoutOwnLines(whole);
 * assertEquals(text, `a ${OWN_LINES.head[2]}${OWN_LINES.foot[0]} b`);
 * assertEquals(whole[offsetOf(text.indexOf("b"))], "b");
 * ```
 */
export function withoutOwnLines(whole: string): ShortReadme {
  const [begin, end] = [OWN_LINES.head.at(-1)!, OWN_LINES.foot[0]];
  const cuts: { at: number; length: number }[] = [];
  let text = "";
  let kept = 0;
  for (let at = whole.indexOf(begin); at >= 0; at = whole.indexOf(begin, kept)) {
    const from = at + begin.length;
    const to = whole.indexOf(end, from);
    if (to < 0) break;
    text += whole.slice(kept, from);
    cuts.push({ at: text.length, length: to - from });
    kept = to;
  }
  return {
    text: text + whole.slice(kept),
    offsetOf: (place) =>
      cuts.reduce((offset, { at, length }) => place > at ? offset + length : offset, place),
  };
}
