import { after, type Played, simulate } from "./simulator.ts";
import { INTERVAL, LENGTH, type Scenario } from "./scenarios.ts";
import { configOf } from "./sites.ts";

/** Minutes that a check speaks for at most. */
const MAX_GAP = 30;

/** When the runs of a story start. */
export function runsOf({ skips = () => false }: Scenario): number[] {
  const minutes = Array.from({ length: LENGTH / INTERVAL }, (_, index) => index * INTERVAL);
  return minutes.filter((minute) => !skips(minute)).map((minute) => after(minute));
}

/** Plays a story by the real rule, from one location or from several. */
export async function playRuns(scenario: Scenario, places = 0): Promise<Played> {
  const { sites = 1, keys = {}, own = [], world } = scenario;
  const all = Array.from({ length: sites }, (_, index) => ({
    name: `Site ${index}`,
    url: "https://example.com",
    maxResponseTime: 1000,
    ...keys,
    ...own[index],
  }));
  const locations = Array.from({ length: places }, (_, place) => ({
    name: `Location ${place}`,
    runner: "ubuntu-latest",
  }));
  return await simulate(await configOf(all, { locations }), world, runsOf(scenario));
}

/** Share of the observed time in which the sites were not down, in percent. */
export function uptimeOf({ incidents, states }: Played, { sites = 1, world }: Scenario): number {
  let [observed, down] = [0, 0];
  for (let site = 0; site < sites; site++) {
    for (const [index, { time, states: all }] of states.entries()) {
      if (["unknown", "maintenance"].includes(all[site]!)) continue;
      const next = states[index + 1]?.time ?? after(LENGTH);
      const end = Math.min(next, time + after(MAX_GAP));
      observed += end - time;
      for (const one of incidents) {
        if (one.site !== site || one.kind !== "down") continue;
        // An incident that started as degraded is down only while the site failed.
        const from = Math.max(time, one.start);
        if (all[site] !== "down" && world.answer(site, time) === "expires soon") continue;
        down += Math.max(0, Math.min(end, one.end ?? Infinity) - from);
      }
    }
  }
  return 100 * (1 - down / observed);
}
