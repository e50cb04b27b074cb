import type { Problem } from "../io/problem.ts";

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type PlacedText = [path: Problem["path"], text: string];

/** Every text within a value; shared and circular parts are visited once. */
export function listTexts(
  value: unknown,
  path: Problem["path"] = [],
  seen = new Set<object>(),
): PlacedText[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => listTexts(item, [...path, index], seen));
  }
  return Object.entries(value).flatMap(([key, item]) => listTexts(item, [...path, key], seen));
}
