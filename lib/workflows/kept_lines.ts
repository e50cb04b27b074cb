import { createHash } from "node:crypto";

/** Places of a workflow at which lines of a person's own are kept. */
export const KEEP_SLOTS = ["top", "on", "permissions", "job", "before", "after"] as const;

/** One of {@linkcode KEEP_SLOTS}. */
export type KeepSlot = typeof KEEP_SLOTS[number];

/** Lines that are kept, by their place; each with its indentation. */
export type KeptLines = ReadonlyMap<string, readonly string[]>;

const BEGIN = /^\s*# monitor: keep (\S+)\s*$/;
const END = /^\s*# \/monitor: keep\s*$/;
const MADE = /^# monitor: made(?: ([0-9a-f]{16}))?$/;

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
  /** The text without the lines that are kept, and without what tells whether it is as made. */
  rest: string;
}

/** Takes a workflow apart into what was made and what is kept. Line ends may be those of Windows. */
export function takeApart(text: string): TakenApart {
  const kept = new Map<string, string[]>();
  const rest: string[] = [];
  let slot: string | undefined;
  let isSound = true;
  let digest: string | undefined;
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
    else digest = made[1] ?? digest;
  }
  const others = rest.join("\n");
  const isAsMade = isSound && slot === undefined && digest === digestOf(others);
  return {
    state: digest === undefined ? "foreign" : isAsMade ? "as made" : "changed",
    kept,
    rest: others,
  };
}

/** A text as it is written: with lines that are kept, and with what tells whether anybody changes the others. */
export function putTogether(made: string, kept: KeptLines): string {
  const { rest } = takeApart(made);
  const digest = digestOf(rest);
  return made.split("\n").flatMap((line) => {
    const slot = BEGIN.exec(line)?.[1];
    const own = slot === undefined ? [] : kept.get(slot) ?? [];
    return [line === MADE_LINE ? `${MADE_LINE} ${digest}` : line, ...own];
  }).join("\n");
}

/** Tells a text from all others, in 16 hexadecimal digits. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
