import type { Language } from "../text/language.ts";
import { shorten } from "../text/plain_text.ts";
import { joinFirst, joinNames } from "../text/words.ts";
import type { LocationResult } from "./results.ts";

const MOST_NAMES = 5;
const LONGEST_NAME = 30;

/** Describes which locations see a failure: `down in A and B (up in C; no result from D)`. */
export function describeVotes(locations: readonly LocationResult[]): string {
  const failing = locations.some(({ state }) => state === "down") ? "down" : "degraded";
  const named = locations.filter(({ state }) => state === failing);
  const others = (["degraded", "up", "unknown"] as const).flatMap((state) => {
    const own = locations.filter((one) => one.state === state && state !== failing);
    const words = state === "unknown" ? "no result from" : `${state} in`;
    return own.length === 0 ? [] : [`${words} ${joinLocations(own)}`];
  });
  const all = others.length === 0 && named.length > 2;
  const places = all ? `all ${named.length} locations` : joinLocations(named);
  return `${failing} in ${places}${others.length === 0 ? "" : ` (${others.join("; ")})`}`;
}

/** Joins names without brackets, which would be nested, and without the end of {@linkcode readVotes}. */
function joinLocations(parts: readonly LocationResult[]): string {
  const names = parts.slice(0, MOST_NAMES).map(({ location }) =>
    shorten(location.replace(/[\p{Ps}\p{Pe}:\s]+/gu, " ").trim(), LONGEST_NAME)
  );
  const rest = parts.length - names.length;
  return joinNames(rest === 0 ? names : [...names, `${rest} more`]);
}

/** Names the locations without a result: `only 1 of 3 locations has a result, 2 are needed; A: offline, B: asleep`. */
export function describeLack(quorum: number, locations: readonly LocationResult[]): string {
  const lacking = locations.filter(({ state }) => state === "unknown");
  const reasons = joinFirst(
    lacking,
    MOST_NAMES,
    ({ location, error = "no result" }) => `${location}: ${error}`,
  );
  if (locations.length === 1) return `no result from ${reasons}`;
  const count = locations.length - lacking.length;
  const have = count === 0
    ? `none of ${locations.length} locations has a result`
    : `only ${count} of ${locations.length} locations ${count === 1 ? "has" : "have"} a result`;
  return `${have}, ${quorum} ${quorum === 1 ? "is" : "are"} needed; ${reasons}`;
}

/** An error of several locations in parts: `down`, `in A and B (up in C)` and `timed out`. */
interface Votes {
  state: string;
  places: string;
  /** Empty if the error was cut off before it. */
  reason: string;
}

/** Reads {@linkcode describeVotes} and the reason behind it; older incidents have `down from 2 of 3 (A, B; up from C)`. */
export function readVotes(error: string): Votes | undefined {
  const [, state, places, reason = ""] =
    /^(down|degraded) ((?:in|from \d+ of \d+) [^:]*)(?:: (.*)|…)$/s.exec(error) ?? [];
  return state === undefined ? undefined : { state, places: places!, reason };
}

/** Locations with the same result: their names, and how many more there are. */
interface Named {
  names: string[];
  more: number;
}

/** The locations of {@linkcode Votes}: those that see the failure, and what others see. */
export interface Places {
  /** The number of locations if all see it. */
  seen: Named | number;
  others: (Named & { state: "degraded" | "up" | "unknown" })[];
}

/**
 * Reads the locations of {@linkcode Votes}; `undefined` for those of older incidents.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const up = { state: "up" as const, names: ["Bonn"], more: 0 };
 * assertEquals(readPlaces("in Rome, Oslo and 2 more (up in Bonn)"), { seen: { names: ["Rome", "Oslo"], more: 2 }, others: [up] });
 * assertEquals(readPlaces("in all 3 locations"), { seen: 3, others: [] });
 * ```
 */
export function readPlaces(places: string): Places | undefined {
  const [, seen, rest] = /^in ([^()]*?)(?: \(([^()]*)\))?$/.exec(places) ?? [];
  const others = rest?.split("; ").map((text) => {
    const [, state = "unknown", names] = /^(?:(up|degraded) in|no result from) (.*)$/.exec(text) ??
      [];
    return names === undefined
      ? undefined
      : { state: state as Places["others"][number]["state"], ...readNames(names) };
  }) ?? [];
  if (seen === undefined || !others.every((one) => one !== undefined)) return undefined;
  const [, all] = /^all (\d+) locations$/.exec(seen) ?? [];
  return { seen: all === undefined ? readNames(seen) : Number(all), others };
}

/** Reads what {@linkcode joinLocations} has joined; a name that has "and" in it may become two. */
function readNames(text: string): Named {
  const [, first = text, more = "0"] = /^(.*) and (\d+) more$/.exec(text) ?? [];
  const [, others, last = first] = /^(.*) and (.*)$/.exec(first) ?? [];
  return { names: [...others?.split(", ") ?? [], ...last.split(", ")], more: Number(more) };
}

const SEEN = {
  down: "downInPlaces",
  degraded: "degradedInPlaces",
  up: "upInPlaces",
  unknown: "noResultFromPlaces",
} as const;

/** Names locations in a language, and what others see: `Rome and Oslo (up in Bonn)`. `show` escapes names. */
export function sayPlaces(
  { seen, others }: Places,
  { say, list, isolate }: Pick<Language, "say" | "list" | "isolate">,
  show: (name: string) => string = String,
): string {
  const sayNames = ({ names, more }: Named) =>
    list([
      ...names.map((name) => isolate(show(name))),
      ...more === 0 ? [] : [say("morePlaces", { COUNT: more })],
    ]);
  const places = typeof seen === "number" ? say("allPlaces", { COUNT: seen }) : sayNames(seen);
  const notes = others.map((one) => say(SEEN[one.state], { PLACES: sayNames(one) }));
  if (notes.length === 0) return places;
  const NOTE = notes.reduce((ONE, OTHER) => say("semicolonBetween", { ONE, OTHER }));
  return say("withNote", { TEXT: places, NOTE });
}

/** A recorded error with its locations in a language, and the reason as it is, which is evidence. */
export function sayError(
  error: string,
  language: Language,
  show: (text: string) => string = String,
): string {
  const votes = readVotes(error);
  if (votes === undefined || readPlaces(votes.places) === undefined) {
    return language.isolate(show(error));
  }
  const TEXT = sayVotes(votes, language, show);
  return votes.reason === ""
    ? TEXT
    : language.say("withReason", { TEXT, REASON: language.isolate(show(votes.reason)) });
}

/**
 * The locations of an error in a language; those of older incidents as they are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const own = { downInPlaces: "Ausfall in $PLACES", upInPlaces: "erreichbar in $PLACES" };
 * const german = createLanguage("de", mergeMessages(own));
 * const votes = { state: "down", places: "in Rom and Oslo (up in Bonn)" };
 * assertEquals(sayVotes(votes, german), "Ausfall in Rom und Oslo (erreichbar in Bonn)");
 * ```
 */
export function sayVotes(
  { state, places }: Pick<Votes, "state" | "places">,
  language: Pick<Language, "say" | "list" | "isolate">,
  show: (text: string) => string = String,
): string {
  const read = readPlaces(places);
  if (read === undefined) return language.isolate(show(`${state} ${places}`));
  const PLACES = sayPlaces(read, language, show);
  return language.say(SEEN[state === "degraded" ? "degraded" : "down"], { PLACES });
}

/**
 * The part of an error that doesn't depend on which locations see it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withoutLocations("down in Frankfurt and São Paulo (up in Virginia): timed out"), "timed out");
 * assertEquals(withoutLocations("timed out"), "timed out");
 * assertEquals(withoutLocations("down in Frankfurt, São P…"), "");
 * ```
 */
export function withoutLocations(error: string): string {
  return readVotes(error)?.reason ?? error;
}

/**
 * Appends an error to a sentence that ends with a state, which an error of several locations would repeat.
 */
export function withError(sentence: string, error: string): string {
  const votes = readVotes(error);
  if (votes === undefined) return error === "" ? sentence : `${sentence}: ${error}`;
  const isSaid = new RegExp(`\\b${votes.state}(?: performance)?(?: for [\\w ]+)?$`).test(sentence);
  return isSaid ? sentence + error.slice(votes.state.length) : `${sentence}, ${error}`;
}
