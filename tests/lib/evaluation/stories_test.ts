import { assert, assertEquals } from "@std/assert";
import { NOW, resultOf } from "../../helpers/outcomes.ts";
import { playRuns, uptimeOf } from "../../helpers/play.ts";
import { down, faults, type Scenario } from "../../helpers/scenarios.ts";
import { after } from "../../helpers/simulator.ts";
import type { Incident } from "../../../lib/history/incident.ts";

/** Stories of sites that depend on others, by name. */
const DEPENDENCY_SCENARIOS: Readonly<Record<string, Scenario>> = {
  "a router takes two sites along": {
    sites: 3,
    own: [{}, { dependsOn: "Site 0" }, { dependsOn: "Site 1" }],
    world: faults([after(61), after(120), "refused"]),
    outages: 3,
    incidents: [0, 1, 2].map((site) => down(site, after(65), after(120))),
    alerts: 2,
    uptime: 100 * (1 - 3 * 55 / (3 * 720)),
  },
  "a router takes a site along, which does not come back with it": {
    sites: 2,
    own: [{ dependsOn: "Site 1" }, {}],
    world: faults([after(60), after(150), "refused", 0], [after(60), after(120), "refused", 1]),
    outages: 2,
    incidents: [down(1, after(60), after(120)), down(0, after(60), after(150))],
    alerts: 4,
    uptime: 100 * (1 - 150 / (2 * 720)),
  },
  "an address takes a site along, which does not come back with it": {
    own: [{ dependsOn: "router.lan:22" }],
    world: {
      ...faults([after(60), after(150), "refused"]),
      takes: (_, time) => time < after(60) || time >= after(118),
    },
    outages: 1,
    incidents: [down(0, after(60), after(150))],
    alerts: 2,
    uptime: 100 * (1 - 90 / 720),
  },
  "a router fails in its maintenance, and takes a site along": {
    sites: 2,
    own: [{}, { dependsOn: "Site 0" }],
    world: {
      ...faults([after(60), after(90), "refused"]),
      windowEnd: (site, time) =>
        site === 0 && after(55) <= time && time < after(100) ? after(100) : undefined,
    },
    outages: 0,
    incidents: [],
    alerts: 0,
    uptime: 100,
  },
};

import fc, { runs } from "../../helpers/property.ts";
import { SCENARIOS } from "../../helpers/scenarios.ts";
import { SimulatedHistory } from "../../helpers/simulated_history.ts";
import { configOf } from "../../helpers/sites.ts";
import { windowsOf } from "../../helpers/windows.ts";

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

const KEYS = fc.record({
  failureThreshold: fc.integer({ min: 1, max: 4 }),
  degradedRuns: fc.constantFrom([1, 1], [2, 3], [3, 3]),
  flapThreshold: fc.constantFrom(0.2, 0.5, 1),
});
const LOOKS = fc.array(
  fc.record({
    state: fc.constantFrom("up", "up", "down", "degraded", "unknown"),
    minutes: fc.constantFrom(1, 5, 5, 5, 360),
    window: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 60 },
);

interface Look {
  state: string;
  minutes: number;
  window: boolean;
}

/** The incidents of a site, and the actions on them, in order. */
async function play(keys: Record<string, unknown>, looks: readonly Look[], isReread: boolean) {
  const [site] = (await configOf([{ url: "https://example.com", slug: "shop", ...keys }])).sites;
  const history = new SimulatedHistory();
  const actions: string[] = [];
  let time = NOW;
  for (const [index, { state, minutes, window }] of looks.entries()) {
    time = time.add({ minutes });
    const result = resultOf(site!, state as "up", { began: time, confirmed: time });
    const windows = window ? windowsOf(["shop"], time.add({ minutes: 1 })) : undefined;
    const [outcome] = history.add([result], { id: String(index), time }, windows);
    if (outcome!.incident !== undefined) actions.push(outcome!.incident.action);
    if (isReread) history.writeAndRead();
  }
  return { incidents: [...history.incidents.values()], actions };
}

function assertInOrder(incidents: readonly Incident[]): void {
  for (const [index, { start, end }] of incidents.entries()) {
    assert(end === undefined || Temporal.Instant.compare(start, end) <= 0, `${start} ${end}`);
    const next = incidents[index + 1];
    if (next === undefined) continue;
    assert(end !== undefined && Temporal.Instant.compare(end, next.start) <= 0);
  }
}

Deno.test("incidents of a site never overlap, end after they start, and open and close in turn", async () => {
  await fc.assert(
    fc.asyncProperty(KEYS, LOOKS, async (keys, looks) => {
      const { incidents, actions } = await play(keys, looks, false);
      assertInOrder(incidents);
      const turns = actions.filter((action) => /^(?:open|reopen|close)$/.test(action));
      for (const [index, action] of turns.entries()) {
        const expected = index === 0 ? ["open"] : index % 2 === 0 ? ["open", "reopen"] : ["close"];
        assert(expected.includes(action), actions.join());
      }
    }),
    { numRuns: runs(10, 80) },
  );
});

Deno.test("the same observations give the same states in one process and in one process per run", async () => {
  await fc.assert(
    fc.asyncProperty(KEYS, LOOKS, async (keys, looks) => {
      assertEquals(await play(keys, looks, true), await play(keys, looks, false));
    }),
    { numRuns: runs(10, 80) },
  );
});
