import type { Clock } from "../../lib/io/clock.ts";
import type { IssueNumbers } from "../../lib/incidents/issue_numbers.ts";
import { type AllCarried, carryOut, type OnCarried } from "../../lib/outbox/carry_out.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";

/** Milliseconds that messages wait for the numbers of their issues, and the starts of workflows for all other writes. */
const LONGEST_WAIT = 2_000;

/** Dependencies of the effects of a run. */
export interface Hands {
  carriers: Carriers;
  /** Numbers of issues by incident; those that are opened are added. */
  issues: IssueNumbers;
  clock: Clock;
  /** Called after issues were opened, and before workflows are started. */
  afterOpening?(): Promise<void>;
  /** Called with each message that was sent. */
  onSent?: OnCarried;
}

/**
 * Executes all effects of a run: issues and messages at once, each message as soon as the numbers of its
 * issues are known, and the starts of workflows last.
 */
export async function carryOutAll(
  owed: readonly Entry[],
  outbox: readonly Entry[],
  { carriers, issues, clock, afterOpening, onSent }: Hands,
): Promise<AllCarried> {
  const { messages = [], dispatches = [], others = [] } = Object.groupBy(
    owed,
    ({ carrier }) =>
      carrier === "message" ? "messages" : carrier === "dispatch" ? "dispatches" : "others",
  );
  const opened = others.filter(({ carrier, data }) =>
    carrier === "issue" && data["action"] === "open"
  ).flatMap(({ line }) => line ?? []);
  const working = carryOut(others, outbox, carriers, ({ line }, { issue }) => {
    if (line !== undefined && typeof issue === "number") issues.set(line, issue);
  });
  const waiting = messages.length === 0 ? working : within(LONGEST_WAIT, working, clock);
  const incidents = others.flatMap(({ carrier, line = [] }) => carrier === "issue" ? line : []);
  issues.expect(incidents, waiting);
  const sending = carryOut(messages, outbox, carriers, onSent);
  const numbered = Promise.all(opened.map((incident) => issues.settled(incident)));
  const tidying = Promise.all([
    working,
    opened.length === 0 ? undefined : numbered.then(() => afterOpening?.()),
  ]);
  if (dispatches.length > 0) await within(LONGEST_WAIT, tidying, clock);
  const all = await Promise.all([working, sending, carryOut(dispatches, outbox, carriers)]);
  await tidying;
  return {
    carried: all.flatMap(({ carried }) => carried),
    bugs: all.flatMap(({ bugs }) => bugs),
  };
}

/** Waits for some work, and no longer than that. */
async function within(milliseconds: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  const done = work.finally(() => over.abort()).catch(() => {});
  await Promise.race([done, clock.wait(milliseconds, over.signal)]);
}

/** Milliseconds between two notes on what was executed. */
const NOTE_INTERVAL = 10_000;

/**
 * Calls `note` every ten seconds until some work ends, never twice at once. If the run is killed, a later run
 * repeats what it has sent since the last note.
 */
export async function noteWhile<T>(
  work: Promise<T>,
  { clock, note }: { clock: Clock; note(): Promise<void> },
): Promise<T> {
  const over = new AbortController();
  work.catch(() => {}).finally(() => over.abort());
  while (!over.signal.aborted) {
    await clock.wait(NOTE_INTERVAL, over.signal);
    if (!over.signal.aborted) await note();
  }
  return await work;
}
