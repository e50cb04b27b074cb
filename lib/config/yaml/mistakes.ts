import * as v from "valibot";
import { KNOWN_TOP_KEYS } from "../keys/key_tables.ts";
import { entriesOf, itemOf, unwrapped } from "../keys/unwrapped.ts";
import { everywhere, indentOf, linesNear, type Mistake, mistake, type Place } from "./mistake.ts";
import { wrongCharacters } from "./wrong_characters.ts";

/**
 * Lists candidates for the mistake near the first error, the likeliest first. The caller tries their
 * corrections to find the real one.
 */
export function possibleMistakes(lines: readonly string[], error: number): Mistake[] {
  const place = { lines, near: linesNear(lines, error) };
  return [
    ...wrongCharacters(place),
    ...missingSpaces(place),
    ...openQuotes(lines, error),
    ...wrongEscapes(place),
    ...commentedOut(lines, error),
    ...missingColons(place),
    ...looseWords(place),
    ...missingHyphens(place),
    ...listsWithoutKey(place, true),
    ...misindented(place),
    ...openBrackets(place),
    ...unquoted(place),
    ...listsOnALine(place),
    ...listsWithoutKey(place),
  ];
}

function missingSpaces({ lines, near }: Place): Mistake[] {
  const hyphen = /(?<=^ *)-(?=[A-Za-z_][\w-]*:(?:\s|$))/;
  const words = "a space is missing after the hyphen";
  const insert = (line: string) => line.replace(hyphen, "- ");
  let item = Infinity;
  const withKeys = lines.map((line) => {
    if (/\S/.test(line) && indentOf(line) <= item) item = Infinity;
    if (hyphen.test(line)) item = indentOf(line);
    else if (item < Infinity) return ` ${line}`;
    return insert(line);
  });
  const everyHyphen = everywhere(lines, hyphen, insert, () => words);
  return [
    ...everyHyphen,
    ...everyHyphen.map((all) => ({ ...all, corrected: withKeys })),
    ...near.flatMap((index) => {
      const [before] = /^\s*-(?=[^\s-])/.exec(lines[index]!) ?? [];
      if (before === undefined) return [];
      const line = `${before} ${lines[index]!.slice(before.length)}`;
      return [line, line.replace(/^ /, "")].map((corrected) =>
        mistake(lines, index, before.length - 1, words, corrected)
      );
    }),
    ...near.flatMap((index) => {
      const [start, key] = /^(\s*(?:- +)?[A-Za-z_][\w-]*):(?!\s|\/\/)/.exec(lines[index]!) ?? [];
      if (start === undefined) return [];
      const line = `${key}: ${lines[index]!.slice(start.length)}`;
      return [mistake(lines, index, start.length - 1, "a space is missing after the colon", line)];
    }),
  ];
}

/** Backslashes between double quotes that YAML gives no meaning, as in `"C:\\path"`. */
function wrongEscapes({ lines, near }: Place): Mistake[] {
  const wrong = /(?<=^[^"]*"(?:[^"\\]|\\[^])*)(?<!\\)\\(?![0abt\tnvfre "/\\N_LPxuU])./;
  return near.flatMap((index) => {
    const line = lines[index]!;
    const match = wrong.exec(line);
    if (match === null) return [];
    const { 0: found, index: column } = match;
    const message =
      `${found} has no meaning between double quotes: write \\${found}, or use single quotes`;
    const corrected = line.replaceAll(/\\(?![0abt\tnvfre "/\\N_LPxuU])/g, "\\\\");
    return [mistake(lines, index, column, message, corrected)];
  });
}

/** Words for a quote that is closed nowhere, or only by the next one. */
export const OPEN_QUOTE = "the quote that opens here is never closed";

/** The lines above an error on which a quote opens and does not close, the nearest first. */
function openQuotes(lines: readonly string[], error: number): Mistake[] {
  return [...lines.slice(0, error + 2).entries()].reverse().flatMap(([index, line]) => {
    const [, before, quote] = /^(\s*(?:(?:- +)?[\w$ -]+: +|- +))(["'])/.exec(line) ?? [];
    if (before === undefined || quote === undefined) return [];
    if (closingQuote(line, before.length) !== undefined) return [];
    return [mistake(lines, index, before.length, OPEN_QUOTE, line.trimEnd() + quote)];
  }).slice(0, 5);
}

/** Index of the quote that closes the one at `start`. */
function closingQuote(line: string, start: number): number | undefined {
  const text = line[start] === '"' ? /"(?:\\.|[^"\\])*"/y : /'(?:''|[^'])*'/y;
  text.lastIndex = start;
  return text.test(line) ? text.lastIndex - 1 : undefined;
}

/** Comments next to an error, or a few lines above it, that hold a key or an item, the nearest first. */
export function commentedOut(lines: readonly string[], error: number): Mistake[] {
  const near = linesNear(lines, error);
  const from = Math.min(error - 8, ...near);
  const to = Math.max(error, ...near);
  return [...lines.entries()].filter(([index]) => index >= from && index <= to).reverse().flatMap(
    ([index, line]) => {
      const [, indent, blanks, words] = /^(\s*)#(\s*)((?:- +)?[\w-]+:(?: .*)?|- .*)$/.exec(line) ??
        [];
      if (indent === undefined || blanks === undefined || words === undefined) return [];
      // One word is all that belongs to a key; only longer texts continue below it.
      if (/^[\w-]+: +[^\s|>[{]\S*$/.test(words)) return [];
      const key = /^(?:- +)?[\w-]+:/.exec(words)?.[0] ?? "-";
      const message =
        `"${key}" is commented out, but lines below belong to it: remove the #, or comment them out too`;
      const spellings = [blanks.replace(" ", ""), blanks, `${blanks} `, ""];
      return [...new Set(spellings)].map((space) =>
        mistake(lines, index, indent.length, message, indent + space + words)
      );
    },
  );
}

/** Columns before the key of a line, which may start an item. */
function contentColumn(line: string): number {
  return /^ *(?:- +)*/.exec(line)![0].length;
}

/**
 * Keys and items that stand further right or left than those around them. Even indents are likelier, and
 * a line is more often too far right than too far left, unless it would leave its key. A line below one
 * with the same indent is right.
 */
function misindented({ lines, near }: Place): Mistake[] {
  const tries = near.flatMap((index) => {
    const line = lines[index]!;
    const [indent] = /^ */.exec(line)!;
    if (!/^ *(?:- |-$|["']?[\w$ -]+["']?:(?:\s|$))/.test(line)) return [];
    const above = linesNear(lines, index, 1, 0)[1];
    if (above !== undefined && contentColumn(lines[above]!) === contentColumn(line)) return [];
    const isItem = /^ *-/.test(line);
    const parents = linesNear(lines, index, 2, 0).slice(1)
      .filter((other) => /:\s*$/.test(lines[other]!))
      .map((other) => indentOf(lines[other]!));
    const others = linesNear(lines, index, 6, 3).slice(1).flatMap((other) => {
      const [start, item = ""] = /^ *(- +)?/.exec(lines[other]!)!;
      const widths = [start.length, start.length - item.length];
      return isItem ? widths.reverse() : widths;
    });
    const below = lines.findIndex((other, at) =>
      at > index && /\S/.test(other) && /^ */.exec(other)![0].length <= indent.length
    );
    const end = below === -1 ? lines.length : below;
    const everywhere = lines.map(indentOf).filter((width) => width <= 12);
    return [...new Set([...others, ...everywhere])].filter((width) => width !== indent.length)
      .flatMap((width) => {
        const message = `indented by ${indent.length} spaces, expected ${width}`;
        const alone = mistake(
          lines,
          index,
          indent.length,
          message,
          " ".repeat(width) + line.trim(),
        );
        const moved = (other: string) =>
          width > indent.length
            ? " ".repeat(width - indent.length) + other
            : other.slice(indent.length - width);
        const corrected = lines.map((other, at) => index <= at && at < end ? moved(other) : other);
        const isUnlikely = width > indent.length || parents.includes(width);
        const doubt = width % 2 * 2 + Number(isUnlikely);
        return [alone, { ...alone, corrected }].map((one) => ({ one, doubt }));
      });
  });
  return tries.sort((a, b) => a.doubt - b.doubt).map(({ one }) => one);
}

/** The keys of a map and of all maps in it. */
function keysOf(schema: v.GenericSchema): string[] {
  const inner = unwrapped(schema);
  const item = itemOf(inner);
  if (item !== undefined) return keysOf(item);
  return Object.entries(entriesOf(inner) ?? {}).flatMap(([key, value]) => [key, ...keysOf(value)]);
}

/** Keys of a navbar's items, which no table has. */
const LINK_KEYS = ["title", "href"];

/** `name Shop`, of a word that is a key elsewhere. */
function missingColons({ lines, near }: Place): Mistake[] {
  const keys = lines.flatMap((line) => /^\s*(?:- +)?([\w-]+):(?:\s|$)/.exec(line)?.[1] ?? []);
  const known = new Set([...keysOf(v.object(KNOWN_TOP_KEYS)), ...LINK_KEYS, ...keys]);
  return near.flatMap((index) => {
    const [, before, key, rest] =
      /^(\s*(?:- +)?)([A-Za-z_][\w-]*)(?:\s*[=;]\s*|\s+|$)(.*)$/.exec(lines[index]!) ?? [];
    if (before === undefined || key === undefined || !known.has(key)) return [];
    const message = `a colon is missing after "${key}"`;
    const column = before.length + key.length;
    return [mistake(lines, index, column, message, `${before}${key}: ${rest}`)];
  });
}

function unquoted({ lines, near }: Place): Mistake[] {
  return near.flatMap((index) => {
    const line = lines[index]!;
    const [, before, value] = /^(\s*(?:- +)?[\w$. -]+: +)(\S.*?)\s*$/.exec(line) ??
      /^(\s*- +)(\S.*?)\s*$/.exec(line) ?? [];
    if (before === undefined || value === undefined) return [];
    const closing = /^["']/.test(value) ? closingQuote(line, before.length) : undefined;
    if (closing === line.trimEnd().length - 1) return [];
    const quoted = `${before}'${value.replaceAll("'", "''")}'`;
    if (closing !== undefined && /^\s*,\s*$/.test(line.slice(closing + 1))) {
      const message = "a line does not end with a comma in YAML: remove it";
      const column = line.lastIndexOf(",");
      return [mistake(lines, index, column, message, line.slice(0, column))];
    }
    return closing === undefined
      ? [mistake(lines, index, before.length, whyQuoted(value), quoted)]
      : [mistake(lines, index, closing, INNER_QUOTE, quoted)];
  });
}

const INNER_QUOTE =
  "the text ends at this quote: put quotes of the other kind around the whole text";

function whyQuoted(value: string): string {
  if (/^- /.test(value)) return "a list starts on the line below its key";
  if (/^[@`%&*!|>{}[\],#?-]/.test(value)) {
    return `a text that starts with ${value[0]} must be quoted`;
  }
  return /:(?:\s|$)/.test(value)
    ? 'a text with ": " in it must be quoted; a second key needs a line of its own'
    : "this text must be quoted";
}

function openBrackets({ lines, near }: Place): Mistake[] {
  return near.flatMap((index) => {
    const line = lines[index]!;
    const [, before, open] = /^([^"']*?[:-] +)([[{])/.exec(line) ?? [];
    if (before === undefined || open === undefined) return [];
    const close = open === "[" ? "]" : "}";
    if (line.includes(close)) return [];
    const message = `the ${open} that opens here is never closed: ${close} is missing`;
    return [mistake(lines, index, before.length, message, line.trimEnd() + close)];
  });
}

/** `headers: - "X: y"`, with what belongs to the item. */
function listsOnALine({ lines, near }: Place): Mistake[] {
  return near.flatMap((index) => {
    const [before] = /^\s*(?:- +)?[\w-]+: +(?=- )/.exec(lines[index]!) ?? [];
    if (before === undefined) return [];
    const corrected = withoutBlock(lines, index + 1, indentOf(lines[index]!) + 1).with(
      index,
      before,
    );
    const message = "a list starts on the line below its key";
    return [{ line: index, column: before.length, message, corrected }];
  });
}

/** Items below the wrong key. If `isSure`, only those of a list whose key the text lacks. */
function listsWithoutKey({ lines, near }: Place, isSure = false): Mistake[] {
  return near.filter((index) => {
    const item = lines[index]!.trim();
    if (!isSure) return item.startsWith("- ");
    const key = keyOfList(item);
    return key !== undefined && PARTS.includes(key) &&
      !lines.some((line) => line.trimStart().startsWith(`${key}:`));
  }).sort((a, b) => a - b).map((index) => listWithoutKey(lines, index));
}

/** A first item of which the hyphen is missing: `name: A` below `sites:`, and `- name: B` further down. */
function missingHyphens({ lines, near }: Place): Mistake[] {
  const isWritten = (line: string) => /^\s*[^\s#]/.test(line);
  return near.flatMap((index) => {
    const item = lines[index]!;
    const width = indentOf(item);
    const key = keyOfList(item.trim());
    const parent = lines.findLastIndex((line, at) =>
      at < index && isWritten(line) && indentOf(line) <= width
    );
    if (key === undefined || lines[parent]?.trim() !== `${key}:`) return [];
    const first = lines.findIndex((line, at) => at > parent && isWritten(line));
    const written = lines[first]!;
    if (indentOf(written) !== width + 2 || keyOfList(`- ${written.trim()}`) !== key) return [];
    const message = 'a hyphen is missing before the first key of this item: write "- " before it';
    const corrected = `${" ".repeat(width)}- ${written.trim()}`;
    return [mistake(lines, first, width + 2, message, corrected)];
  });
}

/** Keys of lists, by what the first line of an item says. */
const KEYS_OF_LISTS: readonly [item: RegExp, key: string][] = [
  [/^- (?:title|href):/, "navbar"],
  [/^- (?:name|url):/, "sites"],
  [/^- type:/, "notifications"],
  [/^- \d{3}$/, "expectedStatusCodes"],
  [/^- ["']?[\w-]+: /, "headers"],
];

/** Lists of maps, which a configuration has once. */
const PARTS = ["navbar", "sites", "notifications"];

/** The key that a list probably has, by one of its items. */
function keyOfList(item: string): string | undefined {
  return KEYS_OF_LISTS.find(([start]) => start.test(item))?.[1];
}

/** A list at a line that has no key above it. */
export function listWithoutKey(lines: readonly string[], line: number): Mistake {
  const column = indentOf(lines[line]!);
  const key = keyOfList(lines[line]!.trim()) ?? "tags";
  const message = `a list without its key: write the key on the line above, such as ${key}:`;
  return { line, column, message, corrected: withoutBlock(lines, line, column + 1) };
}

/** Lines that are neither a key nor an item, with those below that are not either. */
function looseWords({ lines, near }: Place): Mistake[] {
  const isLoose = (line: string) => /\S/.test(line) && !/^\s*(?:[-#]|\.\.\.)|:(?:\s|$)/.test(line);
  return near.filter((index) => isLoose(lines[index]!)).map((index) => {
    const words = lines[index]!.trim();
    const shown = words.length > 40 ? `${words.slice(0, 40)}…` : words;
    const above = lines.slice(0, index).findLast((line) => /\S/.test(line)) ?? "";
    const message = /: +[|>][-+\d]*\s*$/.test(above)
      ? `the text below "${above.trim()}" must be indented further than its key`
      : `expected "key: value" or "- item", found "${shown}"; a comment starts with #`;
    const end = lines.findIndex((line, at) => at > index && !isLoose(line));
    const corrected = lines.map((line, at) => index <= at && (end === -1 || at < end) ? "" : line);
    return { line: index, column: indentOf(lines[index]!), message, corrected };
  });
}

/** The lines without the block that starts at one: all at `least` columns, and items one to the left. */
function withoutBlock(lines: readonly string[], from: number, least: number): string[] {
  const end = lines.findIndex((line, index) => {
    if (index < from || /^\s*(?:#|$)/.test(line)) return false;
    return indentOf(line) + (/^\s*- /.test(line) ? 1 : 0) < least;
  });
  return lines.map((line, index) => index >= from && (end === -1 || index < end) ? "" : line);
}
