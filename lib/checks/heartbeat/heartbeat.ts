import { parseEvery } from "../../config/checks/heartbeat.ts";
import type { CheckSettings } from "../../config/checks/mod.ts";
import { describeDuration, HOUR, isBefore, MINUTE, utcMinute } from "../../time.ts";
import type { Beat } from "./beat.ts";
import { findNextDue } from "./next_due.ts";

export interface ReceivedBeat extends Beat {
  /** Time that its sender wrote, if it was later than when the beat was first read, which counts instead. */
  sent?: Temporal.Instant;
  /** Set if the endpoint of an earlier version received it, so that no other source has to have one yet. */
  former?: true;
}

/** State of a job by its beats, which is kept between runs. */
export interface Heartbeat {
  since: Temporal.Instant;
  end?: ReceivedBeat;
  /** The first start after it. */
  start?: ReceivedBeat;
}

/**
 * Adds a beat. One that is known already, or older than the newest known one, changes nothing; of the same second,
 * an end counts more than a start. A time in the future counts as now.
 */
export function addBeat(heartbeat: Heartbeat, beat: Beat, now: Temporal.Instant): Heartbeat {
  const known = [heartbeat.end, heartbeat.start].filter((one) => one !== undefined);
  const isKnown = known.some(({ kind, at, sent = at }) =>
    kind === beat.kind && sent.equals(beat.at)
  );
  const received: ReceivedBeat = isBefore(now, beat.at)
    ? { ...beat, at: now, sent: beat.at }
    : beat;
  const { kind, at, duration } = received;
  if (isKnown || known.some((one) => isBefore(at, one.at))) return heartbeat;
  const { since, end, start } = heartbeat;
  if (kind === "start") {
    return end?.at.equals(at) ? heartbeat : { ...heartbeat, start: start ?? received };
  }
  const measured = duration ?? start?.at.until(at).total("milliseconds");
  return { since, end: measured === undefined ? received : { ...received, duration: measured } };
}

/** Milliseconds by which a sender's clock may be wrong without a remark. */
const TOLERANCE = MINUTE;

/** Remark on a clock that is clearly ahead of ours. */
export function describeClock({ end, start }: Heartbeat): string | undefined {
  const { at, sent = at } = start ?? end ?? {};
  const ahead = at === undefined ? 0 : at.until(sent!).total("milliseconds");
  if (ahead <= TOLERANCE) return undefined;
  return `the clock of its sender is ${
    describeDuration(ahead)
  } ahead: the beat counts from when it was read`;
}

type Schedule = Pick<
  CheckSettings<"heartbeat">,
  "every" | "timezone" | "grace" | "expectFirst"
>;

type HeartbeatState =
  | { state: "up" | "pending" }
  /** `since` is when that began: the failure, or the deadline. */
  | { state: "down"; since: Temporal.Instant; reason: string };

/** Evaluates a job at a moment. At its deadline itself it is still in time. */
export function evaluateHeartbeat(
  { since, end, start }: Heartbeat,
  { every: written = 0, timezone, grace: configured, expectFirst }: Schedule,
  now: Temporal.Instant,
): HeartbeatState {
  const every = parseEvery(written);
  const grace = configured ?? computeGrace(every);
  const show = (time: Temporal.Instant) => `${utcMinute(time)} UTC`;
  if (end?.kind === "fail") {
    const how = end.code === undefined ? "reported a failure" : `ended with exit code ${end.code}`;
    return { state: "down", since: end.at, reason: `the job ${how}` };
  }
  const isExpected = end !== undefined || expectFirst;
  const overdue: { deadline: Temporal.Instant; reason: string }[] = [];
  if (isExpected) {
    const last = end?.at ?? since;
    const due = typeof every === "number"
      ? last.add({ milliseconds: every })
      : findNextDue(every, timezone, last);
    const late = grace === 0 ? "late" : `more than ${describeDuration(grace)} late`;
    const reason = end === undefined
      ? `no beat received yet: the first one, due at ${show(due)}, is ${late}`
      : `no beat since ${show(last)}: the one due at ${show(due)} is ${late}`;
    overdue.push({ deadline: due.add({ milliseconds: grace }), reason });
  }
  if (start !== undefined) {
    const within = grace === 0 ? "is not over" : `did not end within ${describeDuration(grace)}`;
    const reason = `the job started at ${show(start.at)} and ${within}`;
    overdue.push({ deadline: start.at.add({ milliseconds: grace }), reason });
  }
  const [first] = overdue.filter(({ deadline }) => isBefore(deadline, now))
    .sort((one, other) => Temporal.Instant.compare(one.deadline, other.deadline));
  if (first !== undefined) return { state: "down", since: first.deadline, reason: first.reason };
  return { state: end === undefined ? "pending" : "up" };
}

/** Time that a job may be late if nothing is configured, in milliseconds. */
function computeGrace(every: ReturnType<typeof parseEvery>): number {
  return typeof every === "number" ? Math.max(5 * MINUTE, every / 5) : HOUR;
}

/**
 * Formats a time to the minute in a time zone, and in UTC if that differs.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-22T23:30:00Z");
 * assertEquals(formatLocal(time, "Europe/Vienna"), "2026-11-23 00:30 Europe/Vienna (2026-11-22 23:30 UTC)");
 * assertEquals(formatLocal(time, "UTC"), "2026-11-22 23:30 UTC");
 * ```
 */
export function formatLocal(time: Temporal.Instant, timeZone: string): string {
  const local = time.toZonedDateTimeISO(timeZone).toPlainDateTime().toString({
    smallestUnit: "minute",
  }).replace("T", " ");
  const utc = utcMinute(time);
  if (local === utc) return `${utc} UTC`;
  const shown = local.slice(0, 10) === utc.slice(0, 10) ? utc.slice(11) : utc;
  return `${local} ${timeZone} (${shown} UTC)`;
}
