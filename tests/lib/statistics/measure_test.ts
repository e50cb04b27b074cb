import { assert, assertEquals } from "@std/assert";
import { type Incident, UNCHANGED } from "../../../lib/history/incident.ts";
import type { SiteHistory } from "../../../lib/history/site_history.ts";
import { windowBack } from "../../../lib/history/windows.ts";
import type { Statistics } from "../../../lib/statistics/statistics.ts";
import { measured } from "../../helpers/measured.ts";

const START = Date.parse("2026-11-21T10:00:00Z");
const [MINUTE, HOUR] = [60_000, 3_600_000];
const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(START + 1000 * seconds);

/** An incident that was open in the pieces of time, in seconds since the start. */
function incident(...pieces: [from: number, to: number][]): Incident {
  const [from, ...others] = pieces.map(([start]) => at(start));
  const ends = pieces.map(([, to]) => at(to));
  return {
    ...{ slug: "shop", kind: "down", code: 503, error: "answered 503", attempts: 1 },
    ...UNCHANGED,
    start: from!,
    confirmed: from!,
    end: ends.at(-1)!,
    ended: ends.slice(0, -1),
    reopened: others,
  };
}

/** The figures of a site that was checked every minute for so many hours. */
function figures(
  hours: number,
  { incidents = [], window = "all", slo = 99.9, skip = () => false }: {
    incidents?: readonly Incident[];
    window?: "day" | "week" | "all";
    slo?: number;
    /** True for hours in which nothing was checked. */
    skip?(hour: number): boolean;
  } = {},
): Statistics {
  const now = START + hours * HOUR;
  const isDown = (time: number) =>
    incidents.some(({ start, end }) =>
      start.epochMilliseconds <= time && time < end!.epochMilliseconds
    );
  const times = Array.from({ length: hours * 60 }, (_, index) => START + index * MINUTE)
    .filter((time) => !skip(Math.floor((time - START) / HOUR)));
  const history: SiteHistory = {
    slug: "shop",
    first: START,
    checks: times.map((time) => ({
      ...{ time, state: isDown(time) ? "down" : "up", isImported: false },
    })),
    days: [],
    incidents: new Map(incidents.map((one, index) => [`2026-11-21-shop-${index}`, one])),
    maintenance: [],
  };
  return measured(history, windowBack(window, now, START), {
    ...{ maxGap: MINUTE, now, apdex: 500, slo },
  });
}

Deno.test("each time of being down is an outage, also if they are of one incident that was reopened", () => {
  const reopened = incident([600, 635], [900, 903]);
  const { outages, incidents, longestOutage, mttr, mtbf, down, observed } = figures(1, {
    incidents: [reopened],
  });
  assertEquals([outages, incidents], [2, 1]);
  assertEquals([longestOutage, mttr], [35, 19]);
  assertEquals(mtbf, (observed - down) / 2);
});

Deno.test("two incidents that tell of the same time are one outage", () => {
  const incidents = [incident([600, 900]), incident([660, 960])];
  const { outages, incidents: count, longestOutage, mttr, down } = figures(1, { incidents });
  assertEquals([outages, count, longestOutage, mttr, down], [1, 2, 360, 360, 360]);
});

Deno.test("an objective has no error budget before a window has a full day of data", () => {
  const incidents = [incident([600, 635])];
  for (const hours of [1, 13, 23]) {
    for (const window of ["day", "week", "all"] as const) {
      const { objective } = figures(hours, { incidents, window });
      assertEquals(
        [objective!.budget, objective!.left],
        [undefined, undefined],
        `${window} after ${hours} h`,
      );
    }
  }
  for (const window of ["day", "week", "all"] as const) {
    const { objective } = figures(25, { window });
    assert(objective!.budget! > 86, window);
    assertEquals(objective!.left, objective!.budget);
  }
  // The last 24 hours have gaps on every other day.
  const withGaps = (part: number) =>
    figures(80, { window: "day", skip: (hour) => hour % 4 >= part });
  assert(withGaps(3).objective!.budget! > 0);
  assertEquals(withGaps(1).objective!.budget, undefined);
  for (const [hours, withData] of [[80, 2], [25, 14]] as const) {
    assertEquals(
      figures(hours, { window: "all", skip: (hour) => hour > withData }).objective!.budget,
      undefined,
    );
  }
});
