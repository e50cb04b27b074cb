import { parseDuration, parseMoment } from "../../config/keys/times.ts";
import { shorten } from "../../text/plain_text.ts";
import { DAY, formatTime } from "../../time.ts";

/** A message of a job: it has started, or ended well or badly. */
export interface Beat {
  kind: "start" | "ok" | "fail";
  at: Temporal.Instant;
  code?: number;
  /** Milliseconds that the job took, if it said so. */
  duration?: number;
}

/** Longest text that is a beat, in characters. */
const LONGEST_BEAT = 200;
export const LONGEST_JOB = 366 * DAY;

/**
 * Parses a beat: a word (`start`, `ok`, `fail`) or an exit code, the time, and the duration. Without a word it is
 * `ok`. Without a time it is of `received`, if that is known. A text that is no beat results in a message.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const at = Temporal.Instant.from("2026-11-23T03:04:05Z");
 * assertEquals(parseBeat("ok 2026-11-23T03:04:05Z 90s"), { kind: "ok", at, duration: 90_000 });
 * assertEquals(parseBeat("3 2026-11-23T04:04:05+01:00"), { kind: "fail", at, code: 3 });
 * assertEquals(parseBeat("1795403045"), { kind: "ok", at });
 * assertEquals(parseBeat("ok"), 'expected a beat such as "ok 2026-11-23T03:04:05Z", found "ok", which has no time');
 * ```
 */
export function parseBeat(text: string, received?: Temporal.Instant): Beat | string {
  const words = text.trim().split(/\s+/);
  const found = `expected a beat such as "ok 2026-11-23T03:04:05Z", found ${
    JSON.stringify(shorten(text.trim(), 60))
  }`;
  if (text.length > LONGEST_BEAT) return found;
  const result = parseResult(words[0]!);
  const rest = result === undefined ? words : words.slice(1);
  const time = rest[0] === undefined ? undefined : parseTime(rest[0]);
  const at = time ?? received;
  const [word, ...more] = time === undefined ? rest : rest.slice(1);
  const duration = word === undefined ? undefined : parseJobDuration(word);
  if (more.length > 0 || (word !== undefined && duration === undefined)) return found;
  if (at === undefined) return result === undefined ? found : `${found}, which has no time`;
  return {
    ...result ?? { kind: "ok" },
    at,
    ...duration === undefined ? {} : { duration },
  };
}

/**
 * Formats a beat as {@linkcode parseBeat} reads it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const at = Temporal.Instant.from("2026-11-23T03:04:05Z");
 * assertEquals(formatBeat({ kind: "fail", code: 3, at, duration: 90_000 }), "3 2026-11-23T03:04:05.000Z 90s");
 * ```
 */
export function formatBeat({ kind, at, code, duration }: Beat): string {
  const took = duration === undefined ? "" : ` ${Math.round(duration) / 1000}s`;
  return `${code ?? kind} ${formatTime(at)}${took}`;
}

/** The milliseconds that a job took, by default from seconds; `undefined` for what no job takes. */
function parseJobDuration(text: string): number | undefined {
  const duration = parseDuration(text, "s");
  return duration === undefined || duration > LONGEST_JOB ? undefined : duration;
}

/** Parses `start`, `ok`, `fail` or an exit code. */
export function parseResult(word: string): Pick<Beat, "kind" | "code"> | undefined {
  const lower = word.toLowerCase();
  if (lower === "start" || lower === "ok" || lower === "fail") return { kind: lower };
  const code = /^\d{1,3}$/.test(word) ? Number(word) : 256;
  if (code > 255) return undefined;
  return code === 0 ? { kind: "ok" } : { kind: "fail", code };
}

/** Parses seconds, also with a fraction, or milliseconds since 1970, or an ISO time with `Z` or an offset. */
function parseTime(text: string): Temporal.Instant | undefined {
  if (/^\d{10}(?:\d{3}|\.\d+)?$/.test(text)) {
    const time = Number(text) * (text.length === 13 && !text.includes(".") ? 1 : 1000);
    return Temporal.Instant.fromEpochMilliseconds(Math.floor(time));
  }
  if (!/T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text)) return undefined;
  // ISO 8601 prefers the comma, and so does GNU date.
  return parseMoment(text.replace(",", "."), "UTC");
}
