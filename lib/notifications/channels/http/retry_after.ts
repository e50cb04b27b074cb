import { type HttpAnswer, jsonOf, within } from "./request.ts";

/**
 * Milliseconds after which a vendor wants to be asked again; `undefined` where it does not say. That
 * stands in `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3), or in the body, where
 * Discord gives fractions of a second (discord.com/developers/docs/topics/rate-limits) and Telegram
 * `parameters.retry_after` (core.telegram.org/bots/api#responseparameters).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const headers = new Headers({ "Retry-After": "Sat, 21 Nov 2026 10:06:00 GMT" });
 * assertEquals(retryAfter({ status: 429, headers, body: "" }, now), 60_000);
 * assertEquals(retryAfter({ status: 429, headers: new Headers(), body: '{"retry_after": 0.35}' }, now), 350);
 * ```
 */
export function retryAfter(answer: HttpAnswer, now: Temporal.Instant): number | undefined {
  const json = jsonOf(answer);
  const inBody = [within(json, "retry_after"), within(json, "parameters", "retry_after")]
    .find((value) => typeof value === "number" && value >= 0);
  if (typeof inBody === "number") return Math.ceil(inBody * 1000);
  const header = answer.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const wait = Date.parse(header) - now.epochMilliseconds;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
