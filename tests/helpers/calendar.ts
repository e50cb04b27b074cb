/**
 * The date of the tests: `tests/run.ts` moves the date of their process, and {@linkcode calendarFlags}
 * that of the programs that they start, to the same day for everybody. The machine keeps its own, and
 * so do git, TLS libraries and all else that isn't JavaScript.
 */
import { type Clock, systemClock } from "../../lib/io/clock.ts";

/** A Wednesday without any change of clocks, months or years nearby; `TEST_DATE` replaces it. */
const DATE = "2026-12-02T10:17:00Z";

const VARIABLE = "TEST_CALENDAR";

/** The date when the tests start. */
export function startOfTests(): Temporal.Instant {
  const text = Deno.env.get("TEST_DATE") ?? DATE;
  try {
    return Temporal.Instant.from(text);
  } catch {
    throw new Error(`TEST_DATE is "${text}": set it to a time such as ${DATE}`);
  }
}

/** The variable of the environment that tests need to run on their date, which starts now. */
export function calendarVariable(): Record<string, string> {
  return { [VARIABLE]: String(startOfTests().epochMilliseconds - Date.now()) };
}

/** Flags with which Deno starts a program or tests on the date of the tests, or some milliseconds later. */
export function calendarFlags(by = Deno.env.get(VARIABLE), later = 0): string[] {
  if (by === undefined && later === 0) return [];
  const moved = Number(by ?? 0) + later;
  return [`--preload=${import.meta.resolve(`./calendar.js?by=${moved}`)}`];
}

/** The machine's own clock, for tests whose subject it is: `tests/clock_test.ts` lists them. */
export const machineClock: Clock = {
  ...systemClock,
  now: () => Temporal.Now.instant().subtract({ milliseconds: Number(Deno.env.get(VARIABLE) ?? 0) }),
};
