import {
  type Condition,
  isFailingAt,
  isQuietAt,
  type Plan,
  reactionTimeOf,
  REOPEN_WITHIN,
  type SiteDay,
  timeOf,
} from "./day_on_call.ts";

const MINUTE = 60_000;

/** The acknowledgement in effect at a run, of an incident that was first opened at another and got worse at a third. */
function findAcknowledged(
  { acknowledgings, conditions }: SiteDay,
  { run, first }: { run: number; first: number },
): string | undefined {
  const condition = conditions[run];
  const isWorse = (at: number) => conditions[at] === "degraded" && condition === "down";
  const found = acknowledgings.find((one) =>
    one.run >= first && one.run < run && !isWorse(one.run) &&
    timeOf(run) < reactionTimeOf(one.run) + one.minutes * MINUTE
  );
  return found && `${found.run} ${found.by}`;
}

/**
 * Everything that a channel must be notified of about a site, as `run site event`. It follows docs/on-call.md, and
 * shares nothing with the program. The end of an outage is one event, whether the outage was sent before or not.
 */
export function expectedOf(plan: Plan, day: SiteDay): string[] {
  const { site, conditions } = day;
  const { after, reminder } = plan;
  const isCritical = (condition: Condition) => condition === "down" && site.severity === "critical";
  const expected: string[] = [];
  /** The state that the channel was sent, and the one it is still to be sent. */
  let sent: Condition | undefined;
  let owed: Condition | undefined;
  /** Ends that are still to be sent, by the worst state of their outages. */
  let ends: Condition[] = [];
  /** The run that opened the incident, which may have been reopened since. */
  let first = 0;
  let ended = -Infinity;
  let lastAt = 0;
  let knownAcknowledgement: string | undefined;
  for (const [run, condition] of conditions.entries()) {
    const isQuiet = isQuietAt(plan, run);
    const canSend = (about: Condition) =>
      !isFailingAt(plan, run) && (!isQuiet || (plan.exceptsCritical === true && isCritical(about)));
    const send = (event: string) => {
      expected.push(`${run} ${site.name} ${event}`);
      lastAt = timeOf(run);
    };
    const before = conditions[run - 1] ?? "up";
    if (condition === "up") {
      if (before !== "up") {
        const about = owed ?? sent;
        if (about !== undefined) ends.push(about);
        sent = owed = knownAcknowledgement = undefined;
        ended = run;
      }
      ends = ends.filter((about) => {
        if (canSend(about)) send("end");
        return !canSend(about);
      });
      continue;
    }
    if (before === "up" && timeOf(run) - timeOf(ended) > REOPEN_WITHIN * MINUTE) first = run;
    ends = ends.filter((about) => {
      if (canSend(about)) send("end");
      return !canSend(about);
    });
    const acknowledged = findAcknowledged(day, { run, first });
    const isStep = after > 0 && sent === undefined;
    const isDue = timeOf(run) - timeOf(first) >= after * MINUTE;
    const mayStart = !isStep || (isDue && acknowledged === undefined);
    if (isStep && !mayStart) owed = undefined;
    else if (plan.chooses(site, condition) && sent !== condition) owed = condition;
    if (owed !== undefined) {
      if (!canSend(owed)) continue;
      send(owed);
      sent = owed;
      owed = undefined;
      knownAcknowledgement = acknowledged;
      continue;
    }
    if (sent === undefined) continue;
    if (acknowledged !== undefined) {
      if (acknowledged !== knownAcknowledgement && canSend(condition)) {
        send("acknowledged");
        knownAcknowledgement = acknowledged;
      }
    } else if (reminder !== undefined && !isQuiet && timeOf(run) - lastAt >= reminder * MINUTE) {
      send("reminder");
    }
  }
  return expected;
}
