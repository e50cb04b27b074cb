import { type Condition, isCondition } from "../state.ts";

/** One check, as a version of Upptime's record tells it. */
export interface UpptimeCheck {
  /** As configured; empty if it comes from a commit message. */
  url: string;
  state: Condition;
  code: number;
  /** Milliseconds of a successful check that has a time. */
  ms?: number;
  /** Milliseconds since 1970; `NaN` if it can't be read. */
  time: number;
  /** When the site was first monitored, in milliseconds since 1970. */
  start?: number;
}

/** The reason why a version is no check. */
type NoCheck = "ours" | "foreign";

/**
 * Parses a version of a record, also one with the marks of a merge conflict, of whose sides the later one counts.
 * It is read line by line, because Upptime quotes nothing: an address with `: ` in it is no YAML.
 */
export function parseVersion(text: string): UpptimeCheck | NoCheck {
  if (/^<{7}/m.test(text)) {
    const sides = [sideOf(text, 0), sideOf(text, 1)].map(parseVersion);
    return sides.filter((one) => typeof one !== "string")
      .sort((a, b) => (b.time || 0) - (a.time || 0))[0] ??
      "foreign";
  }
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, key, value] = /^(?:- )?(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) fields.set(key, unquote(value!));
  }
  const status = fields.get("status");
  const time = Date.parse(fields.get("lastUpdated") ?? "");
  // Records that an import wrote name Upptime as well, but Upptime writes no such field.
  if (fields.has("since") || /^monitor-action\b/.test(fields.get("generator") ?? "")) return "ours";
  if (!fields.has("lastUpdated") || !isCondition(status)) return "foreign";
  const start = Date.parse(fields.get("startTime") ?? "");
  return {
    url: fields.get("url") ?? "",
    state: status,
    code: parseCount(fields.get("code")),
    ms: timeOf(status, parseCount(fields.get("responseTime"))),
    time,
    start: Number.isNaN(start) ? undefined : start,
  };
}

/**
 * Parses the numbers in the brackets of a commit message, whatever its words and language are; `time` is that of the
 * commit. Without a prefix that names the state, the status code decides.
 */
export function parseMessage(message: string, time: number): UpptimeCheck | undefined {
  const [, code, ms] = [...message.matchAll(/\((\d+)\D+?(\d+)\s*ms\)/g)].at(-1) ?? [];
  if (ms === undefined) return undefined;
  const word = /\b(up|down|degraded)\b(?=\s*\()/.exec(message)?.[1] ?? prefixed(message);
  const status = Number(code);
  const state = isCondition(word) ? word : status >= 200 && status < 400 ? "up" : "down";
  return { url: "", state, code: status, ms: timeOf(state, Number(ms)), time };
}

const PREFIXES = { "🟩": "up", "🟥": "down", "🟨": "degraded" } as const;

function prefixed(message: string): Condition | undefined {
  return PREFIXES[[...message.trimStart()][0] as keyof typeof PREFIXES];
}

/** A number as written; 0 for anything else, such as NaN. */
function parseCount(text: string | undefined): number {
  const value = Number(text);
  return value > 0 && value < 1e9 ? value : 0;
}

/** A failure has no response time, and neither has a check that measures none. */
function timeOf(state: Condition, ms: number): number | undefined {
  return state !== "down" && ms > 0 ? Math.round(ms) : undefined;
}

function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

/** A text in conflict with one of the two sides in place of each conflict. */
function sideOf(text: string, side: 0 | 1): string {
  return text.replace(
    /^<{7}.*\n([\s\S]*?)^(?:\|{7}.*\n[\s\S]*?^)?={7}.*\n([\s\S]*?)^>{7}.*\n?/gm,
    (_, ...sides: string[]) => sides[side]!,
  ).replace(/^(?:<{7}|\|{7}|={7}|>{7}).*\n?/gm, "");
}
