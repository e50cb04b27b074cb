import { assert } from "@std/assert";
import { parseConfig } from "../../lib/config/parse.ts";

/** A text with a mistake in the line with this index, and words of its cure. */
interface Planted {
  lines: string[];
  line: number;
  cure: RegExp;
}

type Plant = (lines: readonly string[], index: number) => Planted | undefined;

const KEY = /^( *)(- )?([\w-]+):( .*)?$/;
const QUOTED = /: "[^"]*"$/;
const PLAIN = /^ *(?:- )?[\w-]+: \w[^"'#:]*$/;

function indentOf(line = ""): number {
  return /^ */.exec(line)![0].length;
}

/** A mistake within a line that matches a pattern. */
function within(pattern: RegExp, change: (line: string) => string, cure: RegExp): Plant {
  return (lines, index) => {
    const line = lines[index]!;
    return pattern.test(line)
      ? { lines: lines.with(index, change(line)), line: index, cure }
      : undefined;
  };
}

/** A line too deep by some blanks, with lines before it. */
function tooDeep(blanks: number, before: readonly string[] = []): Plant {
  return (lines, index) => {
    const [, , hyphen, , value] = KEY.exec(lines[index]!) ?? [];
    const [, , , , above] = KEY.exec(lines[index - 1] ?? "") ?? [];
    if (value === undefined || hyphen !== undefined || above === undefined) return undefined;
    const moved = [...before, " ".repeat(blanks) + lines[index]!];
    const line = index + before.length;
    return { lines: lines.toSpliced(index, 1, ...moved), line, cure: /indented/ };
  };
}

/** A key above other lines that is missing or a comment. */
function withoutParent(comment: string | undefined, cure: RegExp): Plant {
  return (lines, index) => {
    const isParent = /^ *[\w-]+:$/.test(lines[index]!) &&
      indentOf(lines[index + 1]) > indentOf(lines[index]);
    const above = lines.findLastIndex((line, at) => at < index && /^\s*[^\s#]/.test(line));
    // Below a text over several lines, its children are further lines of that.
    if (!isParent || (above >= 0 && !isOutsideTexts(lines, above))) return undefined;
    const kept = comment === undefined ? [] : [comment + lines[index]!];
    const below = lines.findIndex((line, at) => at > index && /^\s*[^\s#]/.test(line));
    return { lines: lines.toSpliced(index, 1, ...kept), line: below - 1 + kept.length, cure };
  };
}

/** Mistakes by their names. */
export const MISTAKES: Readonly<Record<string, Plant>> = {
  "an unclosed double quote": within(QUOTED, (line) => line.slice(0, -1), /never closed/),
  "a double quote before a text": within(
    PLAIN,
    (line) => line.replace(": ", ': "'),
    /never closed/,
  ),
  "a single quote before a text": within(
    PLAIN,
    (line) => line.replace(": ", ": '"),
    /never closed/,
  ),
  "an apostrophe between single quotes": within(
    PLAIN,
    (line) => line.replace(/: (.*)$/, ": '$1's'"),
    /double it/,
  ),
  "an unclosed list": within(/\]$/, (line) => line.slice(0, -1), /never closed/),
  "an unclosed quote in a list": within(
    /\["[^"]*", /,
    (line) => line.replace('", ', ", "),
    /never closed/,
  ),
  "a line that is too deep": tooDeep(2),
  "a line that is one blank too deep": tooDeep(1),
  "comments above such a line": tooDeep(1, ["# a comment: with words", "", "    # another"]),
  "a key without a value that is too deep": (lines, index) => {
    const isParent = /^[\w-]+:$/.test(lines[index]!) && /^ +\w/.test(lines[index + 1] ?? "");
    const [, , , , above] = KEY.exec(lines[index - 1] ?? "") ?? [];
    if (!isParent || above === undefined) return undefined;
    return { lines: lines.with(index, `  ${lines[index]}`), line: index, cure: /indented/ };
  },
  "an item that is too deep": (lines, index) => {
    const isSecond = [index - 1, index].every((at) => /^ *- \w+$/.test(lines[at] ?? ""));
    if (!isSecond) return undefined;
    return { lines: lines.with(index, `  ${lines[index]}`), line: index, cure: /indented/ };
  },
  "a missing parent": withoutParent(undefined, /missing|move it under|another list above/),
  "a parent in a comment": withoutParent("#", /commented out/),
  "an en dash": within(/^ *- /, (line) => line.replace("-", "–"), /en dash/),
  "an en dash without a space after the colon": within(
    /^ *- [\w-]+: /,
    (line) => line.replace("-", "–").replace(": ", ":"),
    /en dash/,
  ),
  "a no-break space after a hyphen": within(
    /^ *- /,
    (line) => line.replace("- ", "-\u00a0"),
    /no-break space/,
  ),
  "a no-break space after a colon": within(
    /^ *(?:- )?[\w-]+: /,
    (line) => line.replace(": ", ":\u00a0"),
    /no-break space/,
  ),
  "no-break spaces before a key": within(
    /^ +[\w-]+: /,
    (line) => line.replace(/^ +/, (blanks) => "\u00a0".repeat(blanks.length)),
    /no-break space/,
  ),
  "no space after a colon": within(
    /^ *(?:- )?[\w-]+: /,
    (line) => line.replace(": ", ":"),
    /a space is missing after/,
  ),
  "no space after a hyphen": within(/^ *- /, (line) => line.replace("- ", "-"), /space is missing/),
  "no colon": within(KEY, (line) => line.replace(":", ""), /a colon is missing/),
  "a full-width colon": within(KEY, (line) => line.replace(/: */, "："), /colon of another script/),
  "a byte order mark": within(/^ *- |^ .*:/, (line) => `\ufeff${line}`, /byte order mark/),
  "a tab": within(/^ +[\w-]+:/, (line) => line.replace(/^ +/, "\t"), /a tab does not indent/),
  "a colon in a text": within(PLAIN, (line) => `${line}: more`, /must be quoted/),
  "a key twice": (lines, index) => {
    if (KEY.exec(lines[index]!)?.[4] === undefined || /[|>]$/.test(lines[index]!)) return undefined;
    const again = lines[index]!.replace("- ", "  ");
    return {
      lines: lines.toSpliced(index + 1, 0, again),
      line: index + 1,
      cure: new RegExp(`is already set in line ${index + 1}:`),
    };
  },
};

/** True for a line that is not part of a text over several lines. */
function isOutsideTexts(lines: readonly string[], index: number): boolean {
  let own = indentOf(lines[index]);
  for (const line of lines.slice(0, index).reverse()) {
    if (!/^ *[^\s#]/.test(line) || indentOf(line) >= own) continue;
    own = indentOf(line);
    if (/[|>][+-]?$|: "[^"]*$/.test(line)) return false;
  }
  return true;
}

/** Every place of a text in which a mistake can be planted. */
export function listPlaces(text: string, mistake: Plant): Planted[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) => {
    // Rules of CSS in a text that is not indented are recognized by their ends.
    const isContent = /^\s*[^\s#](?:.*[^;{}])?$/.test(line) && isOutsideTexts(lines, index);
    return isContent ? mistake(lines, index) ?? [] : [];
  });
}

/** At most so many of some things, evenly spread. */
export function pick<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, index) => all[Math.floor(index * step)]!,
  );
}

/** Asserts that each mistake is reported in its line, and at least `share` of them with their cures. */
export async function assertReported(
  name: string,
  places: readonly Planted[],
  share: number,
): Promise<void> {
  const wrong: string[] = [];
  let cured = 0;
  for (const { lines, line, cure } of places) {
    const { problems } = await parseConfig(lines.join("\n"));
    const own = problems.filter((problem) => problem.line === line + 1);
    if (own.some(({ message }) => cure.test(message))) cured++;
    const found = problems.map(({ line, message }) => `${line}: ${message}`).join("; ");
    if (own.length === 0) wrong.push(`line ${line + 1} of\n${lines.join("\n")}\nhas ${found}`);
  }
  assert(wrong.length === 0, `${name}: ${wrong.length} of ${places.length}: ${wrong[0]}`);
  assert(cured >= share * places.length, `${name}: ${cured} of ${places.length} with their cures`);
}
