import { LONGEST_WINDOW } from "../../config/keys/maintenance_keys.ts";
import { readMoment } from "../../config/keys/times.ts";
import { nearest } from "../../text/nearest.ts";
import type { PlannedWindow } from "../../history/maintenance.ts";
import type { Line } from "../../text/hidden_part.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { describeDuration, utcMinute } from "../../time.ts";

/** Keys of an announcement in Upptime's spelling. */
export const KEYS = ["start", "end", "expectedDown", "expectedDegraded"] as const;
export type Key = typeof KEYS[number];

export interface Value {
  text: string;
  /** The number of its line. */
  line: number;
}

/** The keys of an announcement. */
export interface Keys {
  values: ReadonlyMap<Key, Value>;
  /** Lines that are probably meant to have a key that is missing, with what to do about them. */
  mistakes: ReadonlyMap<Key, { line: number; cure: string }>;
}

/** Accepted colons; the full-width one is typed on Chinese and Japanese keyboards. */
const COLON = /[:：]/;

/** More lines than these are not searched for mistakes. */
const MOST_LINES = 50;
/** Longer words are none of a key. */
const LONGEST_WORD = 30;
const LONGEST_LINE = 40;

/** Reads the keys of an announcement, in any capitals; of a key that comes twice the last counts. */
export function readKeys(lines: readonly Line[]): Keys {
  const values = new Map<Key, Value>();
  for (const { number, text } of lines) {
    const colon = text.search(COLON);
    const key = colon === -1 ? undefined : keyOf(text.slice(0, colon));
    if (key === undefined) continue;
    const value = text.slice(colon + 1).trim().replaceAll(/^["'`]|["'`]$/g, "");
    values.set(key, { text: value, line: number });
  }
  const searched = lines.filter(({ text }) => text.trim() !== "").slice(0, MOST_LINES);
  const mistakes = new Map<Key, { line: number; cure: string }>();
  for (const { number, text } of searched) {
    const [word = ""] = /[\p{L}_-]+/u.exec(text) ?? [];
    if (word.length > LONGEST_WORD) continue;
    const own = keyOf(word);
    const key = own ?? keyOf(nearest(word, KEYS) ?? "");
    if (key === undefined || values.has(key) || mistakes.has(key)) continue;
    const cure = own === undefined
      ? `"${word}" is no key, write ${key}:`
      : `"${shorten(plainText(text), LONGEST_LINE)}" has no colon after ${key}, write ${key}:`;
    mistakes.set(key, { line: number, cure });
  }
  return { values, mistakes };
}

/** The key that some words are; signs of lists and of bold type around it are none of it. */
function keyOf(words: string): Key | undefined {
  const letters = words.toLowerCase().replaceAll(/[\s*_~`>"'-]/g, "");
  return KEYS.find((key) => key.toLowerCase() === letters);
}

/** Times as announcements have them. */
export const EXAMPLE = { start: "2026-11-21T10:00:00Z", end: "2026-11-21T12:00:00Z" };

const LONGEST_QUOTE = 60;

/**
 * Reads start and end of an announced window, or explains why that fails. `line` is the line of the
 * comment with the keys; times without an offset are in the time zone.
 */
export function announcedTimes(
  keys: Keys,
  line: number,
  timezone: string,
): { times?: Pick<PlannedWindow, "start" | "until">; problems: string[] } {
  const problems: string[] = [];
  const [start, until] = (["start", "end"] as const).map((key) => {
    const value = keys.values.get(key);
    const moment = readMoment(value?.text ?? "", timezone);
    if (moment === undefined) problems.push(whyNoTime(key, keys, line, timezone));
    return moment;
  });
  if (start === undefined || until === undefined) return { problems };
  const [from, to] = [keys.values.get("start")!, keys.values.get("end")!];
  const length = until.epochMilliseconds - start.epochMilliseconds;
  if (length <= 0) {
    const [end, begin] = [until, start].map((moment) => `${utcMinute(moment)} UTC`);
    const place = `line ${to.line}, end, is ${end}, which is not after start`;
    return { problems: [`${place}, ${begin} in line ${from.line}; write a later end`] };
  }
  if (length > LONGEST_WINDOW) {
    const longest = describeDuration(LONGEST_WINDOW);
    const place = `line ${to.line}, end, is more than ${longest} after start in line ${from.line}`;
    const cure = "write an earlier end, or set paused: true for sites that are not to be looked at";
    return { problems: [`${place}; ${cure}`] };
  }
  return { times: { start, until }, problems };
}

function whyNoTime(
  key: "start" | "end",
  { values, mistakes }: Keys,
  line: number,
  timezone: string,
): string {
  const value = values.get(key);
  const example = EXAMPLE[key];
  if (value !== undefined) {
    const found = shorten(plainText(value.text), LONGEST_QUOTE);
    const local = example.slice(0, 16).replace("T", " ");
    const cure = `write a time as ${example}, or as ${local} in the time zone ${timezone}`;
    return `line ${value.line}, ${key}, is "${found}"; ${cure}`;
  }
  const mistake = mistakes.get(key);
  const cure = mistake === undefined
    ? `add a line "${key}: ${example}" to it`
    : `in line ${mistake.line}, ${mistake.cure}`;
  return `its first HTML comment, in line ${line}, has no ${key}; ${cure}`;
}
