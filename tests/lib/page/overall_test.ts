import { assertEquals } from "@std/assert";
import { report, siteReport } from "../../helpers/reports.ts";
import { configOf } from "../../helpers/sites.ts";
import { collectImpacts } from "../../../lib/incidents/impact.ts";
import { parseStoredIncident } from "../../../lib/history/stored_incidents.ts";
import { computeGroupOverall, computeOverall } from "../../../lib/page/overall.ts";

Deno.test("sites that others operate change the overall status only if there are no others", async () => {
  type Case = { group: string; condition?: "down"; impact?: string; paused?: true };
  const of = async (keys: readonly Case[]) => {
    const config = await configOf(
      keys.map(({ group, paused = false }) => ({ url: "https://x.example", group, paused })),
      { groups: [{ name: "Own" }, { name: "Others", external: true }] },
    );
    const all = report(
      ...config.sites.map((site, index) =>
        siteReport(site, { condition: keys[index]!.condition ?? "up" })
      ),
    );
    const notices = keys.flatMap(({ impact }, index) =>
      impact === undefined ? [] : [
        parseStoredIncident(
          `kind: manual\nname: N\nsites: [site-${
            index + 1
          }]\nimpact: ${impact}\nstart: 2026-11-21T10:00:00Z\nissue: 7\n`,
        )!,
      ]
    );
    const impacts = collectImpacts(notices, all.time, config.sites);
    const others = all.sites.filter(({ site }) => site.isExternal);
    return [
      computeOverall({ ...all, impacts }),
      computeGroupOverall(others, { impacts }),
    ];
  };
  const [own, others] = [{ group: "Own" }, { group: "Others" }];
  const isDown = { condition: "down" } as const;
  assertEquals(await of([own, { ...others, ...isDown }]), [
    "allSystemsOperational",
    "majorOutage",
  ]);
  assertEquals(await of([{ ...own, ...isDown }, others]), ["majorOutage", "allSystemsOperational"]);
  assertEquals(await of([own, { ...others, impact: "major" }]), [
    "allSystemsOperational",
    "majorOutage",
  ]);
  assertEquals(await of([{ ...own, impact: "major" }, others]), [
    "majorOutage",
    "allSystemsOperational",
  ]);
  assertEquals(await of([{ ...others, ...isDown }]), ["majorOutage", "majorOutage"]);
  assertEquals(await of([{ ...own, paused: true }, { ...others, ...isDown }]), [
    "majorOutage",
    "majorOutage",
  ]);
});
