import type { Observation, ProbeContext } from "../checks/observation.ts";
import { probe } from "../checks/mod.ts";
import type { Config, Site } from "../config/config.ts";
import { addressesAmong, sitesAmong } from "../config/dependency.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { Clock } from "../io/clock.ts";
import type { Canaries } from "./canaries.ts";
import { excuse, seemsOwnFault } from "./excuse.ts";
import { type CheckResult, judge, resting } from "./judge.ts";
import { NeededAddresses } from "./needed_addresses.ts";
import { Pace } from "./pace.ts";
import { Slots } from "./slots.ts";
import { withoutSecrets } from "./without_secrets.ts";

/** Most milliseconds that an attempt keeps its slot, whatever its own time limits. */
const SLOT_LIMIT = 5_000;
/** Rounds of slots that a run has time for at least, however many sites hang. */
const ROUNDS = 12;
/** Least milliseconds of a slot, however many sites there are; healthy sites answer sooner. */
const LEAST_SLOT = 250;

/** Longest time that a site is not checked because it asks for that, in milliseconds. */
const LONGEST_REST = 3_600_000;

/** What checking all sites needs. */
export interface CheckSitesOptions {
  clock: Clock;
  /** From 0 to 1, for the jitter of delays. */
  random(): number;
  secrets: Secrets;
  /** The folder that relative paths of certificates start from. */
  root: string;
  /** What requests call themselves where a site does not say. */
  userAgent: string;
  /** Tell whether the monitor's own network is at fault. */
  canaries: Canaries;
  /** Whether the results tell the details of what was seen. */
  detailed?: boolean;
  /** Whether a host and port can be connected to: asked of what a failing site depends on. */
  reaches(address: string): Promise<boolean>;
  /** Whether a site is known to be down. */
  knownDown(site: Site): boolean;
  /** Runs in a row, up to the last, in which a site was not asked. @default 0 */
  runsNotAsked?(site: Site): number;
  /** True if a site did not answer before the run was out of time, in the last run that asked it. */
  wasUnfinished?(site: Site): boolean;
  /** Whether a site is in maintenance and may be anything. */
  mayBeDown?(site: Site): boolean;
  /** Until when a site asked not to be looked at; absent where it did not. */
  restsUntil?(site: Site): Temporal.Instant | undefined;
  /** Probes a site once; tests replace it. By default its check does. */
  probeSite?(site: Site, context: ProbeContext): Promise<Observation>;
  /** Called when an attempt ends, before its site is evaluated. */
  onAttempt?(site: Site): void;
  /** Called when the attempts on a site have ended, which may be before its result is final. */
  onJudged?(site: Site): void;
  /** Told of each verdict as it comes; of a failing site after those that it depends on. */
  onVerdict(result: CheckResult): void;
}

/**
 * Checks every site, at most `concurrency` at once, and none longer than `runDeadline`: first those that were
 * not asked for the most runs. Sites known to be down, or that did not answer in time, wait in a lane of
 * their own (see {@linkcode Slots}), so that however many hang, the others are asked. The
 * results come in the order of the configuration, and their texts hold no secrets. Sites that could not
 * be reached are `unknown` where the canaries can't be reached either. Where a site fails and no site that it
 * depends on does, the addresses are asked that it depends on.
 */
export async function checkSites(
  { sites, concurrency, runDeadline }: Config,
  options: CheckSitesOptions,
): Promise<CheckResult[]> {
  const { clock, random, secrets, root, userAgent, detailed, knownDown, onVerdict } = options;
  const { canaries, reaches } = options;
  const { probeSite = ({ target }: Site, context: ProbeContext) => probe(target, context) } =
    options;
  const limit = slotLimit(runDeadline, sites.length / concurrency);
  const slots = new Slots(concurrency, { limit, clock });
  const pace = new Pace(clock);
  const deadline = new AbortController();
  const done = new AbortController();
  const addresses = new NeededAddresses({ clock, secrets, reaches, deadline: deadline.signal });
  const seen = new Map<string, Promise<CheckResult>>();
  clock.wait(runDeadline, done.signal).then(() =>
    deadline.abort(new Error("the run is out of time"))
  );
  const context = (attempt: number): ProbeContext => ({
    secrets,
    root,
    userAgent,
    detailed,
    signal: deadline.signal,
    now: clock.now(),
    attempt,
  });
  try {
    const lookAt = async (site: Site): Promise<CheckResult> => {
      const lane = knownDown(site) || options.wasUnfinished?.(site) ? "slow" : "usual";
      const until = options.restsUntil?.(site);
      if (until !== undefined && isAhead(until, clock.now())) {
        return resting(site, until, clock.now());
      }
      const look = await judge(site, {
        clock,
        probe: (site, attempt) => probeSite(site, context(attempt)),
        turn: (attempt) =>
          slots.use(async () => {
            if (!deadline.signal.aborted) await pace.turn(site.url);
            const attempted = await attempt();
            options.onAttempt?.(site);
            return attempted;
          }, lane),
        knownDown: knownDown(site),
        looksOnce: options.mayBeDown?.(site),
        onUnreached: () => void canaries.ask(),
        deadline: deadline.signal,
        random,
      });
      options.onJudged?.(site);
      const verdict = look.unreached ? await canaries.ask() : "fine";
      return withoutSecrets(verdict === "failing" ? excuse(look) : look, secrets);
    };
    const bySite = new Map(
      longestWaitingFirst(sites, options).map((site) => {
        const looking = lookAt(site).then((look) =>
          withAnswers(look, { seen, addresses, knownDown })
        );
        seen.set(site.slug, looking);
        const result = looking.then((result) => {
          onVerdict(result);
          return result;
        });
        return [site, result] as const;
      }),
    );
    const results = await Promise.all(sites.map((site) => bySite.get(site)!));
    if (!seemsOwnFault(results) || await canaries.askAgain() !== "failing") return results;
    return results.map((result) => result.unreached ? excuse(result) : result);
  } finally {
    done.abort();
  }
}

/**
 * Milliseconds that an attempt keeps its slot: half of the run is enough to ask each site once, even if all hang,
 * unless slots would become too short. `turns` is how many sites each slot serves.
 */
function slotLimit(runDeadline: number, turns: number): number {
  const longest = Math.min(SLOT_LIMIT, runDeadline / ROUNDS);
  return Math.min(longest, Math.max(LEAST_SLOT, runDeadline / (2 * turns)));
}

/** Sites in the order in which they are asked; those that waited equally long in that of the configuration. */
function longestWaitingFirst(
  sites: readonly Site[],
  { runsNotAsked = () => 0 }: Pick<CheckSitesOptions, "runsNotAsked">,
): Site[] {
  return sites.toSorted((one, other) => runsNotAsked(other) - runsNotAsked(one));
}

/** A failing look, with what the addresses say that its site depends on, where no site explains it. */
async function withAnswers(
  look: CheckResult,
  { seen, addresses, knownDown }: Pick<CheckSitesOptions, "knownDown"> & {
    seen: ReadonlyMap<string, Promise<CheckResult>>;
    addresses: NeededAddresses;
  },
): Promise<CheckResult> {
  const { dependsOn } = look.site;
  if (dependsOn.length === 0 || (look.state !== "down" && look.state !== "degraded")) return look;
  const parents = await Promise.all(
    sitesAmong(dependsOn).flatMap((slug) => seen.get(slug) ?? []),
  );
  const isExplained = parents.some(({ site, state }) =>
    state === "down" || (state === "unknown" && knownDown(site))
  );
  const needed = addressesAmong(dependsOn);
  if (isExplained || needed.length === 0) return look;
  return { ...look, answers: await addresses.ask(needed) };
}

/** Whether a moment until which a site rests is still to come; one further ahead is of a clock that was wrong. */
function isAhead(until: Temporal.Instant, now: Temporal.Instant): boolean {
  const left = until.epochMilliseconds - now.epochMilliseconds;
  return left > 0 && left <= LONGEST_REST;
}
