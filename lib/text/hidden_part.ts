export interface Line {
  /** From 1, in the whole text. */
  number: number;
  text: string;
}

interface HiddenPart {
  /** Number of its first line. */
  line: number;
  lines: Line[];
  /** False if the comment is not closed; browsers then extend it to the end of the text. */
  isEnded: boolean;
}

/**
 * A Markdown text apart: its first HTML comment, and what GitHub shows of the rest, without any
 * comment, with line ends of one kind, and without halves of characters, which no file can hold.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { hidden, shown } = takeApart("<!--\nstart: now\n-->\r\nWe move.<!-- Soon -->");
 * assertEquals(hidden?.lines.at(1), { number: 2, text: "start: now" });
 * assertEquals(shown, "We move.");
 * assertEquals(takeApart("We type `<!--` first").shown, "We type `<!--` first");
 * assertEquals(takeApart("Soon.\n<!-- nothing ends this").shown, "Soon.");
 * ```
 */
export function takeApart(text: string): { hidden?: HiddenPart; shown: string } {
  const body = text.toWellFormed().replaceAll(/\r\n?/g, "\n");
  const shown: string[] = [];
  let hidden: HiddenPart | undefined;
  let at = 0;
  while (true) {
    const start = body.indexOf("<!--", at);
    if (start === -1) break;
    // `<!-->` is a whole comment (html.spec.whatwg.org, "abrupt closing of empty comment").
    const end = body.indexOf("-->", start + 2);
    hidden ??= hiddenPart(body, start, end);
    if (end === -1) break;
    shown.push(body.slice(at, start));
    at = end + 3;
  }
  // An unclosed comment hides the rest only if it starts a line.
  const [rest = ""] = body.slice(at).split(/^ {0,3}<!--/m, 1);
  return { hidden, shown: (shown.join("") + rest).trim() };
}

function hiddenPart(body: string, start: number, end: number): HiddenPart {
  const isEnded = end !== -1;
  const line = body.slice(0, start).split("\n").length;
  const inner = isEnded ? body.slice(start + 4, end) : body.slice(start + 4);
  const lines = inner.split("\n").map((one, index) => ({ number: line + index, text: one }));
  return { line, lines, isEnded };
}
