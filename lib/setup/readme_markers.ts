import type { Config } from "../config/config.ts";

/** Comments that mark places in a README: those to write first, then others that are read. */
export interface Markers {
  summary: readonly { start: string; end: string }[];
  /** Comments before the live status. */
  live: readonly string[];
}

/** A part of a text, by offsets. */
interface Span {
  from: number;
  to: number;
}

export interface Places {
  summaries: readonly Span[];
  /** Parts after a live marker, with the status of an earlier run. */
  lives: readonly (Span & { isHtml: boolean })[];
  faults: readonly string[];
}

export interface ReadmeTexts {
  /** Markdown with `\n` as the line end. */
  summary: string;
  /** The overall status: as Markdown, and as HTML for places inside HTML. */
  live: { markdown: string; html: string };
}

const OURS = { start: "<!-- monitor: summary -->", end: "<!-- /monitor: summary -->" };
const OUR_LIVE = "<!-- monitor: live status -->";
const UPPTIMES = { start: "<!--start: status pages-->", end: "<!--end: status pages-->" };
const UPPTIMES_LIVE = "<!--live status-->";

/** Default markers: ours, then Upptime's. */
export const USUAL_MARKERS: Markers = {
  summary: [OURS, UPPTIMES],
  live: [OUR_LIVE, UPPTIMES_LIVE],
};

const COMMENT = /<!--(?!-?>)((?:(?!-->)[^\n])+)-->/;

/** Code, which has no markers, or a comment. A fence ends with the text if it is not closed. */
const CODE_OR_COMMENT =
  /^[ \t>]*(`{3,}|~{3,})[^\n]*(?:\n(?![ \t>]*\1)[^\n]*)*(?:\n[^\n]*)?|`[^`\n]*`|(?<!\\)<!--(?!-?>)((?:(?!-->)[^\n])+)-->/gm;

const STATUS = / ?(?:\*\*(?:\\.|[^*\\\r\n])*\*\*|<strong>[^<\r\n]*<\/strong>)/y;

/** The markers of a configuration: its own in place of Upptime's, and always ours. */
export function toMarkers(
  { summaryStartHtmlComment: start, summaryEndHtmlComment: end, liveStatusHtmlComment, i18n }: Pick<
    Config,
    "summaryStartHtmlComment" | "summaryEndHtmlComment" | "liveStatusHtmlComment" | "i18n"
  >,
): Markers {
  const live = liveStatusHtmlComment ?? i18n["liveStatusHtmlComment"];
  return {
    summary: start === undefined && end === undefined
      ? USUAL_MARKERS.summary
      : [{ start: start ?? UPPTIMES.start, end: end ?? UPPTIMES.end }, OURS],
    live: live !== undefined && COMMENT.test(live) ? [live, OUR_LIVE] : USUAL_MARKERS.live,
  };
}

function markerName(comment: string): string {
  return COMMENT.exec(comment)?.[1]?.trim().replaceAll(/\s+/g, " ") ?? "";
}

/** Finds the places that markers outside of code make. */
export function findPlaces(text: string, markers: Markers): Places {
  const pairs = new Map(
    markers.summary.map(({ start, end }) => [markerName(start), markerName(end)]),
  );
  const ends = [...pairs.values()];
  const liveNames = markers.live.map(markerName);
  const summaries: Span[] = [];
  const lives: Places["lives"][number][] = [];
  const faults: string[] = [];
  let open: { end: string; place: string; to: number } | undefined;
  for (const match of text.matchAll(CODE_OR_COMMENT)) {
    if (match[2] === undefined) continue;
    const [comment] = match;
    const name = markerName(comment);
    const { index: from } = match;
    const to = from + comment.length;
    const place = `line ${text.slice(0, from).split("\n").length}: ${comment}`;
    const end = pairs.get(name);
    if (end !== undefined) {
      if (open !== undefined) faults.push(`${open.place} has no end`);
      open = { end, place, to };
    } else if (open?.end === name) {
      summaries.push({ from: open.to, to: from });
      open = undefined;
    } else if (ends.includes(name)) faults.push(`${place} has no start`);
    else if (open === undefined && liveNames.includes(name)) {
      STATUS.lastIndex = to;
      const [before = ""] = STATUS.exec(text) ?? [];
      lives.push({ from: to, to: to + before.length, isHtml: isInHtml(text.slice(0, to)) });
    }
  }
  if (open !== undefined) faults.push(`${open.place} has no end`);
  return { summaries, lives, faults };
}

/** True if the end of a text is read as HTML: its paragraph or its line starts with a tag or a comment. */
function isInHtml(text: string): boolean {
  const paragraph = text.split(/\n[^\S\n]*\n/).at(-1)!;
  return [paragraph, paragraph.split("\n").at(-1)!].some((one) => /^\s*<[a-z!/]/i.test(one));
}

/** True if a README has any marker, even a wrong one. */
export function hasMarkers({ summaries, lives, faults }: Places): boolean {
  return summaries.length + lives.length + faults.length > 0;
}

/**
 * Writes texts into their places and keeps everything else.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "Up: <!--live status-->\r\n<!-- monitor: summary --><!-- /monitor: summary -->";
 * const texts = { summary: "a\nb", live: { markdown: "**Yes**", html: "<b>Yes</b>" } };
 * assertEquals(
 *   fillPlaces(text, findPlaces(text, USUAL_MARKERS), texts),
 *   "Up: <!--live status--> **Yes**\r\n<!-- monitor: summary -->\r\n\r\na\r\nb\r\n\r\n<!-- /monitor: summary -->",
 * );
 * ```
 */
export function fillPlaces(
  text: string,
  { summaries, lives }: Places,
  { summary, live }: ReadmeTexts,
): string {
  const lines = withLineEnds(`\n\n${summary}\n\n`, text);
  const pieces = [
    ...summaries.map((place) => ({ ...place, content: lines })),
    ...lives.map((place) => ({
      ...place,
      content: ` ${place.isHtml ? live.html : live.markdown}`,
    })),
  ].sort((one, other) => other.from - one.from);
  return pieces.reduce(
    (filled, { from, to, content }) => filled.slice(0, from) + content + filled.slice(to),
    text,
  );
}

function withLineEnds(lines: string, text: string): string {
  return text.includes("\r\n") ? lines.replaceAll("\n", "\r\n") : lines;
}

/** The markers that a README lacks, as lines to paste. */
export function markerLines({ summary, live }: Markers, places: Partial<Places> = {}): string {
  const { summaries = [], lives = [] } = places;
  const [pair] = summary;
  return [
    ...lives.length > 0 ? [] : [`**Status:** ${live[0]}`],
    ...summaries.length > 0 ? [] : [`${pair!.start}\n${pair!.end}`],
  ].join("\n\n");
}

/** Adds missing markers: after the title and the first paragraph, or at the top if there are none. */
export function addMarkers(text: string, markers: Markers, places: Places): string {
  const lines = markerLines(markers, places);
  if (lines === "") return text;
  const [summary] = places.summaries;
  const lineStart = summary && text.lastIndexOf("\n", summary.from - 1) + 1;
  const at = findIntroductionEnd(text.slice(0, lineStart));
  const [before, after] = [text.slice(0, at), text.slice(at)];
  if (before.trim() !== "") return `${before}${withLineEnds(`\n\n${lines}`, text)}${after}`;
  return before + withLineEnds(`${lines}\n${after === "" ? "" : "\n"}`, text) + after;
}

/** The end of leading HTML, the title and one paragraph; 0 without them. */
function findIntroductionEnd(text: string): number {
  const blocks = [...text.matchAll(/(?:^[^\S\n]*\S[^\n]*(?:\n|$))+/gm)];
  let end = 0;
  const pass = (pattern: RegExp) => {
    const [block] = blocks;
    if (block === undefined || !pattern.test(block[0])) return false;
    end = block.index + block[0].trimEnd().length;
    blocks.shift();
    return true;
  };
  while (pass(/^ {0,3}<(?!!-- \/?monitor)/));
  pass(/^ {0,3}(?:#{1,6}\s|[^\n]*\n {0,3}(?:=+|-+)\s*$)/);
  pass(/^ {0,3}(?![-*+>|#]|\d+[.)]\s|`{3}|~{3}|\s)/);
  return end;
}
