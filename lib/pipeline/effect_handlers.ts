import { dispatchCarrier } from "../incidents/dispatches.ts";
import { issueCarrier } from "../incidents/issue_handler.ts";
import { announcementCarrier } from "../incidents/maintenance/close_announcement.ts";
import { messageCarrier } from "../notifications/message_handler.ts";
import type { Carrier, Carriers, Effect } from "../outbox/effect.ts";
import type { Means } from "../outbox/means.ts";

/** What makes each carrier of effects, by the name that effects have for it. */
const CARRIERS: Readonly<Record<string, (means: Means) => Carrier>> = {
  issue: issueCarrier,
  dispatch: dispatchCarrier,
  message: messageCarrier,
  announcement: announcementCarrier,
};

/** Every carrier, with what this run has got. */
export function carriersWith(means: Means): Carriers {
  return Object.fromEntries(
    Object.entries(CARRIERS).map(([name, carrier]) => [name, carrier(means)]),
  );
}

/** Why this run can't carry an effect out, for people; `undefined` where it can. */
export function obstacle(effect: Effect, carriers: Carriers): string | undefined {
  return Object.hasOwn(carriers, effect.carrier)
    ? carriers[effect.carrier]!.lacks?.(effect)
    : "only another version of the program knows how";
}
