import type { Observation } from "../../lib/checks/observation.ts";
import type { Config } from "../../lib/config/config.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { State } from "../../lib/state.ts";
import { incidentEvents } from "../../lib/pipeline/plan_effects.ts";
import { Canaries, countFailedRuns, isDistrusted } from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
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

/** The world that is monitored; times are in milliseconds from the beginning. */
export interface World {
  /** How a site answers. */
  answer(site: number, time: number): Answer;
  /** True if the monitor itself can reach the network. */
  isOnline?(time: number): boolean;
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
export function lookAt({ answer, isOnline = () => true }: World, site: number, time: number): {
  takes: number;
  observation: Observation;
} {
  const seen = isOnline(time) ? answer(site, time) : "hangs";
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
  const history = new SimulatedHistory();
  const states: Played["states"] = [];
  let alerts = 0;
  let failedCanaries = 0;
  for (const [number, start] of runs.entries()) {
    clock.goTo(BEGIN.add({ milliseconds: start }));
    const canaries = new Canaries({
      addresses: ["a:1", "b:1", "c:1"],
      distrusted: isDistrusted(failedCanaries),
      async reaches() {
        const isThere = world.isOnline?.(since()) ?? true;
        await clock.wait(isThere ? 50 : 3_000);
        return isThere;
      },
    });
    const run = { id: String(number).padStart(8, "0"), time: clock.now() };
    const looks = await clock.until(checkSites(config, {
      clock,
      random: () => 0.5,
      secrets: new Secrets(),
      root: "/",
      userAgent: "monitor-action",
      earlier: Promise.resolve({ canaries, isKnownDown: ({ slug }) => history.isDown(slug) }),
      async reaches(address) {
        const isThere = (world.isOnline?.(since()) ?? true) &&
          (world.takes?.(address, since()) ?? true);
        await clock.wait(isThere ? 50 : 3_000);
        return isThere;
      },
      async probeSite({ slug }) {
        const { takes, observation } = lookAt(world, indexes.get(slug)!, since());
        await clock.wait(takes);
        return observation;
      },
      onResult() {},
    }));
    const failed = await canaries.failed();
    if (failed !== undefined) failedCanaries = countFailedRuns(failedCanaries, failed, looks);
    const windows = new Map(sites.flatMap(({ slug }, index) => {
      const end = world.windowEnd?.(index, start);
      return end === undefined ? [] : [...windowsOf([slug], BEGIN.add({ milliseconds: end }))];
    }));
    const outcomes = history.add(looks, run, windows);
    alerts += incidentEvents({ outcomes, abandoned: [] }).filter(({ action }) =>
      action !== "affects"
    ).length;
    states.push({ time: start, states: outcomes.map(({ result }) => result.state) });
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
