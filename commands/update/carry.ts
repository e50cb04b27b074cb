import type { Clock } from "../../lib/doors/clock.ts";
import { type AllCarried, carryOut } from "../../lib/outbox/carry_out.ts";
import type { Carriers } from "../../lib/outbox/effect.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";

/** Milliseconds that messages wait for the issues that they link to. */
const PATIENCE = 8_000;

/** What a run carries out effects with. */
export interface Hands {
  carriers: Carriers;
  /** Numbers of issues by incident; those that are opened are added. */
  issues: Map<string, number>;
  clock: Clock;
}

/** Carries out all that a run owes; messages go out a moment later than issues are opened, so that they can link to them. */
export async function carryOutAll(
  owed: readonly Entry[],
  outbox: readonly Entry[],
  { carriers, issues, clock }: Hands,
): Promise<AllCarried> {
  const isMessage = ({ carrier }: Entry) => carrier === "message";
  const messages = owed.filter(isMessage);
  const others = carryOut(
    owed.filter((entry) => !isMessage(entry)),
    outbox,
    carriers,
    ({ line }, { issue }) => {
      if (line !== undefined && typeof issue === "number") issues.set(line, issue);
    },
  );
  if (messages.length > 0) await within(PATIENCE, others, clock);
  const all = await Promise.all([others, carryOut(messages, outbox, carriers)]);
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
