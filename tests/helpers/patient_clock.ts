import { type Clock, systemClock } from "../../lib/io/clock.ts";

/** The two seconds that messages and workflows wait for issues, in milliseconds. */
const WAIT_FOR_ISSUES = 2_000;

/** The clock of this machine, on which messages wait a minute for their issues: a busy machine needs more than two seconds. */
export const patientClock: Clock = {
  ...systemClock,
  wait: (milliseconds, signal) =>
    systemClock.wait(
      signal !== undefined && milliseconds === WAIT_FOR_ISSUES ? 60_000 : milliseconds,
      signal,
    ),
};
