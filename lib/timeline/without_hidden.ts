const BEGIN = "<!--";
const END = "-->";

/**
 * What the platform shows of a Markdown text: without comments of HTML, with line ends of one kind, and
 * without halves of characters, which no file can hold.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutHidden("<!-- start: now -->\r\nWe move.\r\n\r\nSoon.\r\n"), "We move.\n\nSoon.");
 * assertEquals(withoutHidden("We type `<!--` first"), "We type `<!--` first");
 * assertEquals(withoutHidden("Soon.\n<!-- nothing ends this"), "Soon.");
 * ```
 */
export function withoutHidden(text: string): string {
  let rest = text.toWellFormed().replace(/\r\n?/g, "\n");
  let shown = "";
  for (let begin = rest.indexOf(BEGIN); begin !== -1; begin = rest.indexOf(BEGIN)) {
    const end = rest.indexOf(END, begin + BEGIN.length);
    if (end === -1) {
      // One that nothing ends hides the rest, but only where a line begins with it.
      const open = /^ {0,3}<!--/m.exec(rest);
      rest = open === null ? rest : rest.slice(0, open.index);
      break;
    }
    shown += rest.slice(0, begin);
    rest = rest.slice(end + END.length);
  }
  return (shown + rest).trim();
}
