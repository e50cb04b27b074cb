import * as v from "valibot";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import { type Condition, type Status, STATUSES } from "../state.ts";
import { PROGRAM } from "../version.ts";
import { readYaml, time, yamlLines } from "./yaml_file.ts";

/** The last known state of one site. */
export interface HistoryRecord {
  /** The public URL of the site. */
  url: string;
  status: Status;
  /** HTTP status; 0 if there was no answer. */
  code: number;
  /** Milliseconds; 0 if the last check failed or measured none. */
  responseTime: number;
  lastUpdated: Temporal.Instant;
  /** When the site was first monitored. */
  startTime: Temporal.Instant;
  /** The program that wrote the record, and its version. */
  generator: string;
  /** True if the site answers, but is slow or fails an assertion. */
  degraded: boolean;
  /** Start of the current condition: the first failing attempt, not its confirmation. */
  since: Temporal.Instant;
  /** False while the site is hidden from everything published; once it is removed, only its record knows. */
  public?: false;
  flapping?: true;
  incident?: string;
  /** Expiry of the certificate that the site presented last; absent if it presented none. */
  certificate?: Temporal.Instant;
}

/** True if this program wrote a record, given its generator; other programs check less often. */
export function isOurs(generator: string): boolean {
  return generator.startsWith(PROGRAM);
}

export function toCondition(
  { status, degraded }: Pick<HistoryRecord, "status" | "degraded">,
): Condition {
  if (status === "down") return "down";
  return degraded ? "degraded" : "up";
}

/** Milliseconds of the last check; `undefined` if it failed or measured none. */
export function findResponseTime(
  { status, responseTime }: Pick<HistoryRecord, "status" | "responseTime">,
): number | undefined {
  return status === "down" || responseTime === 0 ? undefined : responseTime;
}

/**
 * Formats a record: the fields that other programs know first, then ours.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "url: 'https://example.com/?key=$KEY'\nstatus: up\ncode: 200\nresponseTime: 123\n" +
 *   "lastUpdated: 2026-11-21T10:05:03.120Z\nstartTime: 2026-01-02T00:00:00.000Z\ngenerator: monitor-action v1.41.0\n" +
 *   "degraded: false\nsince: 2026-11-20T22:10:00.000Z\ncertificate: 2027-02-03T12:00:00.000Z\n";
 * assertEquals(formatRecord(parseRecord(text)!), text);
 * ```
 */
export function formatRecord(record: HistoryRecord): string {
  const { url, status, code, responseTime, lastUpdated, startTime } = record;
  const { generator, degraded, since, flapping, incident, certificate } = record;
  return yamlLines({
    ...{ url, status, code, responseTime, lastUpdated, startTime },
    ...{ generator, degraded, since, public: record.public, flapping, incident, certificate },
  });
}

/** The incident's id becomes a path and may come from anybody: it must not lead out of its folder. */
const FILE_NAME = /^(?!\.)[^/\\\p{C}]+$/u;

const RECORD = v.object({
  url: v.pipe(v.fallback(v.string(), ""), v.transform(publicUrl)),
  status: v.picklist([...STATUSES, "degraded"]),
  code: v.fallback(v.number(), 0),
  responseTime: v.fallback(v.number(), 0),
  lastUpdated: time(),
  startTime: v.optional(time()),
  generator: v.fallback(v.string(), ""),
  degraded: v.fallback(v.boolean(), false),
  since: v.optional(time()),
  public: v.fallback(v.optional(v.literal(false)), undefined),
  flapping: v.fallback(v.optional(v.literal(true)), undefined),
  incident: v.fallback(v.optional(v.pipe(v.string(), v.regex(FILE_NAME))), undefined),
  certificate: v.fallback(v.optional(time()), undefined),
});

/** Parses a record, also one of other programs that lacks our fields; `undefined` if the text is none. */
export function parseRecord(text: string): HistoryRecord | undefined {
  const read = readYaml(RECORD, text);
  if (read === undefined) return undefined;
  const { status, degraded, startTime, since, ...rest } = read;
  return {
    ...rest,
    status: status === "degraded" ? "up" : status,
    degraded: degraded || status === "degraded",
    startTime: startTime ?? rest.lastUpdated,
    since: since ?? rest.lastUpdated,
  };
}
