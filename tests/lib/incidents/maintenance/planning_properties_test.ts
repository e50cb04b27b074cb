import { assert, assertEquals } from "@std/assert";
import type { MaintenancePlans } from "../../../../lib/incidents/maintenance/plan_maintenance.ts";
import type { PlannedWindow } from "../../../../lib/history/maintenance.ts";
import { KeptMaintenance } from "../../../helpers/kept_maintenance.ts";
import fc from "../../../helpers/property.ts";

const BEGIN = Temporal.Instant.from("2026-11-21T10:00:00Z");
const LAST = 600;

function minute(number: number): Temporal.Instant {
  return BEGIN.add({ minutes: number });
}

/** Names and numbers are few, so that many windows have the same. */
const WINDOW: fc.Arbitrary<PlannedWindow> = fc.record({
  isIssue: fc.boolean(),
  number: fc.integer({ min: 1, max: 3 }),
  start: fc.constantFrom(0, 5, 7, 60, 61, 120, 300),
  length: fc.constantFrom(1, 4, 5, 30, 60, 200),
  sites: fc.subarray(["shop", "404", "7"], { minLength: 1 }),
  expected: fc.constantFrom("down", "degraded", "none"),
}).map(({ isIssue, number, start, length, sites, expected }) => ({
  ...isIssue
    ? { source: "issue" as const, issue: number, name: "Router" }
    : { source: "configuration" as const, name: `Move ${number}` },
  start: minute(start),
  until: minute(start + length),
  sites: new Map(sites.map((slug) => [slug, expected as "down"])),
  text: "",
}));

interface Edit {
  windows: PlannedWindow[];
  isPartial: boolean;
  areIssuesRead: boolean;
  unclear: number[];
}

/** Plans between two edits, and the minutes until then, which may also go backwards. */
const EDITS = fc.array(
  fc.tuple(
    fc.record<Edit>({
      windows: fc.uniqueArray(WINDOW, {
        maxLength: 5,
        // No issue announces two.
        selector: ({ issue }) => issue ?? NaN,
        comparator: (one, other) => one === other,
      }),
      isPartial: fc.boolean(),
      areIssuesRead: fc.boolean(),
      unclear: fc.subarray([1, 2, 3]),
    }),
    fc.constantFrom(1, 5, 5, 5, 20, 60, 240, -7),
  ),
  { maxLength: 25 },
);

function plansOf({ windows, isPartial, areIssuesRead, unclear }: Edit): Partial<MaintenancePlans> {
  const of = (source: string) => windows.filter((window) => window.source === source);
  const announced = of("issue").filter(({ issue }) => !unclear.includes(issue!));
  return {
    configured: of("configuration"),
    isPartial,
    announced: areIssuesRead ? announced : undefined,
    unclear,
  };
}

const PLANNED_ALONE = fc.property(EDITS, (edits) => {
  const kept = new KeptMaintenance();
  const everPlanned: PlannedWindow[] = [];
  let now = 0;
  for (const [edit, minutes] of edits) {
    now = Math.max(0, now + minutes);
    everPlanned.push(...edit.windows);
    const time = minute(now);
    // That a second run at the same moment changes nothing is looked at in each.
    const { windows } = kept.run(time, plansOf(edit));
    for (const [slug, { expected, until }] of windows) {
      assert(Temporal.Instant.compare(until, time) > 0);
      const isPlanned = everPlanned.some(({ sites, ...window }) =>
        sites.get(slug) === expected && goesOn(window, time)
      );
      assert(isPlanned, `${slug} at ${now}`);
    }
    // If everything is known, each site of each ongoing window is in it, unless it was ended.
    for (const { sites, ...window } of plansOf(edit).configured!) {
      if (!goesOn(window, time)) continue;
      const isOver = [...kept.files.values()].some(({ name, start, end }) =>
        end !== undefined && name === window.name && start.equals(window.start)
      );
      for (const [slug, expected] of sites) {
        if (expected === "down" && !isOver) assertEquals(windows.get(slug)?.expected, "down");
      }
    }
  }
});

Deno.test("whatever is planned, planning twice changes nothing, and sites are in maintenance in planned windows alone", () => {
  fc.assert(PLANNED_ALONE);
});

Deno.test("no site is in maintenance before its window if the clock is set back while issues are unreadable", () => {
  const path = "137:3:7:8:8:7:8:8:10:4:14:13:12:13:17:18";
  fc.assert(PLANNED_ALONE, { seed: 1644186425, path, endOnFailure: true });
});

Deno.test("every file ends, and none lasts longer than its window", () => {
  const property = fc.property(EDITS, (edits) => {
    const kept = new KeptMaintenance();
    let now = 0;
    for (const [edit, minutes] of edits) {
      now = Math.max(0, now + minutes);
      kept.run(minute(now), plansOf(edit));
    }
    kept.run(minute(LAST), { isPartial: true, announced: undefined });
    for (const [id, { start, until, end }] of kept.files) {
      assert(end !== undefined, id);
      assert(Temporal.Instant.compare(start, end) <= 0, id);
      assert(end.equals(start) || Temporal.Instant.compare(end, until) <= 0, id);
    }
  });
  fc.assert(property);
});

function goesOn({ start, until }: Omit<PlannedWindow, "sites">, time: Temporal.Instant): boolean {
  return Temporal.Instant.compare(start, time) <= 0 && Temporal.Instant.compare(time, until) < 0;
}
