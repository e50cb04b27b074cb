import { KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { misspeltWord } from "./keys/unknown_key.ts";
import type { Problem } from "./problem.ts";
import { ALL_CHANNELS } from "./read_notifications.ts";

/** Parts of which nothing is known if their key is misspelt. */
const PARTS = ["sites", "defaults", "notifications", "maintenance"];

/** An unknown key of the top level is an error if it is one edit away from a known one. */
export function misspeltKey(problem: Problem): Problem {
  const [key] = problem.path;
  const known = misspeltWord(String(key), Object.keys(KNOWN_TOP_KEYS));
  if (problem.path.length > 1 || known === undefined || key === "<<") return problem;
  return {
    ...problem,
    severity: "error",
    ...PARTS.includes(known) ? {} : { isIgnored: true },
    ...known === "notifications" ? { channel: ALL_CHANNELS } : {},
  };
}
