import { assertEquals } from "@std/assert";
import { faultyStory, LOCATION_FAULTS } from "../helpers/location_scenarios.ts";
import { playRuns, uptimeOf } from "../helpers/play.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { SCENARIOS } from "../helpers/scenarios.ts";

/** Locations, and how many of them may be faulty while the others are still enough to decide. */
const PLACES = [[3, 1], [4, 1], [5, 2]] as const;

for (const [number, [fault, how]] of Object.entries(LOCATION_FAULTS).entries()) {
  Deno.test(`no incident is false or missed while a minority of the locations ${fault}`, async () => {
    const wrong: string[] = [];
    for (const [index, [name, story]] of Object.entries(SCENARIOS).entries()) {
      // Usually each fault is in half of the stories, each with one number of locations.
      const usual = (index + number) % 2 === 0 ? [PLACES[(index + number) % 3]!] : [];
      for (const [places, most] of repetitions(0, 1) === 0 ? usual : PLACES) {
        const faulty = Array.from({ length: most }, (_, index) => index);
        const scenario = faultyStory(story, how, faulty);
        const played = await playRuns(scenario, places);
        const seen = {
          incidents: played.incidents.map(({ site, kind, start, end }) => [site, kind, start, end]),
          alerts: played.alerts,
          uptime: uptimeOf(played, story).toFixed(2),
        };
        const { incidents, alerts, uptime } = scenario;
        const expected = { incidents, alerts, uptime: uptime.toFixed(2) };
        if (JSON.stringify(seen) === JSON.stringify(expected)) continue;
        wrong.push(`${name}, ${places} locations: ${JSON.stringify({ seen, expected })}`);
      }
    }
    assertEquals(wrong, []);
  });
}
