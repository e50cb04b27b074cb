/** What an answer says of itself. */
export interface AnswerHead {
  status: number;
  /** What GitHub says, in its own words. */
  message: string;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | number | undefined>>;
}

/** Seconds to wait where GitHub does not say how long. */
const USUAL_WAIT = 60;
/** Longest that is believed, in seconds: the allowance of an hour is the longest there is. */
const LONGEST_WAIT = 3600;

/**
 * Seconds after which a refusal for being asked too much ends; `undefined` where it is none. `now` is
 * the time in milliseconds by a clock that is used only where the answer has no date.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const headers = { "retry-after": "7" };
 * assertEquals(secondsToWait({ status: 429, message: "Slow down", headers }, 0), 7);
 * assertEquals(secondsToWait({ status: 403, message: "Forbidden", headers: {} }, 0), undefined);
 * ```
 */
export function secondsToWait(head: AnswerHead, now: number): number | undefined {
  const seconds = secondsAsked(head, now);
  return seconds && Math.min(seconds, LONGEST_WAIT);
}

function secondsAsked(
  { status, message, headers }: AnswerHead,
  now: number,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const today = Date.parse(String(headers["date"])) || now;
  const after = headers["retry-after"];
  if (after !== undefined && after !== "") {
    const seconds = Number(after);
    if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
    const date = Date.parse(String(after));
    if (!Number.isNaN(date)) return secondsUntil(date, today);
  }
  const isLimited = status === 429 || /rate limit|abuse detection/i.test(message);
  if (!isLimited) return undefined;
  const reset = Number(headers["x-ratelimit-reset"]);
  return String(headers["x-ratelimit-remaining"]) === "0" && reset > 0
    ? secondsUntil(reset * 1000, today) + 1
    : USUAL_WAIT;
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
