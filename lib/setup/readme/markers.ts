import type { Config } from "../../config/config.ts";
import { ENGLISH } from "../../text/english.ts";

/** The comments between which a summary stands. */
export interface SummaryMarkers {
  start: string;
  end: string;
}

/** Comments by which a README says where something is to stand: those to write first, then others that are read. */
export interface Markers {
  summary: readonly SummaryMarkers[];
  /** What comes before the live status. */
  live: readonly string[];
}

const OURS: SummaryMarkers = {
  start: "<!-- monitor: summary -->",
  end: "<!-- /monitor: summary -->",
};
const OUR_LIVE = "<!-- monitor: live status -->";

const UPPTIMES: SummaryMarkers = {
  start: "<!--start: status pages-->",
  end: "<!--end: status pages-->",
};

/** The markers that count where nothing is configured, ours first. */
export const USUAL_MARKERS: Markers = {
  summary: [OURS, UPPTIMES],
  live: [OUR_LIVE, ENGLISH.liveStatusHtmlComment],
};

/**
 * The markers that a configuration makes: its own, in place of Upptime's as there, and ours.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(markersOf({ i18n: {} }).live, ["<!-- monitor: live status -->", "<!--live status-->"]);
 * const { summary } = markersOf({ i18n: {}, summaryStartHtmlComment: "<!--sites-->" });
 * assertEquals(summary[0], { start: "<!--sites-->", end: "<!--end: status pages-->" });
 * ```
 */
export function markersOf(
  { summaryStartHtmlComment: start, summaryEndHtmlComment: end, liveStatusHtmlComment, i18n }: Pick<
    Config,
    "summaryStartHtmlComment" | "summaryEndHtmlComment" | "liveStatusHtmlComment" | "i18n"
  >,
): Markers {
  const live = liveStatusHtmlComment ?? i18n["liveStatusHtmlComment"];
  const isComment = live !== undefined && markerName(live) !== undefined;
  return {
    summary: start === undefined && end === undefined
      ? USUAL_MARKERS.summary
      : [{ start: start ?? UPPTIMES.start, end: end ?? UPPTIMES.end }, OURS],
    live: isComment ? [live, OUR_LIVE] : USUAL_MARKERS.live,
  };
}

/** A comment of HTML on one line. */
export const MARKER = /^<!--(?!-?>)((?:(?!-->)[^\r\n])+)-->$/;

/** What a comment says, whatever spaces are in it; `undefined` where it is none. */
export function markerName(comment: string): string | undefined {
  return MARKER.exec(comment.trim())?.[1]?.trim().replace(/\s+/g, " ");
}
