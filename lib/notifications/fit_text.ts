import { graphemes } from "../text/columns.ts";
import type { Language } from "../text/language.ts";
import type { SiteEvent } from "./message.ts";

/** Least share of a text that a cut between words keeps. */
const SHARE = 0.6;

/** Start and end of a text that is isolated from the direction of the text around it. */
const [ISOLATE, ISOLATE_END] = ["\u2068", "\u2069"];

/**
 * Cuts a text to at most `length` UTF-16 units, between words if possible and never within a grapheme or
 * a match of `whole`, such as an entity. An isolated text stays so.
 */
export function cutText(text: string, length: number, whole?: RegExp): string {
  if (text.length <= length) return text;
  const most = length - (text.includes(ISOLATE) ? 2 : 1);
  let end = 0;
  let word = 0;
  for (const piece of pieces(text, whole)) {
    if (end + piece.length > most) break;
    if (/^\s/.test(piece)) word = end;
    end += piece.length;
  }
  if (/^\s/.test(text.slice(end))) word = end;
  if (length < 1) return "";
  const cut = text.slice(0, word >= length * SHARE ? word : end).trimEnd();
  const isOpen = cut.lastIndexOf(ISOLATE) > cut.lastIndexOf(ISOLATE_END);
  return `${cut}…${isOpen ? ISOLATE_END : ""}`;
}

/** Cuts a text as {@linkcode cutText} does, but to a length that `measure` counts, such as that in bytes. */
export function cutToMeasure(
  text: string,
  longest: number,
  measure: (text: string) => number,
): string {
  if (measure(text) <= longest) return text;
  let fitting = 0;
  let tooMany = text.length;
  while (tooMany - fitting > 1) {
    const length = Math.floor((fitting + tooMany) / 2);
    if (measure(cutText(text, length)) <= longest) fitting = length;
    else tooMany = length;
  }
  return cutText(text, fitting);
}

/**
 * Renders a whole whose parts have at most so many UTF-16 units each: `most` if the whole fits then, otherwise as
 * many as let it fit.
 */
export function cutParts<T>(
  render: (longest: number) => T,
  fits: (whole: T) => boolean,
  most: number,
): T {
  const whole = render(most);
  if (fits(whole)) return whole;
  let fitting = 0;
  let tooMany = most;
  while (tooMany - fitting > 1) {
    const longest = Math.floor((fitting + tooMany) / 2);
    if (fits(render(longest))) fitting = longest;
    else tooMany = longest;
  }
  return render(fitting);
}

function* pieces(text: string, whole?: RegExp): Generator<string> {
  let start = 0;
  for (const { 0: found, index } of whole === undefined ? [] : text.matchAll(whole)) {
    yield* graphemes(text.slice(start, index));
    yield found;
    start = index + found.length;
  }
  yield* graphemes(text.slice(start));
}

/** Finds the largest number of parts from the start that fit, at least one, and counts the others in `more`. */
export function fitParts<T>(
  all: readonly T[],
  fits: (parts: readonly T[], more?: string) => boolean,
  { say }: Pick<Language, "say">,
): { parts: T[]; more?: string } {
  if (all.length === 0 || fits(all)) return { parts: [...all] };
  const first = (count: number) => ({
    parts: all.slice(0, count),
    more: say("moreLines", { COUNT: all.length - count }),
  });
  // Bisects, because `fits` may render the whole message.
  let fitting = 1;
  let tooMany = all.length;
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2);
    const { parts, more } = first(count);
    if (fits(parts, more)) fitting = count;
    else tooMany = count;
  }
  return all.length === 1 ? { parts: [...all] } : first(fitting);
}

/** Joins as many texts as fit into `longest` UTF-16 units, with the number of those left out. */
export function joinFitting(
  texts: readonly string[],
  { separator, longest, language }: {
    separator: string;
    longest: number;
    language: Pick<Language, "say">;
  },
): string {
  const join = (some: readonly string[], more?: string) =>
    [...some, ...more === undefined ? [] : [more]].join(separator);
  const { parts, more } = fitParts(
    texts,
    (some, rest) => join(some, rest).length <= longest,
    language,
  );
  return join(parts, more);
}

const ORDER = ["down", "degraded", "up", "notice", "report", "test"] as const;

/** Sorts events by urgency; those of a kind stay in the order in which they happened. */
export function importantFirst(events: readonly SiteEvent[]): SiteEvent[] {
  return events.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}
