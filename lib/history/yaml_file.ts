import { parse, stringify } from "@std/yaml";
import * as v from "valibot";
import { formatTime } from "../time.ts";

/** Reads a file of YAML; `undefined` where the text is none, or none of its kind. */
export function readYaml<S extends v.GenericSchema>(
  schema: S,
  text: string,
): v.InferOutput<S> | undefined {
  let input: unknown;
  try {
    input = parse(text, { schema: "core" });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const result = v.safeParse(schema, input);
  return result.success ? result.output : undefined;
}

/**
 * Keys of a file in their order, without those that are `undefined` or an empty list. A moment has no quotes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const start = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const text = "name: 'yes'\nstart: 2026-11-21T10:05:00.000Z\nsites:\n  - shop\n";
 * assertEquals(yamlLines({ name: "yes", start, end: undefined, sites: ["shop"], affects: [] }), text);
 * ```
 */
export function yamlLines(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values).map(([key, value]) => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return "";
    if (value instanceof Temporal.Instant) return `${key}: ${formatTime(value)}\n`;
    return stringify({ [key]: value }, { lineWidth: -1 });
  }).join("");
}
