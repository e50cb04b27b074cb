import { assert, assertEquals } from "@std/assert";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import type { bruteForce } from "./brute_force.ts";

/** How far two figures may lie apart. */
export interface Leave {
  /** Seconds, for times and for shares of time. */
  time?: number;
  /** Share of a response time. */
  quantile?: number;
}

/** Asserts that statistics are those of an oracle; shares to a millionth, times to a millisecond. */
export function assertSame(
  ours: Statistics,
  theirs: ReturnType<typeof bruteForce>,
  { time = 0.001, quantile = 1e-9 }: Leave = {},
): void {
  const both = `\n${JSON.stringify(ours)}\n${JSON.stringify(theirs)}`;
  const close = (one: number | undefined, other: number | undefined, leave: number, what: string) =>
    assert(
      one === other || Math.abs(one! - other!) <= leave,
      `${what}: ${one} and not ${other}${both}`,
    );
  const length = Math.max(1, theirs.observed - theirs.maintenance);
  const share = 1e-6 + 2 * (time > 0.001 ? time : 0) / length;
  for (const name of ["observed", "maintenance", "down", "degraded", "longestOutage"] as const) {
    close(ours[name], theirs[name], time, name);
  }
  for (const name of ["uptime", "coverage"] as const) close(ours[name], theirs[name], share, name);
  for (const name of ["checks", "outages", "incidents", "degradations"] as const) {
    assertEquals(ours[name], theirs[name], `${name}${both}`);
  }
  close(ours.apdex, theirs.apdex, quantile === 1e-9 ? 1e-9 : 1, "apdex");
  for (const name of ["mttr", "mtbf"] as const) close(ours[name], theirs[name], time, name);
  assertEquals(ours.responseTimes?.count, theirs.responseTimes?.count, both);
  for (const name of ["mean", "min", "max"] as const) {
    close(ours.responseTimes?.[name], theirs.responseTimes?.[name], 1e-6, name);
  }
  for (const name of ["p50", "p95", "p99"] as const) {
    const value = theirs.responseTimes?.[name];
    close(ours.responseTimes?.[name], value, quantile * (value ?? 0), name);
  }
  close(ours.objective?.target, theirs.objective?.target, 1e-12, "target");
  close(ours.objective?.budget, theirs.objective?.budget, time, "budget");
  close(ours.objective?.left, theirs.objective?.left, time, "left");
  if (Math.abs((theirs.uptime ?? 0) - (theirs.objective?.target ?? 0)) > share) {
    assertEquals(ours.objective?.isMet, theirs.objective?.isMet, both);
  }
}
