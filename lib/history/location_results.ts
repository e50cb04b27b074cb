import * as v from "valibot";
import { CONNECTING_CHECKS } from "../config/checks/mod.ts";
import type { Site } from "../config/config.ts";
import { isMap } from "../config/document.ts";
import { NO_LOCATION } from "../config/locations.ts";
import { LONGEST_ERROR, type ProbeResult } from "../evaluation/results.ts";
import { plainLines, plainText, shorten } from "../text/plain_text.ts";
import { decodePercent } from "../text/safe_parse.ts";
import { shortHash } from "../text/words.ts";
import { formatTime } from "../time.ts";
import { time } from "./yaml_file.ts";

/** Results of one run of a location or shard, which it sends to the deciding run. */
export interface SentResults {
  /** Id of the location; absent if sites without locations are divided into shards. */
  location?: string;
  /** Absent if it is the only one of its location. */
  shard?: Shard;
  /** Id of the run that made them. */
  run: string;
  /** Time at which that run ended. */
  time: Temporal.Instant;
  results: readonly StoredResult[];
}

/** One of several parts of the sites. */
export interface Shard {
  /** From 1. */
  number: number;
  of: number;
}

const VERSION = 1;
/** Bytes of the largest file of results that is read: those of 20,000 failing sites. */
export const LARGEST_RESULTS = 20e6;
/** Milliseconds by which a busy machine may measure more than its time limit. */
const LATE = 1_000;
/** Longest start of a body that is kept, in characters. */
const LONGEST_BODY = 500;

// Anybody who may push can write them: a number beyond these would spoil every mean.
const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(99_999));
const DURATION = v.pipe(v.number(), v.minValue(0));

const STORED = v.object({
  slug: v.string(),
  /** See {@linkcode hashTarget}. */
  target: v.string(),
  state: v.picklist(["up", "degraded", "down", "unknown"]),
  code: COUNT,
  ms: v.fallback(v.optional(DURATION), undefined),
  phases: v.fallback(
    v.optional(v.tuple([DURATION, DURATION, DURATION, DURATION, DURATION])),
    undefined,
  ),
  attempts: COUNT,
  error: v.fallback(v.optional(v.string()), undefined),
  began: time(),
  confirmed: time(),
  certificate: v.fallback(v.optional(time()), undefined),
  missing: v.fallback(
    v.optional(v.picklist(["notAsked", "unfinished", "resting", "noRoom", "pending"])),
    undefined,
  ),
  unreached: v.fallback(v.optional(v.literal(true)), undefined),
  restUntil: v.fallback(v.optional(time()), undefined),
  expiry: v.fallback(v.optional(v.string()), undefined),
  body: v.fallback(v.optional(v.string()), undefined),
  addresses: v.fallback(v.optional(v.record(v.string(), v.boolean())), undefined),
});

/** Result of one site, without the site. */
export type StoredResult = v.InferOutput<typeof STORED>;

const SENT = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    version: v.literal(VERSION),
    location: v.nullable(v.pipe(v.string(), v.regex(/^[a-z\d-]+$/))),
    shard: v.nullable(v.pipe(v.string(), v.check((text) => parseShard(text) !== undefined))),
    run: v.pipe(v.string(), v.regex(/^[\da-f]{8}$/)),
    time: time(),
    sites: v.array(v.unknown()),
  }),
);

/**
 * Parses `2/10`; `undefined` for any other text.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["2/10", "11/10", "0/1"].map(parseShard), [{ number: 2, of: 10 }, undefined, undefined]);
 * ```
 */
export function parseShard(text: string): Shard | undefined {
  const [, number, of] = /^\s*(\d{1,4})\s*\/\s*(\d{1,4})\s*$/.exec(text)?.map(Number) ?? [];
  const isShard = number !== undefined && of !== undefined && 1 <= number && number <= of;
  return isShard ? { number, of } : undefined;
}

export function formatShard({ number, of }: Shard): string {
  return `${number}/${of}`;
}

/**
 * Name of the file of results.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(resultsFile({ location: "frankfurt" }), "results-frankfurt-1-of-1.json");
 * assertEquals(resultsFile({ shard: { number: 2, of: 10 } }), "results-all-2-of-10.json");
 * ```
 */
export function resultsFile({ location, shard }: Pick<SentResults, "location" | "shard">): string {
  const { number, of } = shard ?? { number: 1, of: 1 };
  return `results-${location ?? NO_LOCATION}-${number}-of-${of}.json`;
}

/** True if the name is one of {@linkcode resultsFile}; a person may choose another one that ends with `.json`. */
export function isResultsFile(name: string): boolean {
  return /^results-.*\.json$/.test(name);
}

/** Hashes check type and address, which detects results of an older configuration. */
function hashTarget({ check, url }: Pick<Site, "check" | "url">): string {
  return shortHash(`${check} ${url}`);
}

/** Formats results whose texts contain no secrets any more. */
export function formatResults(
  { location, shard, run, time }: Omit<SentResults, "results">,
  results: readonly ProbeResult[],
): string {
  const head = {
    version: VERSION,
    location: location ?? null,
    shard: shard === undefined ? null : formatShard(shard),
    run,
    time: formatTime(time),
  };
  const entries = results.map((one) => JSON.stringify(toStored(one)));
  return `${JSON.stringify(head).slice(0, -1)},"sites":[\n${entries.join(",\n")}\n]}\n`;
}

function toStored(result: ProbeResult): Record<keyof StoredResult, unknown> {
  const { site, state, code, responseTime, phases, attempts, error, missing, unreached } = result;
  const { began, confirmed, certificate, restUntil, expiry, body, addresses } = result;
  return {
    slug: site.slug,
    target: hashTarget(site),
    state,
    code,
    ms: responseTime === undefined ? undefined : round(responseTime),
    phases: phases &&
      [phases.dns, phases.connect, phases.tls, phases.ttfb, phases.download].map(round),
    attempts,
    error,
    began: formatTime(began),
    confirmed: formatTime(confirmed),
    certificate: certificate && formatTime(certificate),
    missing,
    unreached,
    restUntil: restUntil && formatTime(restUntil),
    expiry,
    body,
    addresses: addresses && Object.fromEntries(addresses),
  };
}

/** Rounds milliseconds to tenths. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

/** Results of a location or shard that were recorded, for all of their sites or for some. */
interface UsedResults {
  /** See {@linkcode SentResults.run}. */
  run: string;
  /** Slugs of the sites; absent for all. */
  slugs?: ReadonlySet<string>;
}

/**
 * Formats results that were recorded for the run state.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatUsed({ run: "9f3c01ab" }), "9f3c01ab");
 * assertEquals(formatUsed({ run: "9f3c01ab", slugs: new Set(["shop", "blog"]) }), "9f3c01ab shop blog");
 * ```
 */
export function formatUsed({ run, slugs = new Set() }: UsedResults): string {
  return [run, ...[...slugs].map(encodeURIComponent)].join(" ");
}

/** Parses the text of {@linkcode formatUsed}. */
function parseUsed(text: string): UsedResults {
  const [run = "", ...slugs] = text.split(" ");
  return slugs.length === 0 ? { run } : { run, slugs: new Set(slugs.map(decodePercent)) };
}

/** True if the results of a run were recorded for a site; `used` is the text of {@linkcode formatUsed}. */
export function isUsed(used: string | undefined, run: string, slug: string): boolean {
  if (used?.startsWith(run) !== true) return false;
  const { run: known, slugs } = parseUsed(used);
  return known === run && slugs?.has(slug) !== false;
}

/**
 * Parses results; entries that can't be read are left out, and with `slugs` those of other sites. `undefined` if the
 * text is no results at all.
 */
export function parseResults(
  text: string,
  slugs?: ReadonlySet<string>,
): SentResults | undefined {
  const { success, output } = v.safeParse(SENT, text);
  if (!success) return undefined;
  const { location, shard, run, time, sites } = output;
  return {
    ...location === null ? {} : { location },
    ...shard === null ? {} : { shard: parseShard(shard)! },
    run,
    time,
    results: selectEntries(sites, slugs).flatMap((entry) => {
      const read = v.safeParse(STORED, entry);
      return read.success ? [read.output] : [];
    }),
  };
}

/** Selects the last entry of each site before they are validated: a million entries would take a minute. */
function selectEntries(entries: readonly unknown[], slugs?: ReadonlySet<string>): unknown[] {
  if (slugs === undefined) return [...entries];
  const bySlug = new Map<string, unknown>();
  for (const entry of entries) {
    const slug = isMap(entry) ? entry["slug"] : undefined;
    if (typeof slug === "string" && slugs.has(slug)) bySlug.set(slug, entry);
  }
  return [...bySlug.values()];
}

/**
 * Describes a time in a result that no attempt can have taken, as each ends after the `requestTimeout` of its site;
 * `undefined` if all are possible.
 */
export function describeExcess(
  { ms = 0, phases }: StoredResult,
  site: Pick<Site, "check" | "requestTimeout" | "connectTimeout">,
): string | undefined {
  const longest = Math.max(ms, ...phases ?? []);
  return longest <= findLimit(site) + LATE
    ? undefined
    : `its result is damaged, as ${longest} ms are more than an attempt may take`;
}

/** Most milliseconds of an attempt: checks that only connect have no other limit than that of the connection. */
function findLimit(
  { check, requestTimeout, connectTimeout }: Parameters<typeof describeExcess>[1],
): number {
  return CONNECTING_CHECKS.has(check) ? Math.max(requestTimeout, connectTimeout) : requestTimeout;
}

/** Converts the result that a location has sent for a site; `undefined` if it is of another check. */
export function toProbeResult(stored: StoredResult, site: Site): ProbeResult | undefined {
  if (stored.target !== hashTarget(site)) return undefined;
  const { state, code, ms, phases, attempts, error, missing, unreached } = stored;
  const { began, confirmed, certificate, restUntil, expiry, body, addresses } = stored;
  return {
    site,
    state,
    code,
    responseTime: ms && Math.min(ms, findLimit(site)),
    phases: phases && toPhases(phases),
    attempts,
    // Anybody who may push can write them.
    error: error && shorten(plainText(error), LONGEST_ERROR),
    missing,
    unreached,
    began,
    confirmed,
    certificate,
    restUntil,
    expiry: expiry && shorten(plainText(expiry), LONGEST_ERROR),
    body: body && shorten(plainLines(body), LONGEST_BODY),
    addresses: addresses && new Map(Object.entries(addresses)),
  };
}

function toPhases([dns, connect, tls, ttfb, download]: NonNullable<StoredResult["phases"]>) {
  return { dns, connect, tls, ttfb, download };
}
