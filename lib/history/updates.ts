import * as v from "valibot";
import { formatTime } from "../time.ts";
import { time } from "./time_value.ts";
import { yamlLines } from "./yaml_file.ts";

/** How far people have come with an incident, as a comment of theirs says by its first word. */
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
  /** Absent where the comment names none. */
  phase: v.fallback(v.optional(v.picklist(PHASES)), undefined),
  /** Markdown as somebody wrote it, which nobody may trust. */
  text: v.string(),
});

/** What somebody wrote on an incident. All of them, the oldest first, are its timeline. */
export type Update = v.InferOutput<typeof UPDATE>;

/** The timeline in a stored file; none where it can't be read, because it can be fetched again. */
export function storedUpdates() {
  return v.fallback(v.array(UPDATE), []);
}

/** A timeline as the part `updates` of a stored file; empty where nobody wrote anything. */
export function updatesText(updates: readonly Update[]): string {
  const plain = updates.map(({ at, phase, text }) => ({
    at: formatTime(at),
    ...phase === undefined ? {} : { phase },
    text,
  }));
  return yamlLines({ updates: plain });
}
