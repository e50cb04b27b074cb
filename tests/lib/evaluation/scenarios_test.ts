import { assertEquals } from "@std/assert";
import { DEPENDENCY_SCENARIOS } from "../../helpers/dependency_scenarios.ts";
import { playRuns, uptimeOf } from "../../helpers/play.ts";
import { SCENARIOS } from "../../helpers/scenarios.ts";

for (const [name, scenario] of Object.entries({ ...SCENARIOS, ...DEPENDENCY_SCENARIOS })) {
  Deno.test(`the rule over a story: ${name}`, async () => {
    const played = await playRuns(scenario);
    assertEquals(
      played.incidents.map((
        { site, kind, start, end },
      ) => [site, kind, start / 60_000, end! / 60_000]),
      scenario.incidents.map((
        [site, kind, start, end],
      ) => [site, kind, start / 60_000, end! / 60_000]),
    );
    assertEquals(played.alerts, scenario.alerts);
    assertEquals(uptimeOf(played, scenario).toFixed(2), scenario.uptime.toFixed(2));
  });
}
