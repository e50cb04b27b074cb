import { LENGTH, type Scenario } from "./scenarios.ts";
import { after, type World } from "./simulator.ts";

/** What is wrong with a location while sites are monitored from several. */
type LocationFault = Pick<World, "isOnline" | "sends" | "skew"> & {
  /** What the location sees instead of the answer of the site. */
  sees?: ReturnType<World["answer"]>;
};

/** A fault lasts from the 20th minute to almost the end of a story, and so overlaps all of its outages. */
function isFaulty(time: number): boolean {
  return after(20) <= time && time < after(LENGTH - 20);
}

/** Faults of one location, by name. */
export const LOCATION_FAULTS: Readonly<Record<string, LocationFault>> = {
  "is like the others": {},
  "can't reach the sites": { sees: "hangs" },
  "always sees the sites up": { sees: "ok" },
  "gets errors": { sees: "error 500" },
  "is slow": { sees: "slow" },
  "has no network": { isOnline: (time) => !isFaulty(time) },
  "sends nothing": { sends: (_, time) => isFaulty(time) ? "nothing" : "now" },
  "sends every other result": {
    sends: (_, time) => Math.floor(time / after(5)) % 2 === 0 ? "nothing" : "now",
  },
  "is a run late": { sends: (_, time) => isFaulty(time) ? "late" : "now" },
  "has a clock that is ten minutes ahead": { skew: () => after(10) },
  "has a clock that is ten minutes behind": { skew: () => -after(10) },
};

/** Makes some locations of a world faulty while `isFaulty` holds. */
export function withFault(world: World, fault: LocationFault, faulty: readonly number[]): World {
  const { sees, isOnline, sends, skew } = fault;
  const has = (place: number) => faulty.includes(place);
  return {
    ...world,
    answer: (site, time, place = 0) =>
      sees !== undefined && has(place) && isFaulty(time) ? sees : world.answer(site, time, place),
    isOnline: (time, place = 0) =>
      (world.isOnline?.(time, place) ?? true) && (!has(place) || (isOnline?.(time, place) ?? true)),
    sends: (place, time) => has(place) ? sends?.(place, time) ?? "now" : "now",
    skew: (place) => has(place) ? skew?.(place) ?? 0 : 0,
  };
}

/** A story with a fault of locations; what is expected of it stays the same. */
export function faultyStory(
  { keys, world, ...story }: Scenario,
  fault: LocationFault,
  faulty: readonly number[],
): Scenario {
  return { ...story, keys: { ...keys, partial: "ignore" }, world: withFault(world, fault, faulty) };
}
