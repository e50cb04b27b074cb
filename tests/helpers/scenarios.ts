import { after, type Answer, type World } from "./simulator.ts";
import type { Keys } from "./sites.ts";

/** An incident that is expected: site, kind, and first failing and first good attempt in milliseconds. */
export type Expected = [site: number, kind: string, start: number, end: number];

/** A story of sites and networks, and the expected result of the real rule. */
export interface Scenario {
  /** @default {1} */
  sites?: number;
  /** Keys for all sites. */
  keys?: Keys;
  /** Keys of each site, in their order. */
  own?: readonly Keys[];
  /** Runs that GitHub leaves out, given the minute they were due. */
  skips?(minute: number): boolean;
  world: World;
  /** How often a site was really out of order for longer than a run. */
  outages: number;
  incidents: Expected[];
  alerts: number;
  /** Share of the observed time in which the sites were not down, in percent. */
  uptime: number;
}

/** The length of each story in minutes. */
export const LENGTH = 720;
/** Minutes between two runs. */
export const INTERVAL = 5;

/** A fault of one kind, from one moment to another. */
type Fault = [from: number, to: number, answer: Answer, site?: number];

/** A world with these faults, and no others. */
export function faults(...all: Fault[]): World {
  return {
    answer: (site, time) =>
      all.find(([from, to, , one = site]) => one === site && from <= time && time < to)?.[2] ??
        "ok",
  };
}

/** Milliseconds from one site's first attempt to the next one's. */
const PACE = 5;

/** The incident of a site that is down, given its times in the world. */
export function down(site: number, start: number, end: number): Expected {
  return [site, "down", start + PACE * site, end + PACE * site];
}

/** In and out of order by turns, for as many runs each, over three hours. */
function turns(runs: number): World {
  const length = after(runs * INTERVAL);
  return {
    answer: (_, time) =>
      after(60) <= time && time < after(240) && Math.floor((time - after(60)) / length) % 2 === 0
        ? "refused"
        : "ok",
  };
}

/** The stories, by name. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "nothing happens": { world: faults(), outages: 0, incidents: [], alerts: 0, uptime: 100 },
  "one lost packet": {
    world: faults([after(60), after(60, 1), "refused"]),
    outages: 0,
    incidents: [],
    alerts: 0,
    uptime: 100,
  },
  "a restart of 20 seconds": {
    world: faults([after(60), after(60, 20), "error 500"]),
    outages: 0,
    incidents: [],
    alerts: 0,
    uptime: 100,
  },
  "an outage of an hour": {
    world: faults([after(61, 10), after(121, 40), "refused"]),
    outages: 1,
    incidents: [down(0, after(65), after(125))],
    alerts: 2,
    uptime: 100 * (1 - 60 / 720),
  },
  "down for one run": {
    world: faults([after(64), after(66), "error 500"]),
    outages: 0,
    incidents: [down(0, after(65), after(70))],
    alerts: 2,
    uptime: 100 * (1 - 5 / 720),
  },
  "an outage with one good answer in between": {
    world: faults([after(60), after(90), "refused"], [after(90, 5), after(121), "refused"]),
    outages: 1,
    incidents: [down(0, after(60), after(125))],
    alerts: 2,
    uptime: 100 * (1 - 65 / 720),
  },
  "three failing runs are required": {
    keys: { failureThreshold: 3 },
    world: faults([after(60), after(68), "refused"], [after(120), after(148), "refused"]),
    outages: 2,
    incidents: [down(0, after(120), after(150))],
    alerts: 2,
    uptime: 100 * (1 - 30 / 720),
  },
  "slow, then fast again": {
    world: faults([after(60), after(80), "slow"], [after(120), after(121), "slow"]),
    outages: 0,
    incidents: [[0, "degraded", after(60), after(80)]],
    alerts: 2,
    uptime: 100,
  },
  "up and down in each run": {
    world: turns(1),
    outages: 18,
    incidents: [
      ...[60, 70, 80, 90, 100].map((minute) => down(0, after(minute), after(minute + 5))),
      down(0, after(110), after(235)),
    ],
    alerts: 12,
    uptime: 100 * (1 - (5 * 5 + 125) / 720),
  },
  "up and down every quarter of an hour": {
    world: turns(3),
    outages: 6,
    incidents: [60, 90, 120, 150, 180, 210].map((minute) =>
      down(0, after(minute), after(minute + 15))
    ),
    alerts: 12,
    uptime: 100 * (1 - 90 / 720),
  },
  "the runner is offline": {
    sites: 3,
    world: { ...faults(), isOnline: (time) => time < after(60) || time >= after(95) },
    outages: 0,
    incidents: [],
    alerts: 0,
    uptime: 100,
  },
  "the runner loses names while a site is down": {
    sites: 3,
    world: {
      ...faults([after(60), after(150), "refused", 1]),
      isOnline: (time) => time < after(90) || time >= after(120),
    },
    outages: 1,
    incidents: [down(1, after(60), after(150))],
    alerts: 2,
    uptime: 100 * (1 - 60 / (3 * 720 - 3 * 30)),
  },
  "one region can't be reached": {
    sites: 3,
    world: faults([after(60), after(120), "hangs", 2]),
    outages: 1,
    incidents: [down(2, after(60), after(120))],
    alerts: 2,
    uptime: 100 * (1 - 60 / (3 * 720)),
  },
  "the provider of all sites fails": {
    sites: 3,
    world: faults([after(60), after(120), "hangs"]),
    outages: 3,
    incidents: [0, 1, 2].map((site) => down(site, after(60), after(120))),
    alerts: 6,
    uptime: 100 * (1 - 180 / (3 * 720)),
  },
  "rate limited": {
    world: faults([after(60), after(120), "rate limited"]),
    outages: 0,
    incidents: [],
    alerts: 0,
    uptime: 100,
  },
  "a certificate runs out": {
    world: faults([after(60), after(300), "expires soon"], [after(300), after(330), "refused"]),
    outages: 1,
    incidents: [down(0, after(60), after(330))],
    alerts: 3,
    uptime: 100 * (1 - 30 / 720),
  },
  "a maintenance window ends while the site is down": {
    world: {
      ...faults([after(70), after(120), "refused"]),
      windowEnd: (_, time) => after(60) <= time && time < after(90) ? after(90) : undefined,
    },
    outages: 1,
    incidents: [down(0, after(90), after(120))],
    alerts: 2,
    uptime: 100 * (1 - 30 / (720 - 30)),
  },
  "down within a maintenance window": {
    world: {
      ...faults([after(62), after(88), "refused"]),
      windowEnd: (_, time) => after(60) <= time && time < after(90) ? after(90) : undefined,
    },
    outages: 0,
    incidents: [],
    alerts: 0,
    uptime: 100,
  },
  "GitHub leaves out six hours": {
    skips: (minute) => 60 < minute && minute < 420,
    world: faults([after(100), after(300), "refused"], [after(400), after(440), "refused"]),
    outages: 2,
    incidents: [down(0, after(420), after(440))],
    alerts: 2,
    uptime: 100 * (1 - 20 / (720 - 330)),
  },
  "GitHub leaves out every other run": {
    skips: (minute) => minute % 10 === 5,
    world: faults([after(63), after(147), "error 500"]),
    outages: 1,
    incidents: [down(0, after(70), after(150))],
    alerts: 2,
    uptime: 100 * (1 - 80 / 720),
  },
};
