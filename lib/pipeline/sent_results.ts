import type { Config, Site } from "../config/config.ts";
import { computeShard, isHostedLocation, type Location, NO_LOCATION } from "../config/locations.ts";
import { LONGEST_REST } from "../evaluation/evaluate_site.ts";
import type { LocationPart } from "../evaluation/locations.ts";
import type { ProbeResult } from "../evaluation/results.ts";
import {
  describeExcess,
  formatShard,
  formatUsed,
  isUsed,
  type SentResults,
  type StoredResult,
  toProbeResult,
} from "../history/location_results.ts";
import {
  describeDuration,
  earliest,
  formatTime,
  HOUR,
  latest,
  MINUTE,
  utcMinute,
} from "../time.ts";

/** Milliseconds by which the clock of a location may be fast. */
const FAST = 10 * MINUTE;
/** Least age, in milliseconds, up to which results of jobs count: the deciding one waits for others that are queued. */
const LEAST_JOB_AGE = 30 * MINUTE;
/** Longest time from the start of a check to the end of its run, in milliseconds. */
const LONGEST_RUN = HOUR;
/** Reason of a location that has never sent anything, as far as is known. */
const NOTHING = "it has sent nothing";
/** Gaps that results may be old. */
const GAPS = 2;

/**
 * Computes the age up to which results of locations count, in milliseconds: twice the usual gap between runs, which
 * is the median of the known ones, but never less than the schedule plans. The logs at hand often cover only some
 * hours, which are too few for `computeRunGaps`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const MINUTE = 60_000;
 * const hourly = [0, 60, 120, 181, 240].map((minute) => minute * MINUTE);
 * assertEquals(computeMaxAge(hourly, { scheduled: 5 * MINUTE, now: 300 * MINUTE }), 120 * MINUTE);
 * assertEquals(computeMaxAge([], { scheduled: 5 * MINUTE, now: 0 }), 10 * MINUTE);
 * ```
 */
export function computeMaxAge(
  runs: Iterable<number>,
  { scheduled, now }: { scheduled: number; now: number },
): number {
  const times = [...new Set(runs)].filter((time) => time < now).sort((one, other) => one - other);
  const gaps = times.map((time, index) => (times[index + 1] ?? now) - time)
    .sort((one, other) => one - other);
  const median = gaps[Math.floor(gaps.length / 2)] ?? 0;
  return GAPS * Math.max(scheduled, median);
}

/** Names results by location and shard, such as `frankfurt` or `frankfurt 2/10`. */
function toKey(id: string, shard: SentResults["shard"]): string {
  return shard === undefined || shard.of === 1 ? id : `${id} ${formatShard(shard)}`;
}

/** The newest results of a location or shard. */
interface Newest extends Omit<SentResults, "results"> {
  bySlug: ReadonlyMap<string, StoredResult>;
}

/** Results that other jobs have sent for a run, by location and shard. */
export class SentParts {
  readonly #newest = new Map<string, Newest>();
  readonly #now: Temporal.Instant;
  readonly #maxAge: number;
  readonly #recorded: Readonly<Record<string, string>>;
  /** Numbers of shards by the id of the location. */
  readonly #shards = new Map<string, number>();

  constructor(sent: readonly SentResults[], { now, maxAge, recorded = {} }: {
    now: Temporal.Instant;
    /** In milliseconds. */
    maxAge: number;
    /** Results that earlier runs have recorded, by location and shard; see `formatUsed`. */
    recorded?: Readonly<Record<string, string>>;
  }) {
    this.#now = now;
    this.#maxAge = maxAge;
    this.#recorded = recorded;
    const newestOf = new Map<string, SentResults>();
    for (const one of sent) {
      const id = one.location ?? NO_LOCATION;
      const known = newestOf.get(id);
      if (known === undefined || this.#order(known) < this.#order(one)) newestOf.set(id, one);
    }
    for (const [id, { shard }] of newestOf) this.#shards.set(id, shard?.of ?? 1);
    for (const one of sent) this.#add(one);
  }

  #add({ results, ...head }: SentResults): void {
    const id = head.location ?? NO_LOCATION;
    if ((head.shard?.of ?? 1) !== this.#shards.get(id)) return; // The number of shards has changed.
    const key = toKey(id, head.shard);
    const known = this.#newest.get(key);
    const isOlder = known !== undefined && known.run !== head.run &&
      this.#order(known) >= this.#order(head);
    if (isOlder) return;
    const before = known?.run === head.run ? known.bySlug : new Map<string, StoredResult>();
    const bySlug = new Map([...before, ...results.map((one) => [one.slug, one] as const)]);
    this.#newest.set(key, { ...head, bySlug });
  }

  /** Orders results of a location by time; those of a fast clock come first, because no run uses them. */
  #order({ time }: { time: Temporal.Instant }): number {
    const age = this.#now.epochMilliseconds - time.epochMilliseconds;
    return -age > FAST ? -Infinity : -age;
  }

  /** Finds the result that a location has sent for a site, or the reason why it is missing. */
  find(site: Site, location: Location): LocationPart {
    const isOfJob = isHostedLocation(location);
    const part = this.#find(site, location, isOfJob);
    return isOfJob && part.missing === NOTHING
      ? { ...part, missing: "its job left no results" }
      : part;
  }

  /** Finds the result of a site without locations, which its shard has sent. */
  findOfShard(site: Site, shards: Config["shards"]): ProbeResult {
    const of = this.#shards.get(NO_LOCATION) ?? (shards === "auto" ? 1 : shards);
    this.#shards.set(NO_LOCATION, of);
    const { result, missing, isNew } = this.#find(site, { id: NO_LOCATION, name: "" }, true);
    if (result !== undefined) return isNew ? result : { ...result, isRepeated: true };
    const time = this.#now;
    const error = missing!;
    return { site, state: "unknown", code: 0, attempts: 0, error, began: time, confirmed: time };
  }

  #find(site: Site, { id, name }: Pick<Location, "id" | "name">, isOfJob: boolean): LocationPart {
    const of = this.#shards.get(id) ?? 1;
    const shard = of === 1 ? undefined : { number: computeShard(site.slug, of), of };
    const key = toKey(id, shard);
    const newest = this.#newest.get(key);
    const lacking = (missing: string): LocationPart => ({ location: name, missing, isNew: false });
    const what = shard === undefined
      ? name === "" ? "the job that checks" : "it"
      : `shard ${shard.number} of ${shard.of}`;
    if (newest === undefined) {
      return lacking(shard === undefined && name !== "" ? NOTHING : `${what} left no results`);
    }
    const age = this.#now.epochMilliseconds - newest.time.epochMilliseconds;
    const maxAge = isOfJob ? Math.max(LEAST_JOB_AGE, this.#maxAge) : this.#maxAge;
    if (age > maxAge) return lacking(`${what} has sent nothing since ${this.#clock(newest)}`);
    if (-age > FAST) return lacking(`its clock is ${describeDuration(-age)} ahead`);
    const stored = newest.bySlug.get(site.slug);
    const result = stored && toProbeResult(stored, site);
    if (result === undefined) {
      return lacking(
        stored === undefined
          ? "its results lack this site"
          : "its results are of an older configuration",
      );
    }
    const excess = describeExcess(stored!, site);
    if (excess !== undefined) return lacking(excess);
    return {
      location: name,
      result: this.#withPlausibleTimes(result, newest),
      isNew: !isUsed(this.#recordedOf(key), newest.run, site.slug),
      results: newest.run,
    };
  }

  /**
   * The results that are used once the sites `slugs` are recorded, by location and shard; `recorded` are those that
   * were before.
   */
  addUsed(
    recorded: Readonly<Record<string, string>>,
    slugs: ReadonlySet<string>,
    { locations, sites }: Pick<Config, "locations" | "sites">,
  ): Map<string, string> {
    const names = new Map([
      [NO_LOCATION, ""],
      ...locations.map(({ id, name }) => [id, name] as const),
    ]);
    const placesOf = new Map(sites.map(({ slug, locations }) => [slug, locations]));
    const nameOf = (key: string) => names.get(key.split(" ")[0]!);
    const used = new Map(
      Object.entries(recorded).filter(([key]) => nameOf(key) !== undefined),
    );
    for (const [key, { run, bySlug }] of this.#newest) {
      const name = nameOf(key);
      if (name === undefined) continue;
      const own = [...bySlug.keys()].filter((slug) => {
        const locations = placesOf.get(slug);
        return name === "" ? locations?.length === 0 : locations?.includes(name);
      });
      const before = used.get(key);
      const done = own.filter((slug) => slugs.has(slug) || isUsed(before, run, slug));
      if (done.length === own.length) used.set(key, run);
      else if (done.length > 0) used.set(key, formatUsed({ run, slugs: new Set(done) }));
    }
    return used;
  }

  #recordedOf(key: string): string | undefined {
    return Object.hasOwn(this.#recorded, key) ? this.#recorded[key] : undefined;
  }

  /**
   * Moves times of a result that are in the future or long before the end of its run, and shortens a rest that is too
   * long: the clock of a location may be wrong, or be set during the checks.
   */
  #withPlausibleTimes(
    { restUntil, ...result }: ProbeResult,
    { time }: Pick<Newest, "time">,
  ): ProbeResult {
    const first = earliest(time, this.#now).subtract({ milliseconds: LONGEST_RUN });
    const confirmed = latest(first, earliest(result.confirmed, this.#now));
    const latestRest = this.#now.add({ milliseconds: LONGEST_REST });
    return {
      ...result,
      began: latest(first, earliest(result.began, confirmed)),
      confirmed,
      ...restUntil === undefined ? {} : { restUntil: earliest(restUntil, latestRest) },
    };
  }

  /** The time of results: the minute, and the day if that was longer ago. */
  #clock({ time }: Newest): string {
    const isRecent = this.#now.epochMilliseconds - time.epochMilliseconds < 12 * HOUR;
    return isRecent ? `${formatTime(time).slice(11, 16)} UTC` : `${utcMinute(time)} UTC`;
  }
}
