import type { Problem } from "../../io/problem.ts";
import { found } from "../keys/values.ts";

/** A value as it was probably meant, and what a person should write in its place. */
export interface Meant {
  /** `undefined` where the key is best left out. */
  value: unknown;
  instead: string;
}

/** What a value was probably meant to be; `undefined` where it is taken as it stands. */
export type Guess = (value: unknown) => Meant | undefined;

/** A value as it was probably meant, with a warning where that is not what stands there. */
export function tidiedValue(
  value: unknown,
  guess: Guess | undefined,
  path: Problem["path"],
): { value: unknown; problems: Problem[] } {
  const meant = guess?.(value);
  if (meant === undefined) return { value, problems: [] };
  const message = `${found(value)} is read as ${meant.instead}`;
  return { value: meant.value, problems: [{ severity: "warning", path, message }] };
}

/** The same for the values of a map; texts that say nothing are left out of it without a word. */
export function tidied(
  map: Readonly<Record<string, unknown>>,
  guesses: Readonly<Record<string, Guess>>,
  path: Problem["path"],
): { map: Record<string, unknown>; problems: Problem[] } {
  const read = Object.entries(map)
    .filter(([, value]) => typeof value !== "string" || value.trim() !== "")
    .map(([key, value]) => {
      const guess = Object.hasOwn(guesses, key) ? guesses[key] : undefined;
      return { key, ...tidiedValue(value, guess, [...path, key]) };
    });
  const kept = read.filter(({ value }) => value !== undefined);
  return {
    map: Object.fromEntries(kept.map(({ key, value }) => [key, value])),
    problems: read.flatMap(({ problems }) => problems),
  };
}
