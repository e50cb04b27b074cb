import { down, faults, type Scenario } from "./scenarios.ts";
import { after } from "./simulator.ts";

/** Stories of sites that depend on others, by name. */
export const DEPENDENCY_SCENARIOS: Readonly<Record<string, Scenario>> = {
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
