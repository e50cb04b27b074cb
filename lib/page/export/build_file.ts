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
  /** Tells the page from others: of all its files but this one. */
  digest: string;
}

/** What a page is known by later. */
export type KnownBuild = Pick<Build, "built" | "digest">;

const BUILD = v.pipe(v.string(), v.parseJson(), v.object({ built: time(), digest: v.string() }));

/**
 * What the text of the file says; `undefined` where that is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const built = Temporal.Instant.from("2026-11-21T10:06:00Z");
 * const build = { built, generator: "monitor-action v1.41.0", digest: "9f3c01ab" };
 * assertEquals(readBuild(formatBuild(build)), { built, digest: "9f3c01ab" });
 * assertEquals(readBuild("[]"), undefined);
 * ```
 */
export function readBuild(text: string): KnownBuild | undefined {
  const read = v.safeParse(BUILD, text);
  return read.success ? read.output : undefined;
}

/** The text of the file. */
export function formatBuild({ built, checks, generator, digest }: Build): string {
  const times = {
    built: formatTime(built),
    checks: checks === undefined ? null : formatTime(checks),
  };
  return `${JSON.stringify({ ...times, generator, digest })}\n`;
}
