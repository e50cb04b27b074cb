import * as v from "valibot";
import { time } from "../../history/time_value.ts";
import { formatTime } from "../../time.ts";

/** What the page says of itself, for programs. */
export interface Build {
  /** When it was built: when it last became another. */
  built: Temporal.Instant;
  /** The last check that it shows; absent where there was none. */
  checks?: Temporal.Instant;
  /** The program that built it, and its version. */
  generator: string;
}

const BUILD = v.pipe(v.string(), v.parseJson(), v.object({ built: time() }));

/**
 * When a page was built, as the text of its file says; `undefined` where that is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const built = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * assertEquals(builtAt(formatBuild({ built, generator: "monitor-action v1.41.0" })), built);
 * assertEquals(builtAt("[]"), undefined);
 * ```
 */
export function builtAt(text: string): Temporal.Instant | undefined {
  const read = v.safeParse(BUILD, text);
  return read.success ? read.output.built : undefined;
}

/** The text of the file. */
export function formatBuild({ built, checks, generator }: Build): string {
  const times = {
    built: formatTime(built),
    checks: checks === undefined ? null : formatTime(checks),
  };
  return `${JSON.stringify({ ...times, generator })}\n`;
}
