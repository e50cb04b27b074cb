import type { Config } from "./config.ts";
import { keptSlugs, NO_RECORDS, type RecordedSlugs } from "./kept_slugs.ts";
import { isMap } from "./yaml/maps.ts";
import type { Problem } from "../io/problem.ts";
import { readDocument } from "./read_document.ts";
import { readYaml } from "./yaml/yaml_document.ts";

/** What a text says, as far as it can be used. */
export interface ParsedConfig {
  /** Absent where nothing of the text can be used. */
  config?: Config;
  problems: Problem[];
  /** Credentials that are written out in it, which nothing may show. */
  credentials: readonly string[];
}

/**
 * Reads a configuration. Every problem is told, with line and column; what is wrong is left out, and
 * the rest is used. `known` are the names of the secrets that have a value, `records`
 * what was monitored before.
 */
export async function parseConfig(
  source: string,
  known: readonly string[] = [],
  records: RecordedSlugs = NO_RECORDS,
): Promise<ParsedConfig> {
  const { document, blank, problems: faults, text } = await readYaml(source);
  if (document === undefined && faults.length > 0) return { problems: faults, credentials: [] };
  const named = await withNamesAsWritten(document, text);
  const { config, problems: told, credentials } = readDocument(named, {
    blank,
    known,
    slugs: await keptSlugs(named, records),
  });
  const isWrongText = config === undefined && faults.some(({ severity }) => severity === "error");
  const problems = isWrongText ? faults : [...faults, ...told];
  if (problems.length === 0) return { config, problems, credentials };
  const { locate } = await import("./yaml/positions.ts");
  const located = locate(problems, text).sort((a, b) => a.line! - b.line! || a.column! - b.column!);
  return { config, problems: located, credentials };
}

const NAMES = ["name", "slug", "dependsOn"];

/** YAML takes `007` for the number 7, but a name is what stands there. */
async function withNamesAsWritten(document: unknown, text: string): Promise<unknown> {
  if (!isMap(document) || !Array.isArray(document["sites"])) return document;
  const sites: unknown[] = document["sites"];
  const numbered = (site: unknown) =>
    isMap(site) ? NAMES.filter((key) => typeof site[key] === "number") : [];
  if (sites.every((site) => numbered(site).length === 0)) return document;
  const { sourceReader } = await import("./yaml/positions.ts");
  const source = sourceReader(text);
  const written = (site: Record<string, unknown>, index: number) => ({
    ...site,
    ...Object.fromEntries(
      numbered(site).flatMap((key) => {
        const name = source(["sites", index, key]);
        return name === undefined ? [] : [[key, name]];
      }),
    ),
  });
  const named = sites.map((site, index) => isMap(site) ? written(site, index) : site);
  return { ...document, sites: named };
}
