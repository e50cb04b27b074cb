import { markdownPieces } from "../../text/gfm.ts";
import { byteText } from "./bytes_text.ts";
import { markerName, type Markers } from "./markers.ts";
import { withoutOwnLines } from "./own_lines.ts";

/** Where a summary belongs: between two comments. */
export interface SummaryPlace {
  from: number;
  to: number;
}

/** Where a live status belongs: behind a comment, in place of what stands there from an earlier run. */
export interface LivePlace {
  from: number;
  to: number;
  /** Whether the line is read as HTML, so that markup of Markdown means nothing there. */
  isHtml: boolean;
}

/** Where a README has room for what is to be told. */
export interface Places {
  summaries: readonly SummaryPlace[];
  lives: readonly LivePlace[];
  /** What is wrong with its markers, each with the line. */
  faults: readonly string[];
}

/** A comment in a README, by what it says. */
interface Comment {
  name: string;
  text: string;
  from: number;
  to: number;
  isHtml: boolean;
}

/** What stood behind a live marker until now. */
const STATUS = / ?(?:\*\*(?:\\.|[^*\\\r\n])*\*\*|<strong>[^<\r\n]*<\/strong>)/y;

/** The three bytes that some editors begin a file with. */
export const BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

/**
 * The places that a README's markers make, given its bytes as a text. Markers in code, where a README
 * tells of them, are none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { USUAL_MARKERS } from "./markers.ts";
 * const text = "`<!-- monitor: summary -->`\n\n<!--start: status pages-->\nold\n<!--end: status pages-->\n";
 * const { summaries, faults } = findPlaces(text, USUAL_MARKERS);
 * assertEquals(summaries.map(({ from, to }) => text.slice(from, to)), ["\nold\n"]);
 * assertEquals(faults, []);
 * ```
 */
export function findPlaces(text: string, markers: Markers): Places {
  const names = (comments: readonly string[]) =>
    comments.map((comment) => byteText(markerName(comment) ?? ""));
  const starts = names(markers.summary.map(({ start }) => start));
  const ends = names(markers.summary.map(({ end }) => end));
  const lives = new Set(names(markers.live));
  const summaries: SummaryPlace[] = [];
  const faults: string[] = [];
  const found: LivePlace[] = [];
  let open: Comment | undefined;
  for (const comment of commentsIn(text)) {
    const { name, from, to } = comment;
    if (starts.includes(name)) {
      if (open !== undefined) {
        faults.push(`${at(open, text)} has no end before ${at(comment, text)}`);
      }
      open = comment;
    } else if (ends.includes(name)) {
      if (open === undefined) faults.push(`${at(comment, text)} ends nothing`);
      else if (starts.some((start, index) => start === open?.name && ends[index] === name)) {
        summaries.push({ from: open.to, to: from });
      } else faults.push(`${at(open, text)} is not what ${at(comment, text)} ends`);
      open = undefined;
    } else if (open === undefined && lives.has(name)) {
      STATUS.lastIndex = to;
      const [before = ""] = STATUS.exec(text) ?? [];
      found.push({ from: to, to: to + before.length, isHtml: comment.isHtml });
    }
  }
  if (open !== undefined) faults.push(`${at(open, text)} has no end`);
  return { summaries, lives: found, faults };
}

/** Every comment on one line that is one to GitHub too. */
function commentsIn(text: string): Comment[] {
  const skipped = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const short = withoutOwnLines(text.slice(skipped));
  const pieces = markdownPieces(short.text)
    .filter(({ type }) => type === "htmlFlow" || type === "htmlText");
  return pieces.flatMap(({ type, from, to }) =>
    [...short.text.slice(from, to).matchAll(/<!--[\s\S]*?-->/g)].map((match) => {
      const [comment] = match;
      const start = skipped + short.offsetOf(from + match.index);
      return {
        name: markerName(comment) ?? "",
        text: comment,
        from: start,
        to: start + comment.length,
        isHtml: type === "htmlFlow",
      };
    })
  );
}

function at({ text: marker, from }: Comment, text: string): string {
  return `line ${lineOf(text, from)}: ${marker}`;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
