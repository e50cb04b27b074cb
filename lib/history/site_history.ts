import type { DayTotals } from "./daily_log.ts";
import type { Incident } from "./incident.ts";
import type { PhasedChecks } from "./phases.ts";
import type { Window } from "./windows.ts";

/** Single checks of a site in columns, each once, by time. Half a million of them are read at once. */
export interface Checks {
  readonly length: number;
  /** Milliseconds since 1970, ascending. */
  readonly times: Float64Array;
  /** Indices into `STATES`. */
  readonly states: Uint8Array;
  /** Response times in milliseconds; `NaN` where there is none. */
  readonly durations: Float64Array;
  /** 1 for a check taken over from Upptime, which wrote one only on a change and once a day. */
  readonly imported: Uint8Array;
}

/** A day of which the totals are known. */
export interface RolledDay {
  /** Its begin, in milliseconds since 1970. */
  readonly from: number;
  readonly totals: DayTotals;
}

/** Days, ascending. There are hundreds of thousands: each becomes an object only while it is looked at. */
export interface RolledDays extends Iterable<RolledDay> {
  readonly length: number;
  /** Begin of the day of an index, from 0 up to below `length`, in milliseconds since 1970. */
  from(index: number): number;
  /** The day of an index, from 0 on, which may be kept, as those may that are iterated over. */
  at(index: number): RolledDay | undefined;
  /** Those from an index up to another; all behind it where none is given. */
  slice(from?: number, to?: number): RolledDays;
  /** Those that are wanted. The day that `isWanted` is given must not be kept: it becomes the next. */
  filter(isWanted: (day: RolledDay) => boolean): RolledDays;
  /** Shows each, from an index up to another. The day that `look` is given must not be kept: it becomes the next. */
  forEach(look: (day: RolledDay) => void, from?: number, to?: number): void;
}

/** Everything that is known of one site. */
export interface SiteHistory {
  slug: string;
  /** When it was first monitored, in milliseconds since 1970; absent while nothing is known of it. */
  first?: number;
  checks: Checks;
  /** Those of the checks that tell their phases; absent where nothing is known of it. */
  phases?: PhasedChecks;
  /** Those that were rolled up. */
  days: RolledDays;
  /** By their names, oldest first. */
  incidents: ReadonlyMap<string, Incident>;
  /** When files say that it was in maintenance, ascending and without overlaps. */
  maintenance: readonly Window[];
}
