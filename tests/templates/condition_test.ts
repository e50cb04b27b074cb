import { assertEquals } from "@std/assert";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { Incident } from "../../lib/history/incident.ts";
import { conditionText } from "../../templates/words.ts";
import { outageSince } from "../helpers/outage.ts";
import { NOW, resultOf, siteNamed } from "../helpers/outcomes.ts";

const SITE = await siteNamed("Shop");

function incident(more: Partial<Incident>): Incident {
  return outageSince(NOW, { confirmed: NOW.add({ seconds: 31 }), ...more });
}

Deno.test("a condition says how a site is, why, since when, and what makes that sure", () => {
  const down = resultOf(SITE, "down", { error: "connection refused" });
  const yesterday = NOW.subtract({ hours: 12 });
  const cases: [outcome: Outcome, text: string][] = [
    [
      { result: down, since: NOW, open: incident({}) },
      "down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 31 s",
    ],
    [
      { result: resultOf(SITE, "down"), since: yesterday, open: incident({ attempts: 1 }) },
      "down (connection refused, 203.0.113.7:443) since 2026-11-20 22:05 UTC",
    ],
    [
      {
        result: down,
        since: NOW,
        open: incident({ confirmed: NOW.add({ minutes: 10, seconds: 30 }) }),
      },
      "down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 10 minutes, 30 seconds",
    ],
    [
      // Degraded since before, and down since.
      { result: down, since: NOW, open: incident({ start: NOW.subtract({ minutes: 10 }) }) },
      "down (connection refused) since 10:05 UTC, confirmed by 3 attempts over 31 s",
    ],
    [
      // An incident that was kept while the site was flapping.
      { result: down, since: NOW.add({ minutes: 5 }), open: incident({}) },
      "down (connection refused) since 10:10 UTC",
    ],
    [
      { result: { ...down, flapping: true }, since: NOW, open: incident({ attempts: 1 }) },
      "down (connection refused) since 10:05 UTC, flapping",
    ],
    [{ result: resultOf(SITE, "up"), since: NOW }, "up since 10:05 UTC"],
    [
      { result: resultOf(SITE, "degraded", { error: "slow" }), since: NOW, open: incident({}) },
      "degraded (slow) since 10:05 UTC",
    ],
    [
      { result: resultOf(SITE, "unknown", { error: "$KEY is not there" }), since: NOW },
      "unknown ($KEY is not there)",
    ],
  ];
  for (const [outcome, text] of cases) assertEquals(conditionText(outcome), text);
});
