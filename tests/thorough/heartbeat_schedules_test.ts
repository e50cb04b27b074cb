import { assert, assertEquals } from "@std/assert";
import { evaluateHeartbeat } from "../../lib/checks/heartbeat/heartbeat.ts";
import { SEED } from "../helpers/property.ts";
import { seededRandom } from "../helpers/seeded_random.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** Zones with a day near which their clocks change, or near which nothing does. */
const PERIODS = [
  ["UTC", "2026-02-27"],
  ["Asia/Kolkata", "2026-12-30"],
  ["Europe/Vienna", "2026-03-29"],
  ["Europe/Vienna", "2026-10-25"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["America/Havana", "2026-03-08"],
  ["America/Havana", "2026-11-01"],
  ["Africa/Cairo", "2026-04-24"],
  ["Africa/Cairo", "2026-10-30"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Pacific/Apia", "2011-12-30"],
  // From 23:30 to 00:30.
  ["America/Toronto", "1919-03-31"],
  ["America/Nuuk", "2026-03-29"],
] as const;

/** A minute of the clock on the wall, with the moments at which a job of that minute may run. */
interface WallMinute {
  /** As if it were UTC, in milliseconds since 1970. */
  wall: number;
  first: number;
  last: number;
}

/** Every minute on the wall in six days around a day, by looking at the clock once a minute. */
function readClock(timeZone: string, day: string): WallMinute[] {
  const middle = Date.parse(`${day}T12:00:00Z`);
  const minutes = new Map<number, WallMinute>();
  let before: number | undefined;
  for (let moment = middle - 3 * DAY; moment < middle + 3 * DAY; moment += MINUTE) {
    const { year, month, day, hour, minute } = Temporal.Instant.fromEpochMilliseconds(moment)
      .toZonedDateTimeISO(timeZone);
    const wall = Date.UTC(year, month - 1, day, hour, minute);
    const known = minutes.get(wall);
    minutes.set(wall, { wall, first: known?.first ?? moment, last: moment });
    const skippedFrom = (before ?? wall) + MINUTE;
    for (let skipped = skippedFrom; skipped < wall; skipped += MINUTE) {
      // It never shows: the job may run when the clock has jumped, or as much later.
      const last = moment + skipped - skippedFrom;
      minutes.set(skipped, { wall: skipped, first: moment, last });
    }
    before = wall;
  }
  return [...minutes.values()];
}

/** A random field of a schedule: its text, and the numbers that it means. */
function randomField(random: () => number, from: number, to: number): [string, Set<number>] {
  const any = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const numbers = (first: number, last: number, step = 1) =>
    new Set(
      Array.from({ length: to + 1 }, (_, one) => one).filter((one) =>
        one >= first && one <= last && (one - first) % step === 0
      ),
    );
  const kind = random();
  if (kind < 0.4) {
    const one = any(from, to);
    return [`${one}`, new Set([one])];
  }
  if (kind < 0.6) {
    const list = [any(from, to), any(from, to), any(from, to)];
    return [list.join(","), new Set(list)];
  }
  if (kind < 0.8) {
    const step = any(1, Math.ceil((to - from) / 2));
    return [`*/${step}`, numbers(from, to, step)];
  }
  const first = any(from, to);
  const last = any(first, to);
  return [`${first}-${last}`, numbers(first, last)];
}

/** One of the first hours of a day. */
function randomNight(random: () => number): [string, Set<number>] {
  const hour = Math.floor(random() * 5);
  return [`${hour}`, new Set([hour])];
}

function randomSchedule(random: () => number) {
  const all: [string, Set<number> | undefined] = ["*", undefined];
  const minute = randomField(random, 0, 59);
  // Clocks change in the first hours of a day.
  const hour = random() < 0.3
    ? all
    : random() < 0.5
    ? randomField(random, 0, 23)
    : randomNight(random);
  const day = random() < 0.7 ? all : randomField(random, 1, 31);
  const month = random() < 0.9 ? all : randomField(random, 1, 12);
  const weekday = random() < 0.7 ? all : randomField(random, 0, 6);
  const text = [minute, hour, day, month, weekday].map(([text]) => text).join(" ");
  /** True if POSIX cron starts a job in a minute on the wall. */
  const isMeant = (wall: number): boolean => {
    const date = new Date(wall);
    const has = ([, set]: [string, Set<number> | undefined], number: number) =>
      set === undefined || set.has(number);
    const isFull = (set: Set<number> | undefined, size: number) =>
      set === undefined || set.size === size;
    const [inMonth, inWeek] = [has(day, date.getUTCDate()), has(weekday, date.getUTCDay())];
    const either = !isFull(day[1], 31) && !isFull(weekday[1], 7);
    return has(minute, date.getUTCMinutes()) && has(hour, date.getUTCHours()) &&
      has(month, date.getUTCMonth() + 1) && (either ? inMonth || inWeek : inMonth && inWeek);
  };
  return { text, isMeant };
}

Deno.test(`1,000 random schedules are overdue exactly when a search minute by minute says so (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const clocks = PERIODS.map(([zone, day]) => ({ zone, minutes: readClock(zone, day) }));
  let compared = 0;
  for (let round = 0; round < 1000; round++) {
    const { zone, minutes } = clocks[round % clocks.length]!;
    const { text, isMeant } = randomSchedule(random);
    const meant = minutes.filter(({ wall }) => isMeant(wall));
    if (meant.length === 0) continue;
    const moments = minutes.map(({ first }) => first);
    const [start, end] = [Math.min(...moments) + 1.2 * DAY, Math.max(...moments)];
    for (let beat = 0; beat < 5; beat++) {
      // Half of the beats are within seconds of a scheduled minute.
      const near = meant[Math.floor(random() * meant.length)]!;
      const edge = random() < 0.5 ? near.first : near.last;
      const at = random() < 0.5
        ? edge + Math.round((random() - 0.5) * 10) * 1000
        : Math.round(start + random() * (end - start));
      if (at < start || at > end - DAY) continue;
      const due = Math.min(...meant.filter(({ first }) => first > at).map(({ last }) => last));
      if (due > end - DAY) continue;
      const grace = Math.floor(random() * 120) * MINUTE;
      const moment = (time: number) => Temporal.Instant.fromEpochMilliseconds(time);
      const known = { since: moment(start), end: { kind: "ok" as const, at: moment(at) } };
      const keys = { every: text, timezone: zone, grace, expectFirst: false };
      const deadline = moment(due + grace);
      const name = `${text} ${zone}, beat at ${moment(at)}, due at ${moment(due)}`;
      assertEquals(evaluateHeartbeat(known, keys, deadline).state, "up", name);
      const late = evaluateHeartbeat(known, keys, deadline.add({ milliseconds: 1 }));
      assert(late.state === "down" && late.since.equals(deadline), name);
      compared++;
    }
  }
  assert(compared > 2000, `${compared}`);
});
