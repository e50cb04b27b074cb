import type { Heartbeat } from "../checks/heartbeat/heartbeat.ts";
import { probe } from "../checks/mod.ts";
import type { Observation, ProbeContext, Registration } from "../checks/observation.ts";
import { STATEFUL_CHECKS } from "../config/checks/mod.ts";
import { type Config, selectAddresses, selectSlugs, type Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { plainLines, plainText, shorten } from "../text/plain_text.ts";
import { type Canaries, toInconclusive } from "./canaries.ts";
import { AddressDependencies } from "./dependencies.ts";
import { evaluateSite, LONGEST_REST, type Retry, toRestingResult } from "./evaluate_site.ts";
import { Pace, Slots } from "./pacing.ts";
import { LONGEST_ERROR, type ProbeResult } from "./results.ts";

/** Longest time that an attempt keeps its slot, in milliseconds. */
export const LONGEST_SLOT = 5_000;
/** Shortest time; healthy sites answer sooner. */
const SHORTEST_SLOT = 250;
/** Rounds of slots that fit into a run, however many sites hang. */
const ROUNDS = 12;
const LONGEST_DETAIL = 2000;
const KEPT_BODY = 500;

interface CheckSitesOptions
  extends Pick<ProbeContext, "root" | "userAgent" | "detailed" | "quotesAnswers" | "readVariable"> {
  clock: Clock;
  random(): number;
  secrets: Secrets;
  /** First attempts don't wait for it, except those of sites that may rest and of more than `concurrency` sites. */
  earlier: Promise<EarlierRuns>;
  /** True if a site may have asked not to be checked for a while. @default Never */
  mayRest?(site: Site): boolean;
  /** True if a host and port can be connected to; called for addresses that a failing site depends on. */
  reaches(address: string): Promise<boolean>;
  /** True if the start of a failed answer's body may be stored and shown; asked for a failing site. @default Never */
  keepsBody?(site: Site): Promise<boolean>;
  stop?: AbortSignal;
  /** Probes a site once; tests replace it. */
  probeSite?(site: Site, context: ProbeContext): Promise<Observation>;
  /** Called when an attempt ends, before its site is evaluated. */
  onAttempt?(site: Site): void;
  onRetry?(site: Site, retry: Retry): void;
  /** Called with each result when it is final, and awaited; for a failing site after those that it depends on. */
  onResult(result: ProbeResult): unknown;
}

/** Facts from the history that affect how attempts are evaluated. */
export interface EarlierRuns {
  canaries: Canaries;
  isKnownDown(site: Site): boolean;
  /** Consecutive runs, up to the last, in which a site was not checked. @default 0 */
  runsNotAsked?(site: Site): number;
  /** True if a site did not answer before the end of the last run that checked it. */
  wasUnfinished?(site: Site): boolean;
  /** True if a site is in maintenance and may have any state. */
  mayBeDown?(site: Site): boolean;
  restsUntil?(site: Site): Temporal.Instant | undefined;
  findHeartbeat?(site: Site): Heartbeat | undefined;
  findRegistration?(site: Site): Registration | undefined;
}

/**
 * Checks every site, at most `concurrency` at once, and for at most `runDeadline`. The first `concurrency` sites
 * start at once; the others once the history is known, first those that were not checked for the most runs. Sites
 * known to be down, or that did not answer in time, come after the others (see {@linkcode Slots}), so that these
 * are checked however many hang. The results have the order of the configuration and contain no secrets.
 * Sites that could not be reached are `unknown` if the canaries can't be reached either; see also `doubtUnreached`.
 * If a site fails and no site that it depends on does, its addresses are checked.
 *
 * @throws What `earlier` rejects with.
 */
export async function checkSites(
  { sites, concurrency, runDeadline }: Config,
  options: CheckSitesOptions,
): Promise<ProbeResult[]> {
  const { clock, random, secrets, root, userAgent, detailed, readVariable, reaches } = options;
  const { probeSite = ({ target }: Site, context: ProbeContext) => probe(target, context) } =
    options;
  const limit = computeSlotLimit(runDeadline, sites.length / concurrency);
  const slots = new Slots(concurrency, { limit, clock });
  const pace = new Pace(clock);
  const deadline = new AbortController();
  const { signal } = deadline;
  const done = new AbortController();
  const addresses = new AddressDependencies({ clock, secrets, reaches, deadline: signal });
  const end = () => deadline.abort(new Error("the run is out of time"));
  clock.wait(runDeadline, done.signal).then(end);
  options.stop?.addEventListener("abort", end, { signal: done.signal });

  const evaluate = async (site: Site, mustWait: boolean): Promise<ProbeResult> => {
    const needsHistory = STATEFUL_CHECKS.has(site.check) || options.mayRest?.(site) === true;
    let earlier = mustWait || needsHistory ? await ready : undefined;
    let registration = earlier?.findRegistration?.(site);
    const now = clock.now();
    const until = earlier?.restsUntil?.(site);
    if (until !== undefined && isResting(until, now)) return toRestingResult(site, until, now);
    const result = await evaluateSite(site, {
      clock,
      async probe(site, attempt) {
        const observation = await probeSite(site, {
          quotesAnswers: site.keepBody || options.quotesAnswers,
          ...{ secrets, root, userAgent, detailed, readVariable, signal, attempt, registration },
          now: clock.now(),
          heartbeat: earlier?.findHeartbeat?.(site),
        });
        registration = observation.registration ?? registration;
        return observation;
      },
      turn: (attempt) =>
        slots.use(async () => {
          if (!signal.aborted && site.url !== "") await pace.turn(site.url);
          const attempted = await attempt();
          options.onAttempt?.(site);
          return attempted;
        }, earlier?.isKnownDown(site) || earlier?.wasUnfinished?.(site) ? "slow" : "usual"),
      async earlier() {
        earlier = await ready;
        return {
          isKnownDown: earlier.isKnownDown(site),
          isSingleAttempt: earlier.mayBeDown?.(site) ?? false,
        };
      },
      onRetry: (retry) => options.onRetry?.(site, retry),
      onUnreached: () => void earlier!.canaries.check(),
      deadline: signal,
      random,
    });
    const { canaries } = await ready;
    const isInconclusive = result.unreached && await canaries.check() === "failing";
    const { body, ...rest } = isInconclusive ? toInconclusive(result) : result;
    const keepsBody = body !== undefined && await options.keepsBody?.(site);
    return redactResult(keepsBody ? { ...rest, body } : rest, secrets);
  };
  /** Checks the addresses that a failing site depends on, unless a site explains the failure. */
  const checkAddresses = async (result: ProbeResult): Promise<ProbeResult> => {
    const { state, site: { dependsOn } } = result;
    const needed = selectAddresses(dependsOn);
    if (dependsOn.length === 0 || state === "up" || state === "unknown") return result;
    const { isKnownDown } = await ready;
    const parents = await Promise.all(
      selectSlugs(dependsOn).flatMap((slug) => evaluated.get(slug) ?? []),
    );
    const isExplained = parents.some(({ site, state }) =>
      state === "down" || (state === "unknown" && isKnownDown(site))
    );
    if (isExplained || needed.length === 0) return result;
    return { ...result, addresses: await addresses.check(needed) };
  };

  const evaluated = new Map<string, Promise<ProbeResult>>();
  const start = (site: Site, mustWait: boolean) => {
    const result = evaluate(site, mustWait).then(checkAddresses).then(async (result) => {
      await options.onResult(result);
      return result;
    });
    evaluated.set(site.slug, result);
    return result;
  };
  const ready = options.earlier.then((earlier) => {
    const { runsNotAsked = () => 0 } = earlier;
    const others = sites.slice(concurrency);
    others.sort((one, other) => runsNotAsked(other) - runsNotAsked(one));
    for (const site of others) start(site, true);
    return earlier;
  });
  const first = sites.slice(0, concurrency).map((site) => start(site, false));
  try {
    const all = ready.then(() => Promise.all(sites.map(({ slug }) => evaluated.get(slug)!)));
    // `first` is waited for as well, so that none of it rejects unobserved if the history can't be opened.
    const [results] = await Promise.all([all, ...first]);
    return results;
  } finally {
    done.abort(); // Ends the wait, and so the attempts that are left if the history can't be opened.
  }
}

/** Milliseconds that an attempt keeps its slot, so that each site is checked once even if all hang. */
function computeSlotLimit(runDeadline: number, turns: number): number {
  const longest = Math.min(LONGEST_SLOT, runDeadline / ROUNDS);
  return Math.min(longest, Math.max(SHORTEST_SLOT, runDeadline / (2 * turns)));
}

/** True if a site still rests; a later time was written by a wrong clock. */
function isResting(until: Temporal.Instant, now: Temporal.Instant): boolean {
  const left = until.epochMilliseconds - now.epochMilliseconds;
  return left > 0 && left <= LONGEST_REST;
}

/** Redacts the texts of a result before they are cut, because a part of a secret would not be recognized. */
export function redactResult(result: ProbeResult, secrets: Secrets): ProbeResult {
  const redact = (text: string, longest: number) =>
    shorten(secrets.redactPlain(text, plainText), longest);
  const { error, details, body, ...rest } = result;
  const start = secrets.redactPlain(body ?? "", plainLines).trim();
  return {
    ...rest,
    ...(start === "" ? {} : { body: shorten(start, KEPT_BODY) }),
    ...(error === undefined ? {} : { error: redact(error, LONGEST_ERROR) }),
    ...(details === undefined
      ? {}
      : { details: mapTexts(details, (text) => redact(text, LONGEST_DETAIL)) }),
  };
}

function mapTexts<T>(value: T, map: (text: string) => string): T;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]));
}
