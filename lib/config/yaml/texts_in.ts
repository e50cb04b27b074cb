import { isMap } from "./maps.ts";
import type { Problem } from "../../io/problem.ts";

/** A text of a configuration, and where it stands. */
export type PlacedText = [path: Problem["path"], text: string];

/** Every text within a value; what is shared or circular is looked at once. */
export function textsIn(
  value: unknown,
  path: Problem["path"] = [],
  seen = new Set<object>(),
): PlacedText[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => textsIn(item, [...path, index], seen));
  }
  return isMap(value)
    ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key], seen))
    : [];
}
