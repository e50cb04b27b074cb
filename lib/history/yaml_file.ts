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

/** A time as the whole value of a key or item, which needs no quotes. */
const QUOTED_TIME = /^( *(?:- )?(?:\w+: )?)'(\d{4}-\d\d-\d\dT[\d:.]+Z)'$/gm;

/**
 * Formats the keys of a file in their order, without those that are `undefined` or an empty list. A time has
 * no quotes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const start = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const text = "name: 'yes'\nstart: 2026-11-21T10:05:00.000Z\nends:\n  - 2026-11-21T10:05:00.000Z\n";
 * assertEquals(yamlLines({ name: "yes", start, end: undefined, ends: [start], affects: [] }), text);
 * ```
 */
export function yamlLines(values: Readonly<Record<string, unknown>>): string {
  return stringifyYaml(values).replaceAll(QUOTED_TIME, "$1$2");
}

function stringifyYaml(values: Readonly<Record<string, unknown>>): string {
  const isPresent = (value: unknown) =>
    value !== undefined && !(Array.isArray(value) && value.length === 0);
  const present = Object.entries(values).filter(([, value]) => isPresent(value));
  if (present.length === 0) return "";
  return stringify(toPlain(Object.fromEntries(present)), { lineWidth: -1 });
}

function toPlain(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return formatTime(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, toPlain(own)]));
}

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
export type Phase = typeof PHASES[number];

const UPDATE = v.object({
  at: time(),
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

/** Formats a timeline as the key `updates` of a stored file; empty without any update. Its times have quotes. */
export function updatesText(updates: readonly Update[]): string {
  return stringifyYaml({
    updates: updates.map(({ at, phase, text }) => ({ at, ...phase && { phase }, text })),
  });
}
