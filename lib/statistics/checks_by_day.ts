import { DAY, dayOf } from "../time.ts";
import { firstAtOrAfter } from "../history/first_at_or_after.ts";
import type { Checks } from "../history/site_history.ts";

/** How many checks each day has up to a moment, by time. */
export function checksByDay({ times }: Checks, now: number): Map<number, number> {
  const counts = new Map<number, number>();
  const last = firstAtOrAfter(times, now + 1);
  for (let begin = 0; begin < last;) {
    const day = dayOf(times[begin]!);
    const end = Math.min(last, firstAtOrAfter(times, day + DAY));
    counts.set(day, end - begin);
    begin = end;
  }
  return counts;
}

/** Checks without those of some days, given how many each day has: copied only where days between are left out. */
export function checksWithout(
  checks: Checks,
  counts: ReadonlyMap<number, number>,
  days: ReadonlySet<number>,
): Checks {
  const ranges: [begin: number, end: number][] = [];
  let begin = 0;
  for (const [day, count] of counts) {
    const end = begin + count;
    const last = ranges.at(-1);
    if (!days.has(day)) {
      if (last?.[1] === begin) last[1] = end;
      else ranges.push([begin, end]);
    }
    begin = end;
  }
  const keep = <T extends Float64Array | Uint8Array>(column: T): T => {
    const parts = ranges.map(([from, to]) => column.subarray(from, to) as T);
    return parts.length === 1 ? parts[0]! : joined(column, parts);
  };
  const times = keep(checks.times);
  return {
    length: times.length,
    times,
    states: keep(checks.states),
    durations: keep(checks.durations),
    imported: keep(checks.imported),
  };
}

/** Parts of a column, one behind the other. */
function joined<T extends Float64Array | Uint8Array>(column: T, parts: readonly T[]): T {
  const whole = column.slice(0, parts.reduce((length, part) => length + part.length, 0)) as T;
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
