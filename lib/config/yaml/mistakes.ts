import {
  countIndent,
  isContent,
  listBrackets,
  listCommentedKeys,
  listGaps,
  listIndents,
  listInnerLookalikes,
  listLookalikes,
  listLostHyphens,
  listLostKeys,
  listMissingSpaces,
  listQuotes,
  listStray,
  listUnquoted,
  type Mistake,
  type Suspect,
} from "./suspects.ts";

/** The answer of a parser to a text. */
export interface Parsed {
  /** Index of the line of the first error; `undefined` if there is none. */
  error?: number;
  countMisfits(): number;
  countParts(): number;
}

/** Lines around an error in which its cause is looked for. */
const NEAR = 3;
/** Repairs that are tried at most: each one takes as long as it takes to parse the text. */
const MOST_TRIES = 400;

/**
 * Finds the mistake in a text that can't be parsed: one parser noticed an error in the line with the index
 * `noticed`, another got no further than `reached`. Either may be lines away from the mistake. So each mistake
 * that the lines allow is repaired, and the one after whose repair the text can be parsed is returned;
 * `isCertain` is false if the text can only be parsed further than before. `undefined` if no repair helps.
 */
export function findMistake(
  text: string,
  [noticed, reached]: readonly [noticed: number, reached: number],
  parse: (text: string) => Parsed,
): (Mistake & { isCertain: boolean }) | undefined {
  const lines = text.split(/\r?\n/);
  let best: { suspect?: Suspect; end: number; misfits: number } = { end: reached, misfits: 0 };
  let tries = 0;
  for (const suspect of listSuspects(lines, noticed, reached)) {
    if (++tries > MOST_TRIES) break;
    const { error = Infinity, countMisfits } = parse(suspect.repaired.join("\n"));
    const end = error - (suspect.repaired.length - lines.length);
    const misfits = end === Infinity && suspect.isGuess ? countMisfits() : 0;
    const isBetter = end > best.end || (end === Infinity && misfits < best.misfits);
    if (isBetter) best = { suspect, end, misfits };
    if (best.end === Infinity && best.misfits === 0) break;
  }
  return best.suspect && { ...best.suspect, isCertain: best.end === Infinity };
}

/**
 * Finds the mistake for which the text at one of some lines, such as those of a problem, can be parsed but means
 * something else: its repair makes keys or items of what was text, or known keys of unknown ones.
 */
export function findMisreading(
  lines: readonly string[],
  line: number,
  parse: (text: string) => Parsed,
): Mistake | undefined {
  const below = lines.findIndex((text, index) => index > line && isContent(text));
  const base = parse(lines.join("\n"));
  for (const index of below < 0 ? [line] : [line, below]) {
    const isList = index === below && /^ *- /.test(lines[index]!) && PLAIN_VALUE.test(lines[line]!);
    // A text over several lines, such as CSS, may have colons as well.
    const quotes = index === line ? [...listQuotes(lines, index)] : [];
    for (
      const suspect of [
        ...listLookalikes(lines, index),
        ...listInnerLookalikes(lines, index),
        ...listMissingSpaces(lines, index),
        ...quotes,
        ...listCommentedKeys(lines, index),
        ...isList ? listLostKeys(lines, index) : [],
        ...isDeepItem(lines, index) ? listIndents(lines, index) : [],
        ...index === line ? listDeepParents(lines, index) : [],
      ]
    ) {
      const parsed = parse(suspect.repaired.join("\n"));
      if (parsed.error !== undefined) continue;
      const more = parsed.countParts() - base.countParts();
      if (quotes.includes(suspect) && parsed.countMisfits() > base.countMisfits()) continue;
      const isLostKey = suspect.repaired.length > lines.length;
      const isBetter = isLostKey ? more > 1 : (more > 0 && !suspect.isComment) ||
        (more >= 0 && parsed.countMisfits() < base.countMisfits());
      if (isBetter) return suspect;
    }
  }
  return undefined;
}

/** True for an item that is read as further words of the item above it. */
function isDeepItem(lines: readonly string[], line: number): boolean {
  const above = lines.findLast((text, index) => index < line && isContent(text)) ?? "";
  return PLAIN_ITEM.test(above) && /^ *- /.test(lines[line]!) &&
    countIndent(lines[line]!) > countIndent(above);
}

/** The repairs of a key above a line whose own keys are beside it, because it is indented too deep. */
function* listDeepParents(lines: readonly string[], line: number): Generator<Suspect> {
  const above = lines.findLastIndex((text, index) => index < line && isContent(text));
  if (above < 0 || !/^ +[\w-]+: *$/.test(lines[above]!)) return;
  for (const suspect of listIndents(lines, above)) {
    if (suspect.repaired[line] === lines[line]) yield suspect;
  }
}

/** Indexes of lines that may be read as a text in which keys or items are. */
export function listDoubtful(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => {
    if (OPEN_QUOTE.test(line) || ODD_COLON.test(line)) return [index];
    const [, blanks] = (PLAIN_VALUE.exec(line) ?? PLAIN_ITEM.exec(line)) ?? [];
    const below = blanks === undefined ? undefined : lines.slice(index + 1).find(isContent);
    const isDeeper = below !== undefined && countIndent(below) > blanks!.length;
    return isDeeper && /^ *[-\u2010-\u2015\u2022]/.test(below) ? [index] : [];
  });
}

const OPEN = String.raw`^ *(?:- +)*[^\s#"'][^"'\n]*: +(?:"[^"\n]*|'[^'\n]*)\r?$`;
const OPEN_QUOTE = new RegExp(OPEN);
const COLON = String.raw`^ *(?:- +)?[\w-]+(?:\u00a0+:|: *\u00a0|:["'])`;
const ODD_COLON = new RegExp(COLON);
const PLAIN_ITEM = /^( *)- +[^\s|>&"'#[{*!:][^:]*$/;
const PLAIN_VALUE = /^( *)(?:- +)?[\w-]+: +[^\s|>&"'#[{*!]/;
/** Matches most texts in which {@linkcode listDoubtful} finds a line, and few others. */
export const DOUBTFUL = new RegExp(
  String
    .raw`${OPEN}|${COLON}|^( *)(?:- +|(?:- +)?[\w-]+: +)[^\s|>&"'#[{*!].*\r?\n\1 +[-\u2010-\u2015\u2022]`,
  "m",
);

/** All suspects, the most certain ones first. */
function* listSuspects(
  lines: readonly string[],
  noticed: number,
  reached: number,
): Generator<Suspect> {
  const content = lines.flatMap((line, index) => isContent(line) ? [index] : []);
  const around = (line: number) => {
    const at = content.findIndex((index) => index >= line);
    const middle = at < 0 ? content.length - 1 : at;
    return content.slice(Math.max(0, middle - NEAR), middle + NEAR);
  };
  const first = content.filter((index) => !/^---\s*$/.test(lines[index]!)).slice(0, 1);
  const near = [...new Set([...around(noticed), ...around(reached), ...first])]
    .sort((a, b) => Math.abs(a - reached) - Math.abs(b - reached) || a - b);
  const before = content.filter((index) => index <= reached).reverse();
  for (const index of near) yield* listLookalikes(lines, index);
  for (const index of near) yield* listGaps(lines, index);
  for (const index of new Set([...near, ...before])) yield* listQuotes(lines, index);
  for (const index of near) yield* listInnerLookalikes(lines, index);
  for (const index of near) yield* listBrackets(lines, index);
  for (const index of near) yield* listStray(lines, index);
  for (const index of near) yield* listCommentedKeys(lines, index);
  // The first line, or one with an odd number of blanks before it, is the likelier culprit.
  const doubt = (index: number) =>
    first.includes(index) && countIndent(lines[index]!) > 0 ? 2 : countIndent(lines[index]!) % 2;
  const uneven = [...near].sort((a, b) => doubt(b) - doubt(a));
  for (const index of uneven) yield* listIndents(lines, index);
  for (const index of near) yield* listLostHyphens(lines, index);
  for (const index of near) yield* listLostKeys(lines, index);
  for (const index of near) yield* listUnquoted(lines, index);
}
