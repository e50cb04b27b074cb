import type { Carriers } from "../../lib/outbox/effect.ts";
import { obstacle } from "../../lib/pipeline/effect_handlers.ts";
import { listed } from "../../lib/text/listed.ts";
import type { Entry } from "../../lib/outbox/outbox.ts";
import { count } from "../words.ts";

/** Messages that a line names at most. */
const MOST_NAMED = 10;

/** Lines about messages that a run can't send, one for each thing that it lacks. */
export function waitingMessages(outbox: readonly Entry[], carriers: Carriers): string[] {
  const waiting = outbox.filter(({ carrier, done }) => carrier === "message" && done === undefined)
    .map((entry) => ({ what: entry.what, need: obstacle(entry, carriers) }));
  const byNeed = Map.groupBy(waiting, ({ need }) => need);
  return [...byNeed].flatMap(([need, own]) => {
    if (need === undefined) return [];
    const whats = listed([...new Set(own.map(({ what }) => what))], MOST_NAMED);
    const wait = own.length === 1 ? "waits" : "wait";
    return [`${count(own.length, "message")} ${wait} for a run that has ${need}: ${whats}`];
  });
}
