import { graphemes, textWidth } from "./columns.ts";
import { plainText } from "./plain_text.ts";

/** Columns below which lines are not wrapped further; a narrower terminal breaks them itself. */
export const FEWEST_COLUMNS = 60;
/** Columns by which the further lines of a wrapped line are indented. */
const HANGING = 2;
/** Columns that the last cell of a row needs for its further lines to be aligned with it. */
const CELL_ROOM = 30;
const TAB = "    ";

/**
 * Wraps a line of the terminal at `width` columns. Further lines are indented: to the last cell of a row if that
 * leaves room for words, else a little more than the first line. Marks of colors take no column.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(wrapLine("✘ Shop can't be reached: connection refused", 26), [
 *   "✘ Shop can't be reached:",
 *   "  connection refused",
 * ]);
 * ```
 */
export function wrapLine(line: string, width: number): string[] {
  const text = line.replaceAll("\t", TAB).trimEnd();
  if (textWidth(text) <= width) return [text];
  const indent = /^ */.exec(text)![0].length;
  const hanging = Math.min(indent, Math.floor(width / 2)) + HANGING;
  const [, cells = "", last = ""] = /^(.*[^ ] {2,})([^ ].*)$/.exec(text) ?? [];
  const start = textWidth(cells);
  if (start === 0) return fillLines(text, hanging, width);
  // An address that would not fit below itself may fit farther left.
  const isTooLong = (word: string) => ADDRESS.test(word) && start + textWidth(word) > width;
  if (start <= width - CELL_ROOM && !last.split(" ").some(isTooLong)) {
    return fillLines(text, start, width);
  }
  return [
    ...fillLines(cells.trimEnd(), hanging, width),
    ...fillLines(" ".repeat(hanging) + last, hanging, width),
  ];
}

/**
 * Wraps prose at `width` columns. Its lines and single empty lines stay, list items are indented, and control
 * sequences are removed.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(wrap("We look\x1b[31m into\n\n\n- the router", 10), ["We look", "[31m into", "", "- the", "  router"]);
 * ```
 */
export function wrap(text: string, width: number): string[] {
  const lines = text.split(/\r\n?|\n/).flatMap((line) => {
    const indent = /^ {0,8}/.exec(line)![0];
    const plain = plainText(line);
    const mark = /^(?:[-*+→]|\d{1,3}[.)]) /.exec(plain)?.[0] ?? "";
    return plain === "" ? [""] : fillLines(indent + plain, indent.length + mark.length, width);
  });
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "")
    .join("\n").replace(/^\n+|\n+$/g, "").split("\n");
}

/** Breaks a text at its blanks; lines after the first are indented by `hanging` columns. */
function fillLines(text: string, hanging: number, width: number): string[] {
  const room = Math.max(2, width - hanging);
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const { gap, word } of findWords(text, room)) {
    for (const [index, part] of splitWord(word, room).entries()) {
      const before = index === 0 ? gap : 0;
      const needed = textWidth(part);
      // A line without anything but its indentation takes the part, however long it is.
      if (used + before + needed > width && line.trim() !== "") {
        lines.push(line);
        line = " ".repeat(hanging) + part;
        used = hanging + needed;
      } else {
        line += " ".repeat(before) + part;
        used += before + needed;
      }
    }
  }
  return [...lines, line];
}

/** Words with the blanks in front of them; an arrow belongs to its word, and quotation marks hold words together. */
const GLUED = /( *)((?:→ )?(?:[([]?"[^"]+"[^ ]*|[^ ]+))/g;
const WORDS = /( *)([^ ]+)/g;

/** Finds what may not be broken, as far as it fits into `room` columns: quoted commands can be copied so. */
function findWords(text: string, room: number): { gap: number; word: string }[] {
  return [...text.matchAll(GLUED)].flatMap(([whole, gap = "", word = ""]) =>
    textWidth(word) <= room
      ? [{ gap: gap.length, word }]
      : [...whole.matchAll(WORDS)].map(([, before = "", one = ""]) => (
        { gap: before.length, word: one }
      ))
  );
}

/** The scheme of an address, after a bracket or quote. */
const ADDRESS = /^\P{L}*[a-z][a-z\d+.-]*:\/\//iu;

/**
 * The parts of a word that fit into `room` columns: a path is broken in front of slashes, and an address stays whole,
 * so that it can be clicked.
 */
function splitWord(word: string, room: number): string[] {
  if (textWidth(word) <= room || ADDRESS.test(word)) return [word];
  return word.split(/(?<=[^/])(?=\/)/).flatMap((part) => {
    if (textWidth(part) <= room) return [part];
    const pieces = [""];
    for (const segment of graphemes(part)) {
      if (textWidth(pieces.at(-1)! + segment) > room) pieces.push("");
      pieces[pieces.length - 1] += segment;
    }
    return pieces;
  });
}
