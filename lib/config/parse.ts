import type { Config } from "./config.ts";
import { keptSlugs, NO_RECORDS, type RecordedSlugs } from "./slug.ts";
import type { Problem } from "../io/problem.ts";
import { readDocument } from "./read_document.ts";
import { decodeYaml, readYaml, withNamesAsWritten } from "./yaml/read_yaml.ts";

/** A configuration as far as it can be used. */
export interface ParsedConfig {
  /** Absent if nothing of the text can be used. */
  config?: Config;
  problems: Problem[];
  /** Credentials that are written out in it, which must be redacted. */
  credentials: readonly string[];
}

/**
 * Reads a configuration. Every problem is reported with line and column; wrong values are ignored, and the
 * rest is used. `known` are the names of the secrets that have a value, `records` the slugs used so far.
 */
export async function parseConfig(
  text: string,
  known: readonly string[] = [],
  records: RecordedSlugs = NO_RECORDS,
): Promise<ParsedConfig> {
  const { document, problem } = await readYaml(text);
  if (problem !== undefined) return { problems: [problem], credentials: [] };
  const named = withNamesAsWritten(document, text);
  const read = readDocument(named, { known, slugs: await keptSlugs(named, records) });
  if (read.problems.length === 0) return read;
  // Loaded only if there is a problem.
  const { locate } = await import("./yaml/positions.ts");
  const problems = locate(read.problems, text)
    .sort((a, b) => a.line! - b.line! || a.column! - b.column!);
  return { ...read, problems };
}

/** {@linkcode parseConfig} for the content of a file. */
export async function parseContent(
  content: Uint8Array,
  known: readonly string[] = [],
  records: RecordedSlugs = NO_RECORDS,
): Promise<ParsedConfig> {
  const decoded = decodeYaml(content);
  if ("problem" in decoded) return { problems: [decoded.problem], credentials: [] };
  return await parseConfig(decoded.text, known, records);
}
