import type { Site } from "../config/config.ts";
import { shorten } from "../text/plain_text.ts";
import { earliest, latest } from "../time.ts";
import { describeLack, describeVotes } from "./location_words.ts";
import { type LocationResult, LONGEST_ERROR, type ProbeResult } from "./results.ts";

/** Result of a site from one location, or the reason why it is missing. */
export interface LocationPart {
  location: string;
  result?: ProbeResult;
  /** Reason why the result is absent, such as `it has sent nothing since 10:05 UTC`. */
  missing?: string;
  isNew: boolean;
  results?: string;
}

type Voter = LocationPart & { result: ProbeResult };

/**
 * Combines the results of locations to one result: `down` if at least the quorum sees the site down, `degraded` if
 * fewer do (unless `partial: ignore`) or if at least the quorum sees it down or degraded, else `up`. A location without a
 * result has no vote; if fewer than the quorum have one, the result is `unknown`. `now` is the time of a result that
 * no location has. With a single location the result is that of the location.
 */
export function combineLocations(
  site: Site,
  parts: readonly LocationPart[],
  now: Temporal.Instant,
): ProbeResult {
  const locations = parts.map((part) => toLocationResult(part, now));
  const [only] = parts;
  if (parts.length === 1 && only?.result !== undefined) {
    return { ...only.result, ...only.isNew ? {} : { isRepeated: true as const }, locations };
  }
  const voters = parts.filter((part): part is Voter =>
    part.result !== undefined && part.result.state !== "unknown"
  );
  if (voters.length < site.quorum) {
    const error = shorten(describeLack(site.quorum, locations), LONGEST_ERROR);
    return { ...withoutResult(site, parts, now), error, locations };
  }
  const down = voters.filter(({ result }) => result.state === "down");
  const unwell = voters.filter(({ result }) => result.state !== "up");
  const state = down.length >= site.quorum
    ? "down"
    : unwell.length >= site.quorum || (down.length > 0 && site.partial === "degraded")
    ? "degraded"
    : "up";
  // Those whose failure is the reason: of a site that is degraded, the ones that see it down come first.
  const named = down.length > 0 ? down : unwell;
  const supporting = state === "up"
    ? voters.filter(({ result }) => result.state === "up")
    : state === "down"
    ? down
    : unwell;
  const error = named.length === 0 ? findRemark(supporting) : shorten(
    `${describeVotes(locations)}: ${named[0]!.result.error ?? "no reason"}`,
    LONGEST_ERROR,
  );
  const typical = findTypical(voters);
  const first = (state === "down" ? down[0]! : typical ?? supporting[0]!).result;
  const { code, details } = first;
  return {
    site,
    state,
    code,
    ...state === "down" || typical === undefined
      ? {}
      : { responseTime: typical.result.responseTime, phases: typical.result.phases },
    attempts: sum(supporting.map(({ result }) => result.attempts)),
    details,
    error,
    ...combineFacts(site, voters, state, supporting),
    began: findStart(supporting, site.quorum),
    confirmed: latest(...voters.map(({ result }) => result.confirmed)),
    ...supporting.some(({ isNew }) => isNew) ? {} : { isRepeated: true as const },
    locations,
  };
}

/**
 * Marks the results of locations that another run has used meanwhile as not new; `wasUsed` gets the ids of results.
 */
export function markUsed(result: ProbeResult, wasUsed: (results: string) => boolean): ProbeResult {
  const isUsed = ({ isNew, results }: LocationResult) =>
    isNew && results !== undefined && wasUsed(results);
  if (result.locations?.some(isUsed) !== true) return result;
  const locations = result.locations.map((one) => isUsed(one) ? { ...one, isNew: false } : one);
  const supports = ({ state }: LocationResult) =>
    result.state === "degraded" ? state === "down" || state === "degraded" : state === result.state;
  const hasNew = locations.some((one) => one.isNew && supports(one));
  return { ...result, locations, ...hasNew ? {} : { isRepeated: true as const } };
}

function toLocationResult(
  { location, result, missing, isNew, results }: LocationPart,
  now: Temporal.Instant,
): LocationResult {
  const source = results === undefined ? {} : { results };
  if (result === undefined) {
    const error = missing ?? "it has sent nothing";
    return {
      location,
      state: "unknown",
      code: 0,
      attempts: 0,
      error,
      confirmed: now,
      isNew: false,
    };
  }
  const { state, code, responseTime, attempts, error, confirmed } = result;
  return {
    location,
    state,
    code,
    responseTime,
    attempts,
    error,
    confirmed,
    isNew,
    ...source,
  };
}

/** An unknown result; it has the reason of the locations if that is the same for all. */
function withoutResult(
  site: Site,
  parts: readonly LocationPart[],
  now: Temporal.Instant,
): ProbeResult {
  const results = parts.flatMap(({ result }) => result ?? []);
  const reasons = new Set(parts.map(({ result }) => result?.missing));
  const [missing] = reasons;
  return {
    site,
    state: "unknown",
    code: 0,
    attempts: sum(results.map(({ attempts }) => attempts)),
    ...reasons.size === 1 && missing !== undefined ? { missing } : {},
    began: results.length === 0 ? now : earliest(...results.map(({ began }) => began)),
    confirmed: results.length === 0 ? now : latest(...results.map(({ confirmed }) => confirmed)),
  };
}

/** The remark of a location that sees a site up, if all of them have the same. */
function findRemark(voters: readonly Voter[]): string | undefined {
  const remarks = new Set(voters.map(({ result }) => result.error));
  return remarks.size === 1 ? [...remarks][0] : undefined;
}

/** The location with the median response time; of two in the middle, the faster. */
function findTypical(voters: readonly Voter[]): Voter | undefined {
  const measured = voters
    .filter(({ result }) => result.state !== "down" && result.responseTime !== undefined)
    .sort((one, other) => one.result.responseTime! - other.result.responseTime!);
  return measured[Math.floor((measured.length - 1) / 2)];
}

/** Facts about the site that don't depend on votes: certificate, rest, addresses; and those of the reason. */
function combineFacts(
  site: Site,
  voters: readonly Voter[],
  state: ProbeResult["state"],
  supporting: readonly Voter[],
): Partial<ProbeResult> {
  const results = voters.map(({ result }) => result);
  const certificates = results.flatMap(({ certificate }) => certificate ?? []);
  // A site that limits fewer locations than the quorum can still be checked.
  const restUntil = results.flatMap(({ restUntil }) => restUntil ?? [])
    .sort(Temporal.Instant.compare).at(-site.quorum);
  const reasons = supporting.map(({ result }) => result);
  const expiry = reasons.filter((one) => one.expiry !== undefined).sort((one, other) =>
    Temporal.Instant.compare(one.certificate ?? one.confirmed, other.certificate ?? other.confirmed)
  ).at(0)?.expiry;
  const body = reasons.find((one) => one.body !== undefined)?.body;
  const addresses = new Map<string, boolean>();
  // A failure is explained by an address only if no location that fails reaches it.
  for (const { addresses: own } of reasons) {
    for (const [address, isReached] of own ?? []) {
      addresses.set(address, isReached || addresses.get(address) === true);
    }
  }
  return {
    ...certificates.length === 0 ? {} : { certificate: earliest(...certificates) },
    ...restUntil === undefined ? {} : { restUntil },
    ...state === "degraded" && expiry !== undefined ? { expiry } : {},
    ...state === "up" || body === undefined ? {} : { body },
    ...state === "up" || addresses.size === 0 ? {} : { addresses },
  };
}

/** Time at which the quorum saw a state: a location whose clock is wrong, or that is late, does not shift it. */
function findStart(supporting: readonly Voter[], quorum: number): Temporal.Instant {
  const starts = supporting.map(({ result }) => result.began).sort(Temporal.Instant.compare);
  return starts[Math.min(quorum, starts.length) - 1]!;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((before, number) => before + number, 0);
}
