import type { Notification } from "../../lib/config/channels/keys.ts";
import type { Random } from "./seeded_random.ts";

/** Minutes between two runs. */
export const INTERVAL = 15;
export const RUNS = 97;
/** Milliseconds of the first run, at 18:00 UTC. */
const START = Date.parse("2026-11-20T18:00:00Z");
const MINUTE = 60_000;
/** Minutes between a run and what people do after it. */
const REACTION = 4;
/** Minutes of an acknowledgement without a duration. */
export const ACK_FOR = 90;
/** Minutes after its end in which an incident is reopened. */
export const REOPEN_WITHIN = 20;

export type Condition = "up" | "degraded" | "down";

export interface Site {
  name: string;
  group: string;
  tags: string[];
  severity: "critical" | "warning";
}

interface Acknowledging {
  run: number;
  by: "ann" | "acme";
  /** A comment, or 👀. */
  comment: string | undefined;
  minutes: number;
}

/** A site's day: its conditions by run, and what people do. */
export interface SiteDay {
  site: Site;
  conditions: Condition[];
  acknowledgings: Acknowledging[];
}

/** A channel as the model sees it. */
export interface Plan {
  name: string;
  keys: Partial<Notification>;
  chooses(site: Site, condition: Condition): boolean;
  /** Minutes. */
  after: number;
  reminder?: number;
  /** Hours of the day. */
  quiet?: readonly [from: number, to: number];
  exceptsCritical?: boolean;
  /** Runs that can't reach it, from one to before another. */
  fails?: readonly [from: number, to: number];
}

export function timeOf(run: number): number {
  return START + run * INTERVAL * MINUTE;
}

export function reactionTimeOf(run: number): number {
  return timeOf(run) + REACTION * MINUTE;
}

const NAMES = "Anvil Brook Cedar Delta Ember Fjord Grove Heron Islet Jetty Knoll Larch".split(" ");

export const SITES: readonly Site[] = NAMES.map((name, index) => ({
  name,
  group: ["Sales", "Office", "Labs"][index % 3]!,
  tags: index % 4 === 0 ? ["backend"] : index % 4 === 1 ? ["backend", "lab"] : ["web"],
  severity: index % 5 === 2 ? "warning" : "critical",
}));

export const PLANS: readonly Plan[] = [
  {
    name: "everything",
    keys: {},
    chooses: () => true,
    after: 0,
    fails: [36, 48],
  },
  {
    name: "phone",
    keys: { quiet: { from: "22:00", to: "07:00", except: "critical" }, reminders: [60 * MINUTE] },
    chooses: () => true,
    after: 0,
    reminder: 60,
    quiet: [22, 7],
    exceptsCritical: true,
  },
  {
    name: "sales",
    keys: { groups: ["Sales"], after: 30 * MINUTE, reminders: [45 * MINUTE], on: ["down", "up"] },
    chooses: ({ group }, condition) => group === "Sales" && condition === "down",
    after: 30,
    reminder: 45,
  },
  {
    name: "head",
    keys: {
      severity: "critical",
      after: 60 * MINUTE,
      quiet: { from: "00:00", to: "06:00" },
    },
    chooses: ({ severity }, condition) => severity === "critical" && condition === "down",
    after: 60,
    quiet: [0, 6],
  },
  {
    name: "backend",
    keys: { tags: ["backend", "!lab"] },
    chooses: ({ tags }) => tags.includes("backend") && !tags.includes("lab"),
    after: 0,
    fails: [70, 80],
  },
  {
    name: "warnings",
    keys: {
      severity: "warning",
      sites: ["!Anvil", "!Larch"],
      quiet: { from: "20:00", to: "08:00" },
    },
    chooses: ({ name, severity }, condition) =>
      !["Anvil", "Larch"].includes(name) && (severity === "warning" || condition === "degraded"),
    after: 0,
    quiet: [20, 8],
  },
];

export function isQuietAt({ quiet }: Plan, run: number): boolean {
  if (quiet === undefined) return false;
  const hour = new Date(timeOf(run)).getUTCHours();
  const [from, to] = quiet;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

export function isFailingAt({ fails: [from, to] = [0, 0] }: Plan, run: number): boolean {
  return run >= from && run < to;
}

/** Draws 40 incidents, at most one for each site in a quarter of the day, and who acknowledges them. */
export function drawDay(random: Random): SiteDay[] {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const slots = SITES.flatMap((_, site) => [0, 1, 2, 3].map((quarter) => ({ site, quarter })));
  while (slots.length > 40) slots.splice(between(0, slots.length - 1), 1);
  const days = SITES.map((site): SiteDay => ({
    site,
    conditions: Array(RUNS).fill("up"),
    acknowledgings: [],
  }));
  for (const { site, quarter } of slots) {
    const { conditions, acknowledgings } = days[site]!;
    const shape = [
      () => [["down", between(2, 15)]],
      () => [["degraded", between(1, 4)], ["down", between(2, 9)]],
      () => [["down", between(2, 4)], ["up", 1], ["down", between(2, 8)]],
      () => [["down", 1]],
      () => [["degraded", between(2, 9)]],
    ][between(0, 4)]!() as [Condition, number][];
    const start = quarter * 24 + between(1, 6);
    const drawn = shape.flatMap(([condition, count]) => Array<Condition>(count).fill(condition));
    conditions.splice(start, drawn.length, ...drawn);
    for (const by of ["ann", "acme"] as const) {
      const run = start + between(0, 4);
      if (random() < 0.4 || conditions[run] === "up") continue;
      const way = between(0, 2);
      acknowledgings.push({
        run,
        by,
        comment: ["/ack", "/ack 3h", undefined][way],
        minutes: way === 1 ? 180 : ACK_FOR,
      });
    }
    // Both act in the same second otherwise.
    const [one, other] = acknowledgings.slice(-2);
    if (other !== undefined && one!.run === other.run) acknowledgings.pop();
  }
  for (const { acknowledgings } of days) acknowledgings.sort((one, other) => one.run - other.run);
  return days;
}
