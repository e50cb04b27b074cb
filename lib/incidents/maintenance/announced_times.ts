import { LONGEST_WINDOW } from "../../config/keys/maintenance_keys.ts";
import { readMoment } from "../../config/keys/moment.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { describeDuration, utcMinute } from "../../time.ts";
import type { Keys } from "./announced_keys.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** Times as announcements have them. */
export const EXAMPLE = { start: "2026-11-21T10:00:00Z", end: "2026-11-21T12:00:00Z" };

const LONGEST_QUOTE = 60;

/**
 * When an announced window begins and ends, or why that can't be told. `line` is that of the comment with
 * the keys; times without an offset are in the time zone.
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
