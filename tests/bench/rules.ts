import { playRuns, runsOf } from "../helpers/play.ts";
import { type Scenario, SCENARIOS } from "../helpers/scenarios.ts";
import { after, lookAt, type World } from "../helpers/simulator.ts";
import type { BenchContext, BenchPart } from "./part.ts";

/** Seconds before each further attempt of rules that look no further than one run. */
const SIMPLE_RULES: Readonly<Record<string, readonly number[]>> = {
  "three failures in a row": [2, 10],
  "one failure": [],
};

/** How long a fault must last to be one that a rule has to find, in milliseconds: the time from run to run. */
const LONGER_THAN = after(5);
const STEP = after(0, 5);

/** The real rule next to two simple ones, over the same stories. */
export const rules = {
  title: "Incidents that rules open over the same stories",
  note:
    "12 hours, a run every five minutes; in brackets how many of them are false: the site had no " +
    "fault that lasted from one run to the next",
  async measure({ progress }: Pick<BenchContext, "progress">) {
    const names = Object.keys(SIMPLE_RULES);
    const rows = [["story", "real faults", "this rule", ...names]];
    for (const [story, scenario] of Object.entries(SCENARIOS)) {
      progress(story);
      const { incidents } = await playRuns(scenario);
      const ours = incidents.filter(({ kind }) => kind === "down");
      const theirs = names.map((name) => playSimply(scenario, SIMPLE_RULES[name]!));
      rows.push([
        story,
        String(scenario.outages),
        ...[ours, ...theirs].map((all) => formatAlarms(all, scenario.world)),
      ]);
    }
    return rows;
  },
} satisfies BenchPart;

interface Alarm {
  site: number;
  start: number;
  /** Absent if the failure is known from its start. */
  end?: number;
}

/** A site is down if all attempts of a run fail, and up with the first run in which one succeeds. */
function playSimply(scenario: Scenario, delays: readonly number[]): Alarm[] {
  const { sites = 1, world } = scenario;
  const alarms: Alarm[] = [];
  for (let site = 0; site < sites; site++) {
    let isDown = false;
    for (const start of runsOf(scenario)) {
      if (world.windowEnd?.(site, start) !== undefined) continue;
      const fails = failsAll(world, { site, start, delays });
      if (fails && !isDown) alarms.push({ site, start });
      isDown = fails;
    }
  }
  return alarms;
}

function failsAll(
  world: World,
  { site, start, delays }: { site: number; start: number; delays: readonly number[] },
): boolean {
  let time = start;
  return [0, ...delays].every((delay) => {
    time += after(0, delay);
    const { takes, observation } = lookAt(world, site, time);
    time += takes;
    return observation.failure !== undefined;
  });
}

function formatAlarms(alarms: readonly Alarm[], world: World): string {
  const wrong = alarms.filter((alarm) => !isReal(alarm, world)).length;
  return wrong === 0 ? String(alarms.length) : `${alarms.length} (${wrong} false)`;
}

/** True if the site itself had a lasting fault, which may start as degraded. */
function isReal({ site, start, end = start }: Alarm, { answer }: World): boolean {
  const failing = (time: number) => ["refused", "hangs", "error 500"].includes(answer(site, time));
  let from = start;
  while (from < end && !failing(from)) from += STEP;
  let to = from;
  while (failing(from - STEP)) from -= STEP;
  while (failing(to)) to += STEP;
  return to - from >= LONGER_THAN;
}
