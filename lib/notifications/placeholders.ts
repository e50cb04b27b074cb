import type { PlaceholderName } from "../config/channels/kinds.ts";
import { describeDuration } from "../time.ts";
import { withDependencies } from "./dependency_words.ts";
import type { MessagePlaces, SiteEvent } from "./message.ts";

/** Placeholders that are addresses, which channels may show as links. */
export const ADDRESSES: readonly string[] = ["SITE_URL", "INCIDENT_URL"];

/**
 * The values of an event. Numbers are 0 where there is none, as in a record, and texts empty, so that
 * JSON made of them stays JSON.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const since = "2026-11-21T10:05:03.120Z";
 * const seen = { code: 503, error: "", attempts: 3, incident: "2026-11-21-shop", issue: 12 };
 * const values = placeholdersOf({ id: "a", kind: "down", name: "Shop", slug: "shop", since, ...seen }, { home: "https://a.example" });
 * assertEquals([values.STATUS, values.RESPONSE_TIME, values.INCIDENT_URL], ["down", "0", "https://a.example/issues/12"]);
 * ```
 */
export function placeholdersOf(
  event: SiteEvent,
  { home }: MessagePlaces,
): Record<PlaceholderName, string> {
  const { name, kind, flapping, title, url, code, since, responseTime, error, lasted, issue } =
    event;
  const status = kind !== "up" && flapping !== undefined ? "flapping" : kind;
  return {
    SITE_NAME: name,
    STATUS: status,
    SITE_STATUS: status,
    SITE_URL: url ?? "",
    RESPONSE_CODE: String(code),
    TIMESTAMP: since,
    RESPONSE_TIME: String(Math.round(responseTime ?? 0)),
    ERROR: kind === "notice" ? `${title}: ${error}` : withDependencies(error, event),
    DURATION: lasted === undefined ? "" : describeDuration(lasted),
    INCIDENT_URL: home === undefined || issue === undefined ? "" : `${home}/issues/${issue}`,
  };
}
