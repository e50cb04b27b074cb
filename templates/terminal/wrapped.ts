import { textWidth } from "../../lib/text/columns.ts";
import { graphemes } from "../../lib/text/graphemes.ts";
import { plainText } from "../../lib/text/plain_text.ts";

/**
 * A text that somebody wrote as lines of a terminal, none wider than `width` columns: its lines stay lines,
 * empty ones between them one, and nothing in it steers the terminal.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(wrapped("We look\x1b[31m into\n\n\n- the router", 10), ["We look", "[31m into", "", "- the", "  router"]);
 * ```
 */
export function wrapped(text: string, width: number): string[] {
  const lines = text.split(/\r\n?|\n/).flatMap((line) => {
    // What goes on of a list or of code stands under its begin.
    const indent = /^ {0,8}/.exec(line)![0];
    const plain = plainText(line);
    const hanging = indent + (/^(?:[-*+]|\d{1,3}[.)]) /.exec(plain)?.[0].replace(/./gs, " ") ?? "");
    return plain === "" ? [""] : linesOf(plain, { indent, hanging, width });
  });
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n").replace(/^\n+|\n+$/g, "").split("\n");
}

function linesOf(
  text: string,
  { indent, hanging, width }: { indent: string; hanging: string; width: number },
): string[] {
  const lines: string[] = [];
  const room = Math.max(2, width - hanging.length);
  let line = "";
  let used = 0;
  const end = () => {
    lines.push((lines.length === 0 ? indent : hanging) + line);
    [line, used] = ["", 0];
  };
  for (const word of text.split(" ").flatMap((word) => pieces(word, room))) {
    const columns = textWidth(word);
    const first = lines.length === 0 ? width - indent.length : room;
    if (used > 0 && used + 1 + columns > first) end();
    line += used > 0 ? ` ${word}` : word;
    used += (used > 0 ? 1 : 0) + columns;
  }
  if (used > 0) end();
  return lines;
}

/** A word in pieces that fit. */
function pieces(word: string, width: number): string[] {
  if (textWidth(word) <= width) return [word];
  const all: string[] = [];
  let [piece, used] = ["", 0];
  for (const segment of graphemes(word)) {
    const columns = textWidth(segment);
    if (used + columns > width) {
      all.push(piece);
      [piece, used] = ["", 0];
    }
    piece += segment;
    used += columns;
  }
  return [...all, piece];
}
