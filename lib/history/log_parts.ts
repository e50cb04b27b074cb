import { countBytes } from "../text/plain_text.ts";
import type { HistoryFiles } from "./store/store.ts";

/**
 * Most bytes of a file of a log: GitHub shows no larger ones, and git stores a changed file whole until it packs it. A
 * log that grows beyond it continues in further parts: `2026-11-21.csv`, `2026-11-21-2.csv`, `2026-11-21-3.csv`.
 */
export const PART_BYTES = 5_000_000;

/** Logs are named after a day, a year, or a year as seen from single locations. */
const PART = /^(\d{4}-\d\d-\d\d|(?:locations-)?\d{4})(?:-([2-9]|[1-9]\d+))?\.csv$/;

/**
 * Name of a part of a log; parts are numbered from one.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(partName("2026-11-21", 1), "2026-11-21.csv");
 * assertEquals(partName("2026-11-21", 2), "2026-11-21-2.csv");
 * ```
 */
export function partName(log: string, number: number): string {
  return `${log}${number === 1 ? "" : `-${number}`}.csv`;
}

/** A file of a log. */
interface LogPart {
  /** Name of the log, such as `2026-11-21`, `2026` or `locations-2026`. */
  log: string;
  number: number;
}

/**
 * Parses the name of a part; `undefined` if the file is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parsePartName("2026-11-21-10.csv"), { log: "2026-11-21", number: 10 });
 * assertEquals(parsePartName("locations-2026.csv"), { log: "locations-2026", number: 1 });
 * assertEquals(parsePartName("2026-11-21-1.csv"), undefined);
 * ```
 */
export function parsePartName(name: string): LogPart | undefined {
  const [, log, number = 1] = PART.exec(name) ?? [];
  return log === undefined ? undefined : { log, number: Number(number) };
}

/**
 * Sorts the names of parts by log and then by number, and leaves out other files.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const names = ["2026-10.csv", "notes.txt", "2026-9.csv", "2027.csv", "2026.csv"];
 * assertEquals(sortParts(names), ["2026.csv", "2026-9.csv", "2026-10.csv", "2027.csv"]);
 * ```
 */
export function sortParts(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const part = parsePartName(name);
    return part === undefined ? [] : [{ name, ...part }];
  }).sort((one, other) =>
    one.log === other.log ? one.number - other.number : one.log < other.log ? -1 : 1
  ).map(({ name }) => name);
}

/** Parts that are read at once, while as many are used: those of many sites don't fit into memory together. */
const PARTS_AT_ONCE = 6;

/** Reads parts by path, in order; those that are missing are left out. */
export async function* readParts(
  files: Pick<HistoryFiles, "read">,
  paths: readonly string[],
): AsyncGenerator<[path: string, text: string], void, void> {
  const read = (from: number) => {
    const texts = files.read(paths.slice(from, from + PARTS_AT_ONCE));
    // Its error comes when they are used.
    texts.catch(() => {});
    return texts;
  };
  let next = read(0);
  for (let from = 0; from < paths.length; from += PARTS_AT_ONCE) {
    const texts = await next;
    next = read(from + PARTS_AT_ONCE);
    yield* texts;
  }
}

/**
 * Appends lines, each with its end, to the text of a log's last part; returns that text and those of the parts that
 * follow, which start with the header. A part ends before it would have more than {@linkcode PART_BYTES}.
 */
export function appendLines(
  header: string,
  lines: Iterable<string>,
  last = header,
): [string, ...string[]] {
  const parts: [string[], ...string[][]] = [[last]];
  let bytes = countBytes(last);
  for (const line of lines) {
    const length = countBytes(line);
    if (bytes + length > PART_BYTES) {
      parts.push([header]);
      bytes = countBytes(header);
    }
    parts.at(-1)!.push(line);
    bytes += length;
  }
  const [first, ...others] = parts.map((own) => own.join(""));
  return [first!, ...others];
}
