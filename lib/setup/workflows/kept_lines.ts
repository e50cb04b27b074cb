import { createHash } from "node:crypto";

/** Places of a workflow at which lines of a person's own are kept. */
export const KEEP_SLOTS = ["top", "on", "permissions", "job", "before", "after"] as const;

/** One of {@linkcode KEEP_SLOTS}. */
export type KeepSlot = typeof KEEP_SLOTS[number];

/** Lines that are kept, by their place; each with its indentation. */
export type KeptLines = ReadonlyMap<string, readonly string[]>;

const BEGIN = /^\s*# monitor: keep (\S+)\s*$/;
const END = /^\s*# \/monitor: keep\s*$/;
/** The digests of the made text without `runs-on`, and of the made `runs-on`; up to 1.41 one of both. */
const MADE = /^# monitor: made(?: ([0-9a-f]{16})(?: ([0-9a-f]{16}))?)?$/;
const COMMENT = /^\s*(?:#.*)?$/;

/** Stands for the line that tells whether a text is as it was made. */
export const MADE_LINE = "# monitor: made";

/** The comments around lines of a person's own. */
export function keepLines(slot: KeepSlot): [begin: string, end: string] {
  return [`# monitor: keep ${slot}`, "# /monitor: keep"];
}

/** A workflow taken apart. */
export interface TakenApart {
  /** Whether the program has made it, and nobody has changed it but where lines are kept. */
  state: "as made" | "changed" | "foreign";
  kept: KeptLines;
  /** The lines of `runs-on`, if somebody has changed them. */
  runner?: readonly string[];
  /** The text without the lines that are kept, and without what tells whether it is as made. */
  rest: string;
}

/**
 * Splits a workflow into generated and kept lines. Line ends may be those of Windows. `runners`
 * are lines of `runs-on` that the program may have made, for files of versions that noted no digest of them.
 */
export function takeApart(text: string, runners: readonly string[] = []): TakenApart {
  const kept = new Map<string, string[]>();
  const rest: string[] = [];
  let slot: string | undefined;
  let isSound = true;
  let digest: string | undefined;
  let runnerDigest: string | undefined;
  for (const line of text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n")) {
    const begun = BEGIN.exec(line)?.[1];
    const made = MADE.exec(line);
    if (slot !== undefined && !END.test(line)) {
      if (begun !== undefined) isSound = false;
      kept.get(slot)!.push(line);
      continue;
    }
    if (begun !== undefined) {
      if (kept.has(begun)) isSound = false;
      kept.set(begun, []);
    }
    slot = begun;
    if (made === null) rest.push(line);
    else [, digest, runnerDigest] = made;
  }
  const { before, runner, after } = splitRunner(rest);
  const others = [...before, ...after].join("\n");
  const whole = rest.join("\n");
  const own = runner.length === 0 || digest === undefined ? undefined : runner;
  const result = (isMade: boolean, isOwn: boolean): TakenApart => ({
    state: digest === undefined
      ? "foreign"
      : isMade && isSound && slot === undefined
      ? "as made"
      : "changed",
    kept,
    runner: isOwn ? own : undefined,
    rest: isOwn ? others : whole,
  });
  if (runnerDigest !== undefined) {
    return result(digest === digestOf(others), runnerDigest !== digestOf(runner.join("\n")));
  }
  const isMade = (line: string) => digest === digestOf([...before, line, ...after].join("\n"));
  if (digest === digestOf(whole)) return result(true, false);
  return result(runners.some(isMade), !runners.includes(runner.join("\n")));
}

/** The generated line of `runs-on` of a workflow. */
export function runnerLine(made: string): string {
  return splitRunner(made.split("\n")).runner.join("\n");
}

/**
 * Splits lines around the value of `runs-on` of the one job, which may take several lines, and the comments
 * beside it.
 */
function splitRunner(lines: readonly string[]) {
  const isKey = (line: string) => /^ {4}(["']?)runs-on\1 *:/.test(line);
  const at = lines.findIndex(isKey);
  if (at < 0 || lines.findLastIndex(isKey) !== at) return { before: lines, runner: [], after: [] };
  let [start, end] = [at, at + 1];
  while (start > 0 && COMMENT.test(lines[start - 1]!)) start--;
  // A value continues on lines that are indented further; a list and its closing bracket need not be.
  const isPart = (line: string) => COMMENT.test(line) || /^(?: {5}| {4}(?:- |-$|\]))/.test(line);
  while (end < lines.length && isPart(lines[end]!)) end++;
  return {
    before: lines.slice(0, start),
    runner: lines.slice(start, end),
    after: lines.slice(end),
  };
}

/**
 * A text as it is written: with lines that are kept, a person's own `runs-on`, and the digests by which
 * changes of all other lines are noticed.
 */
export function putTogether(
  made: string,
  kept: KeptLines,
  runner: readonly string[] | undefined = undefined,
): string {
  const { before, runner: usual, after } = splitRunner(made.split("\n"));
  const { rest } = takeApart([...before, ...after].join("\n"));
  const digests = `${digestOf(rest)} ${digestOf(usual.join("\n"))}`;
  return [...before, ...runner ?? usual, ...after].flatMap((line) => {
    const slot = BEGIN.exec(line)?.[1];
    const own = slot === undefined ? [] : kept.get(slot) ?? [];
    return [line === MADE_LINE ? `${MADE_LINE} ${digests}` : line, ...own];
  }).join("\n");
}

/** Tells a text from all others, in 16 hexadecimal digits. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
