import { faultyStory, LOCATION_FAULTS } from "../helpers/location_scenarios.ts";
import { playRuns } from "../helpers/play.ts";
import { type Scenario, SCENARIOS } from "../helpers/scenarios.ts";
import type { Played } from "../helpers/simulator.ts";
import type { BenchContext, BenchPart } from "./part.ts";

/** Numbers of locations, of which the first, or the first two of five, are faulty. */
const PLACES: Readonly<Record<string, readonly [places: number, faulty: number]>> = {
  "the faulty location alone": [1, 1],
  "one of three": [3, 1],
  "one of four": [4, 1],
  "two of five": [5, 2],
};

/** Incidents of the real rule from one location and from several, while some of them are faulty. */
export const locations = {
  title: "False and missed incidents while locations are faulty",
  note: `the ${
    Object.keys(SCENARIOS).length
  } stories of the rules, each of 12 hours; expected are the incidents without faults`,
  async measure({ progress }: Pick<BenchContext, "progress">) {
    const rows = [["what is wrong with the locations", ...Object.keys(PLACES)]];
    for (const [fault, how] of Object.entries(LOCATION_FAULTS)) {
      const row = [fault];
      for (const [places, count] of Object.values(PLACES)) {
        let [wrong, missed] = [0, 0];
        for (const [name, story] of Object.entries(SCENARIOS)) {
          progress(`${fault}: ${name}`);
          const faulty = Array.from({ length: count }, (_, index) => index);
          const found = compare(await playRuns(faultyStory(story, how, faulty), places), story);
          wrong += found.wrong;
          missed += found.missed;
        }
        row.push(`${wrong} false, ${missed} missed`);
      }
      rows.push(row);
    }
    return rows;
  },
} satisfies BenchPart;

/** Counts incidents that overlap none of the expected ones, and the reverse. */
function compare(
  { incidents }: Played,
  { incidents: expected }: Scenario,
): { wrong: number; missed: number } {
  const overlaps = (
    one: { site: number; start: number; end?: number },
    [site, , start, end]: Scenario["incidents"][number],
  ) => one.site === site && one.start < end && start < (one.end ?? Infinity);
  return {
    wrong: incidents.filter((one) => !expected.some((other) => overlaps(one, other))).length,
    missed: expected.filter((other) => !incidents.some((one) => overlaps(one, other))).length,
  };
}
