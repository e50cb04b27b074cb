import { assert, assertEquals } from "@std/assert";
import type { MemoryStore } from "../helpers/memory_store.ts";
import { siteNamed } from "../helpers/outcomes.ts";
import {
  assertEachCheckOnce,
  CONFIRMATION,
  DAY_OF_RUNS,
  FIRST_ATTEMPT,
  linesOf,
  MONDAY,
  simulate,
} from "../helpers/simulated_week.ts";
import { parseIncident } from "../../lib/history/incident.ts";
import { parseRecord } from "../../lib/history/record.ts";
import { formatTime, utcDay } from "../../lib/time.ts";

const WEEK_OF_RUNS = 7 * DAY_OF_RUNS;

/** From the first run that finds the site down to the first that finds it up again; both in UTC. */
const OUTAGES = [
  // Its end is found by a run that commits anyway.
  ["2026-11-17T10:15:03.120Z", "2026-11-17T11:00:03.120Z"],
  ["2026-11-19T23:50:03.120Z", "2026-11-20T00:20:03.120Z"],
] as const;

const CHANGES: readonly string[] = OUTAGES.flat();

function isInOutage(time: Temporal.Instant): boolean {
  const text = formatTime(time);
  return OUTAGES.some(([start, end]) => start <= text && text < end);
}

function incidentsOf({ files }: MemoryStore) {
  const paths = [...files.keys()].filter((path) => path.startsWith("history/incidents/"));
  return paths.map((path) => {
    const { start, confirmed, end } = parseIncident(files.get(path)!)!;
    return { path, start, confirmed, end };
  });
}

Deno.test("a clock that is set back and forward in mid-week costs no check, and no incident ends before it starts", async (t) => {
  const site = await siteNamed("Shop", "shop");
  const BACK = "2026-11-18T12:20:00Z";
  const FORWARD = "2026-11-20T15:40:00Z";
  // One during the clock's way back and one during its way forward, besides those of every week.
  const around = [
    ["2026-11-18T12:10:00Z", "2026-11-18T12:30:00Z"],
    ["2026-11-20T15:30:00Z", "2026-11-20T15:50:00Z"],
  ] as const;
  const week = await simulate(site, {
    runs: WEEK_OF_RUNS,
    isDown: (time) =>
      isInOutage(time) ||
      around.some(([start, end]) => start <= formatTime(time) && formatTime(time) < end),
    clock: (time) =>
      BACK <= formatTime(time) && formatTime(time) < FORWARD ? time.subtract({ hours: 2 }) : time,
  });
  const { store } = week;

  await t.step("every check is logged once, in the log of the day that its clock showed", () => {
    assertEachCheckOnce(week);
  });

  await t.step("the number of commits is at most one an hour and one for each change", () => {
    const changes = CHANGES.filter((time) => !time.includes(":00:")).length + 2 * around.length;
    // Setting the clock makes a commit, or saves one.
    const most = 7 * 24 + changes + 2;
    assert(store.commits.length <= most, `${store.commits.length} commits, at most ${most}`);
    assert(store.commits.length >= 7 * 24, `${store.commits.length} commits`);
  });

  await t.step("every outage is an incident that ends, and not before it starts", () => {
    const incidents = incidentsOf(store);
    assertEquals(incidents.length, OUTAGES.length + around.length);
    for (const { path, start, end } of incidents) {
      assert(end !== undefined && Temporal.Instant.compare(start, end) <= 0, `${path}: ${end}`);
    }
  });

  await t.step("the record ends up with the right clock, and no incident", () => {
    const record = parseRecord(store.files.get("history/shop.yml")!)!;
    assertEquals([record.status, record.incident], ["up", undefined]);
    assertEquals(record.lastUpdated, Temporal.Instant.from("2026-11-22T23:00:03.120Z"));
  });

  await t.step("each effect is executed once", () => {
    assertEquals(week.outbox.size, 2 * (OUTAGES.length + around.length));
    for (const [id, { entries, last }] of week.outbox) {
      assertEquals([entries.size, last.done === undefined], [2, false], id);
    }
  });
});

function commitsPerDay({ commits }: MemoryStore): Record<string, number> {
  const days: Record<string, number> = {};
  for (const { time } of commits) days[utcDay(time)] = (days[utcDay(time)] ?? 0) + 1;
  return days;
}

Deno.test("a week of checks makes a commit an hour and one for each change, and loses nothing", async (t) => {
  const site = await siteNamed("Shop", "shop");
  const week = await simulate(site, { runs: WEEK_OF_RUNS, isDown: isInOutage });
  const { store } = week;

  await t.step("commits are counted by the day", () => {
    assertEquals(commitsPerDay(store), {
      "2026-11-16": 24,
      "2026-11-17": 24 + 1,
      "2026-11-18": 24,
      "2026-11-19": 24 + 1,
      "2026-11-20": 24 + 1,
      "2026-11-21": 24,
      "2026-11-22": 24,
    });
  });

  await t.step("commit messages say what changed, or how many runs the commit contains", () => {
    const expected: string[] = [];
    let waiting = 0;
    for (const time of week.starts.values()) {
      waiting++;
      const isChange = CHANGES.includes(formatTime(time));
      if (!isChange && !/T..:00:/.test(formatTime(time))) continue;
      const times = waiting > 1 ? ` ${waiting} times` : "";
      const change = isInOutage(time) ? "🟥 Shop is down" : "🟩 Shop is up (200 in 123 ms)";
      const state = isInOutage(time) ? "down" : "up";
      const text = isChange ? change : `Check 1 site${times}: 1 ${state}`;
      expected.push(`${formatTime(time)} ${text} [skip ci]`);
      waiting = 0;
    }
    assertEquals(
      store.commits.map(({ time, message }) => `${formatTime(time)} ${message}`),
      expected,
    );
    assert(expected.includes("2026-11-16T01:00:03.120Z Check 1 site 12 times: 1 up [skip ci]"));
  });

  await t.step("every check is logged once, in the log of its day", () => {
    assertEachCheckOnce(week);
    assertEquals(linesOf(store.pending.get("checks.csv")).length, 11);
  });

  await t.step(
    "commits change the logs, the record, the summary, and the incident and badge that a change means",
    () => {
      for (const [index, { time, paths }] of store.commits.entries()) {
        const days = new Set([time, time.subtract({ minutes: 55 })].map(utcDay));
        assert(paths.includes("history/shop.yml") && paths.includes("history/summary.json"));
        const others = paths.filter((path) =>
          path.startsWith("history/checks/") || !/^(?:history|api)\//.test(path)
        );
        for (const path of others) {
          assert(days.has(path.slice(15, 25)), `${formatTime(time)} ${path}`);
        }
        const isChange = CHANGES.includes(formatTime(time));
        assertEquals(
          paths.some((path) => path.includes("/incidents/")),
          isChange,
          formatTime(time),
        );
        const hasBadge = paths.includes("api/shop/badge-status.svg");
        assertEquals(hasBadge, isChange || index === 0, formatTime(time));
      }
    },
  );

  await t.step("each outage is an incident from its first failure to the first good check", () => {
    const names = ["2026-11-17-shop", "2026-11-19-shop"];
    assertEquals(
      incidentsOf(store),
      OUTAGES.map(([start, end], index) => ({
        path: `history/incidents/${names[index]}.yml`,
        start: Temporal.Instant.from(start).add(FIRST_ATTEMPT),
        confirmed: Temporal.Instant.from(start).add(FIRST_ATTEMPT).add(CONFIRMATION),
        end: Temporal.Instant.from(end).add(FIRST_ATTEMPT),
      })),
    );
  });

  await t.step(
    "the record contains the last commit and the start of the state",
    () => {
      const { status, since, startTime, lastUpdated, incident } = parseRecord(
        store.files.get("history/shop.yml")!,
      )!;
      assertEquals({ status, since, startTime, lastUpdated, incident }, {
        status: "up",
        since: Temporal.Instant.from(OUTAGES[1][1]).add(FIRST_ATTEMPT),
        startTime: MONDAY,
        lastUpdated: Temporal.Instant.from("2026-11-22T23:00:03.120Z"),
        incident: undefined,
      });
    },
  );

  await t.step("each effect is executed once, and remembered for two days", () => {
    const [first, second] = ["2026-11-17-shop", "2026-11-19-shop"];
    const expected = [`${first}/open`, `${first}/close`, `${second}/open`, `${second}/close`];
    assertEquals([...week.outbox.keys()], expected);
    for (const [index, { entries, last, lastSeen }] of [...week.outbox.values()].entries()) {
      const at = Temporal.Instant.from(CHANGES[index]!);
      const path = index < 2 ? first : second;
      assertEquals([last.planned, last.done], [at, { at, receipt: { path } }]);
      // Claimed, and done.
      assertEquals(entries.size, 2);
      assertEquals(lastSeen, at.add({ hours: 48 }));
    }
  });
});
