import { filesTracker } from "../incidents/files_tracker.ts";
import type { Carriers, Effect } from "./effect.ts";

/** Every carrier of effects, by the name that effects have for it. */
export const CARRIERS: Carriers = {
  incident: filesTracker,
};

/** Why this run can't carry an effect out, for people; `undefined` where it can. */
export function obstacle(effect: Effect): string | undefined {
  const known = Object.hasOwn(CARRIERS, effect.carrier) ? CARRIERS[effect.carrier] : undefined;
  return known === undefined
    ? "only another version of the program knows how"
    : known.lacks?.(effect);
}

/** What an effect does, for people; its name where it belongs to a carrier of another version. */
export function describe(effect: Effect): string {
  const known = Object.hasOwn(CARRIERS, effect.carrier) ? CARRIERS[effect.carrier] : undefined;
  return known?.describe(effect) ?? effect.id;
}
