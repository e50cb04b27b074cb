/** A mistake that people make in YAML, and the text without it. Lines and columns count from 0. */
export interface Mistake {
  line: number;
  column: number;
  message: string;
  /** The lines of the whole text, corrected; as many as before. */
  corrected: readonly string[];
}

/** The lines of a text, and those of them around its first error, the likeliest first. */
export interface Place {
  lines: readonly string[];
  near: readonly number[];
}

/** The line of an error, those before it and those after it that are not empty or comments. */
export function linesNear(
  lines: readonly string[],
  error: number,
  before = 2,
  after = 2,
): number[] {
  const written = [...lines.keys()].filter((index) => /^\s*[^\s#]/.test(lines[index]!));
  return [
    ...written.filter((index) => index === error),
    ...written.filter((index) => index < error).slice(-before).reverse(),
    ...written.filter((index) => index > error).slice(0, after),
  ];
}

/** Reports a mistake on several lines as one: the place of the first, and the numbers of the others. */
export function everywhere(
  lines: readonly string[],
  wrong: RegExp,
  correct: (line: string) => string,
  message: (found: string) => string,
): Mistake[] {
  const places = [...lines.keys()].filter((index) => wrong.test(lines[index]!));
  const [first, ...others] = places;
  if (first === undefined) return [];
  const { 0: found, index: column } = wrong.exec(lines[first]!)!;
  const corrected = lines.map((line, index) => places.includes(index) ? correct(line) : line);
  return [{ line: first, column, message: message(found) + alsoIn(others), corrected }];
}

/** Words for further lines with a mistake, from line numbers that count from 0. */
export function alsoIn(others: readonly number[]): string {
  if (others.length === 0) return "";
  const more = others.length > 5 ? ` and ${others.length - 5} more` : "";
  return ` (also in line ${others.slice(0, 5).map((line) => line + 1).join(", ")}${more})`;
}

/** Columns before the first character of a line. */
export function indentOf(line: string): number {
  return /^\s*/.exec(line)![0].length;
}

/** A mistake in one line, with that line corrected. */
export function mistake(
  lines: readonly string[],
  line: number,
  column: number,
  message: string,
  corrected: string,
): Mistake {
  return { line, column, message, corrected: lines.with(line, corrected) };
}
