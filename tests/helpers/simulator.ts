import type { Observation } from "../../lib/checks/observation.ts";
import type { Config } from "../../lib/config/config.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { State } from "../../lib/state.ts";
import { incidentEvents } from "../../lib/pipeline/plan_effects.ts";
import {
  Canaries,
  countFailedRuns,
  doubtUnreached,
  isDistrusted,
} from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import { combineLocations, type LocationPart } from "../../lib/evaluation/locations.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { SimulatedHistory } from "./simulated_history.ts";
import { VirtualClock } from "./virtual_clock.ts";
import { windowsOf } from "./windows.ts";

/** Minutes and seconds after the beginning of a simulation, in milliseconds. */
export function after(minutes: number, seconds = 0): number {
  return 60_000 * minutes + 1_000 * seconds;
}

/** How a site answers at a moment. */
export type Answer =
  | "ok"
  | "slow"
  | "rate limited"
  | "expires soon"
  | "refused"
  | "hangs"
  | "error 500";

/**
 * The world that is monitored; times are in milliseconds from the beginning. `place` is the index of a location, 0 for
 * the only one.
 */
export interface World {
  /** How a site answers. */
  answer(site: number, time: number, place?: number): Answer;
  /** True if the monitor itself can reach the network. */
  isOnline?(time: number, place?: number): boolean;
  /** How the results of a location arrive: those of this run, those of the run before, or none. @default "now" */
  sends?(place: number, time: number): "now" | "late" | "nothing";
  /** Milliseconds by which the clock of a location is ahead. @default 0 */
  skew?(place: number): number;
  /** True if an address that sites depend on accepts connections. */
  takes?(address: string, time: number): boolean;
  /** If the site's maintenance window is active, and its end. */
  windowEnd?(site: number, time: number): number | undefined;
}

/** Response time of each answer in seconds. */
const TAKES: Readonly<Record<Answer, number>> = {
  ok: 0.1,
  slow: 2.5,
  "rate limited": 0.1,
  "expires soon": 0.1,
  refused: 0.05,
  hangs: 10,
  "error 500": 0.1,
};

/** The observation of one attempt in a world. */
export function lookAt(
  { answer, isOnline = () => true }: World,
  site: number,
  time: number,
  place = 0,
): {
  takes: number;
  observation: Observation;
} {
  const seen = isOnline(time, place) ? answer(site, time, place) : "hangs";
  const responseTime = 1000 * TAKES[seen];
  const failures: Partial<Record<Answer, Observation["failure"]>> = {
    refused: { kind: "network", reason: "connection refused" },
    hangs: { kind: "network", reason: "timed out after 10 s while connecting" },
    "error 500": { kind: "answer", reason: "answered 500 Internal Server Error" },
  };
  const failure = failures[seen];
  const codes: Partial<Record<Answer, number>> = { "error 500": 500, "rate limited": 429 };
  const code = codes[seen] ?? (failure === undefined ? 200 : 0);
  const degradation = seen === "expires soon" ? "the certificate expires in 9 days" : undefined;
  return { takes: responseTime, observation: { code, responseTime, failure, degradation } };
}

/** The results of a rule in a world. */
export interface Played {
  /** Incidents by site, one that was reopened once for each time, with times in milliseconds from the beginning. */
  incidents: { site: number; kind: string; start: number; end?: number }[];
  /** The number of notifications about a site that is down, degraded, or up again. */
  alerts: number;
  /** State of each site in each run. */
  states: { time: number; states: State[] }[];
}

/** The beginning of all simulations. */
const BEGIN = Temporal.Instant.from("2026-11-16T00:00:00Z");

/** Plays a world by the real rule, run by run, on a virtual clock: confirmation, canaries, guard and run state. */
export async function simulate(
  config: Config,
  world: World,
  runs: readonly number[],
): Promise<Played> {
  const clock = new VirtualClock(BEGIN);
  const since = () => clock.now().since(BEGIN).total("milliseconds");
  const { sites } = config;
  const indexes = new Map(sites.map(({ slug }, index) => [slug, index]));
  const places = config.locations.map(({ name }) => name);
  const history = new SimulatedHistory();
  const states: Played["states"] = [];
  const failedCanaries = places.map(() => 0);
  const sent: (readonly ProbeResult[] | undefined)[] = [];
  let alerts = 0;

  /** Checks all sites from a place. */
  const checkFrom = async (place: number) => {
    const isOnline = () => world.isOnline?.(since(), place) ?? true;
    const canaries = new Canaries({
      addresses: ["a:1", "b:1", "c:1"],
      distrusted: isDistrusted(failedCanaries[place] ?? 0),
      async reaches() {
        const isThere = isOnline();
        await clock.wait(isThere ? 50 : 3_000);
        return isThere;
      },
    });
    const seen = await checkSites(config, {
      clock,
      random: () => 0.5,
      secrets: new Secrets(),
      root: "/",
      userAgent: "monitor-action",
      earlier: Promise.resolve({ canaries, isKnownDown: ({ slug }) => history.isDown(slug) }),
      async reaches(address) {
        const isThere = isOnline() && (world.takes?.(address, since()) ?? true);
        await clock.wait(isThere ? 50 : 3_000);
        return isThere;
      },
      async probeSite({ slug }) {
        const { takes, observation } = lookAt(world, indexes.get(slug)!, since(), place);
        await clock.wait(takes);
        return observation;
      },
      onResult() {},
    });
    const looks = await doubtUnreached(seen, canaries);
    const failed = await canaries.takeFailed();
    failedCanaries[place] = countFailedRuns(failedCanaries[place] ?? 0, failed, looks);
    return looks;
  };

  /** Combines what the places have seen in a run that starts at a time. */
  const checkFromAll = async (start: number) => {
    const seen = await Promise.all(places.map(async (_, place) => {
      const looks = await checkFrom(place);
      const skew = { milliseconds: world.skew?.(place) ?? 0 };
      return looks.map((look) => ({
        ...look,
        began: look.began.add(skew),
        confirmed: look.confirmed.add(skew),
      }));
    }));
    const arrived = seen.map((looks, place) => {
      const how = world.sends?.(place, start) ?? "now";
      const used = how === "now" ? looks : how === "late" ? sent[place] : undefined;
      sent[place] = looks;
      return used;
    });
    return sites.map((site, index) => {
      const parts = places.map((location, place): LocationPart => {
        const result = arrived[place]?.[index];
        return result === undefined
          ? { location, missing: "it has sent nothing", isNew: false }
          : { location, result, isNew: true };
      });
      return combineLocations(site, parts, clock.now());
    });
  };

  for (const [number, start] of runs.entries()) {
    clock.goTo(BEGIN.add({ milliseconds: start }));
    const run = { id: String(number).padStart(8, "0"), time: clock.now() };
    const looks = await clock.until(
      places.length === 0 ? checkFrom(0) : checkFromAll(start),
    );
    const windows = new Map(sites.flatMap(({ slug }, index) => {
      const end = world.windowEnd?.(index, start);
      return end === undefined ? [] : [...windowsOf([slug], BEGIN.add({ milliseconds: end }))];
    }));
    const outcomes = history.add(looks, run, windows);
    alerts += incidentEvents({ outcomes, causes: [], abandoned: [] }).filter(({ action }) =>
      action !== "affects"
    ).length;
    states.push({
      time: start,
      states: outcomes.map(({ result }) =>
        result.state
      ),
    });
  }
  const slugs = sites.map(({ slug }) => slug);
  const from = (time: Temporal.Instant) => time.since(BEGIN).total("milliseconds");
  const incidents = [...history.incidents.values()].flatMap((incident) => {
    const { slug, kind, start, end, reopened, ended } = incident;
    return [start, ...reopened].map((begin, index) => {
      const stop = ended[index] ?? end;
      const over = stop === undefined ? {} : { end: from(stop) };
      return { site: slugs.indexOf(slug), kind, start: from(begin), ...over };
    });
  });
  return { incidents, alerts, states };
}
