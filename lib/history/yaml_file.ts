import { parse, stringify } from "@std/yaml";
import * as v from "valibot";
import { formatTime } from "../time.ts";

/** Parses a YAML file; `undefined` if the text is none, or does not match the schema. */
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
 * Formats the keys of a file in their order, without those that are `undefined` or an empty list. A time has
 * no quotes.
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

/** Schema of a time in a stored file. */
export function time() {
  return v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return Temporal.Instant.from(dataset.value);
      } catch {
        addIssue({ message: "expected a time in ISO 8601" });
        return NEVER;
      }
    }),
  );
}

/** Phases of an incident, which people set by the first word of a comment. */
export const PHASES = [
  "investigating",
  "identified",
  "monitoring",
  "resolved",
  "post-mortem",
] as const;
/** One of {@linkcode PHASES}. */
export type Phase = typeof PHASES[number];

const UPDATE = v.object({
  at: time(),
  /** Absent if the comment names none. */
  phase: v.fallback(v.optional(v.picklist(PHASES)), undefined),
  /** Untrusted Markdown. */
  text: v.string(),
});

/** A comment on an incident. All of them, the oldest first, are its timeline. */
export type Update = v.InferOutput<typeof UPDATE>;

/** Schema of the timeline in a stored file; empty if it can't be read, because it can be fetched again. */
export function storedUpdates() {
  return v.fallback(v.array(UPDATE), []);
}

/** Formats a timeline as the key `updates` of a stored file; empty without any update. */
export function updatesText(updates: readonly Update[]): string {
  const plain = updates.map(({ at, phase, text }) => ({
    at: formatTime(at),
    ...phase === undefined ? {} : { phase },
    text,
  }));
  return yamlLines({ updates: plain });
}
