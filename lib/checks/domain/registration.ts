import { DAY, HOUR, utcDay } from "../../time.ts";
import { formatExpiry } from "../certificates.ts";
import type { Failure, Observation, Registration } from "../observation.ts";

/** Days before its expiry in which a domain is degraded, unless the site says otherwise. */
const USUAL_WARNING = 30 * DAY;

/** Statuses of a domain that is not in DNS, or soon gone (RFC 8056, RFC 9083). */
const BAD_STATUSES = ["client hold", "server hold", "redemption period", "pending delete"];

/**
 * Reads the answer of an RDAP server (RFC 9083, sections 4.5, 4.6 and 5.3); `undefined` if it is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const answer = { status: ["active"], events: [{ eventAction: "expiration", eventDate: "2027-03-01T00:00:00Z" }] };
 * assertEquals(readAnswer(answer)?.expires?.toString(), "2027-03-01T00:00:00Z");
 * assertEquals(readAnswer({ objectClassName: "domain", status: ["Server Hold"] }), { status: "server hold" });
 * ```
 */
export function readAnswer(
  answer: unknown,
): Pick<Registration, "expires" | "status"> | undefined {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return undefined;
  const { objectClassName, events, status: statuses } = answer as Record<string, unknown>;
  if (!Array.isArray(events) && objectClassName !== "domain") return undefined;
  const list = (value: unknown): unknown[] => Array.isArray(value) ? value : [];
  const dates = new Map(
    list(events).map((event) => {
      const { eventAction, eventDate } = Object(event);
      return [toText(eventAction).toLowerCase(), Date.parse(toText(eventDate))];
    }),
  );
  const expiry = dates.get("expiration") ?? dates.get("registrar expiration") ?? NaN;
  const words = list(statuses).map((status) => toText(status).toLowerCase());
  const status = BAD_STATUSES.find((bad) => words.includes(bad));
  return {
    ...(Number.isNaN(expiry) ? {} : { expires: Temporal.Instant.fromEpochMilliseconds(expiry) }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Anything but a text is empty: some values of JSON can't be made a text. */
function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function evaluateRegistration(
  { expires, status, fault }: Pick<Registration, "expires" | "status" | "fault">,
  now: Temporal.Instant,
  expiresWithin = USUAL_WARNING,
): Pick<Observation, "failure" | "degradation" | "expiry"> {
  const answer = (reason: string): Failure => ({ kind: "answer", reason });
  if (status !== undefined) return { failure: answer(`the domain has the status "${status}"`) };
  if (expires === undefined) {
    const reason = fault ?? "the registry publishes no expiry date: add expires: with the date";
    return { failure: { kind: "configuration", reason } };
  }
  const left = expires.epochMilliseconds - now.epochMilliseconds;
  const expiry = formatExpiry(left, "domain");
  if (left < 0) return { failure: answer(expiry) };
  return left < expiresWithin ? { degradation: `${expiry} (${utcDay(expires)})`, expiry } : {};
}

/** Milliseconds until the registry is asked again: a renewal must be seen soon, and limits are unpublished. */
export function chooseDelay(
  { expires, status, fault }: Partial<Registration>,
  now: Temporal.Instant,
): number {
  const left = expires === undefined
    ? undefined
    : expires.epochMilliseconds - now.epochMilliseconds;
  if (fault !== undefined || status !== undefined || (left !== undefined && left < 0)) return HOUR;
  return left !== undefined && left < USUAL_WARNING ? 6 * HOUR : DAY;
}

/**
 * The address of the server that knows a domain, by the longest suffix of its labels in a list of servers
 * (RFC 9224, section 4); one with https if there is a choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const list = { services: [[["br"], ["https://br.example/"]], [["com.br"], ["http://a.example", "https://b.example"]]] };
 * assertEquals(findServer(list, "shop.com.br"), "https://b.example/");
 * assertEquals(findServer(list, "shop.org.br"), "https://br.example/");
 * assertEquals(findServer(list, "shop.example"), undefined);
 * ```
 */
export function findServer(list: unknown, domain: string): string | undefined {
  const { services } = Object(list) as { services?: unknown };
  const servers = new Map<string, string>();
  const pairs = (Array.isArray(services) ? services : []).filter(Array.isArray);
  for (const [suffixes, addresses] of pairs) {
    const urls = [addresses].flat().map(toText).filter((url) => /^https?:\/\/./i.test(url));
    const url = urls.find((url) => /^https:/i.test(url)) ?? urls[0];
    if (url === undefined) continue;
    for (const suffix of [suffixes].flat()) {
      servers.set(toText(suffix).toLowerCase(), url.replace(/\/?$/, "/"));
    }
  }
  const labels = domain.toLowerCase().split(".");
  return labels.map((_, index) => servers.get(labels.slice(index).join(".")))
    .find((url) => url !== undefined);
}
