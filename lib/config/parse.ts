import { parse as parseYaml, YamlSyntaxError } from "@std/yaml";
import * as v from "valibot";
import { CHECKS } from "../checks/mod.ts";
import type { Config } from "./config.ts";
import { distinctSlugs, type PlacedSite } from "./distinct_slugs.ts";
import { givenKeys, isMap } from "./maps.ts";
import { NOTIFICATION, NOTIFICATION_KEYS } from "./notification_keys.ts";
import type { Problem } from "./problem.ts";
import { readKeys } from "./read_keys.ts";
import { readSite } from "./read_site.ts";
import { LATER_SHARED_KEYS, SHARED_KEYS } from "./site_keys.ts";
import { LATER_TOP_KEYS, TOP_KEYS, UNUSED_TOP_KEYS } from "./top_keys.ts";
import { unknownKeys } from "./unknown_keys.ts";
import { found, keyProblem } from "./values.ts";

/** What a text says, as far as it can be used. */
export interface ParsedConfig {
  /** Absent where nothing of the text can be used. */
  config?: Config;
  problems: Problem[];
}

const CHECK_SHARED_KEYS = Object.fromEntries(
  Object.values(CHECKS).flatMap(({ keys, shared }) => shared.map((key) => [key, keys[key]!])),
);
const ALL_SHARED_KEYS = { ...SHARED_KEYS, ...CHECK_SHARED_KEYS };
const LATER = { ...LATER_TOP_KEYS, ...LATER_SHARED_KEYS };
const KNOWN = [TOP_KEYS, ALL_SHARED_KEYS, LATER].flatMap(Object.keys).concat(
  "sites",
  "notifications",
);

/**
 * Reads a configuration. Every problem is told, with line and column; what is wrong is left out, and
 * the rest is used.
 */
export async function parseConfig(text: string): Promise<ParsedConfig> {
  const { config, problems } = await readText(text);
  if (problems.length === 0) return { config, problems };
  const { locate } = await import("./positions.ts");
  const located = locate(problems, text).sort((a, b) => a.line! - b.line! || a.column! - b.column!);
  return { config, problems: located };
}

async function readText(text: string): Promise<ParsedConfig> {
  let input: unknown;
  try {
    input = parseYaml(text, { schema: "core" });
  } catch (error) {
    if (!(error instanceof YamlSyntaxError)) throw error;
    const { syntaxProblems } = await import("./positions.ts");
    return { problems: syntaxProblems(text, error.message) };
  }
  if (!isMap(input)) {
    return { problems: [unusable(`expected a map with sites:, found ${found(input)}`)] };
  }
  return readTop(givenKeys(input), Object.hasOwn(input, "sites"));
}

function readTop(input: Record<string, unknown>, namesSites: boolean): ParsedConfig {
  const top = readKeys(TOP_KEYS, input);
  const shared = readKeys(ALL_SHARED_KEYS, input);
  const problems = [
    ...unknownKeys(input, KNOWN, []),
    ...top.problems,
    ...shared.problems,
    ...notificationProblems(input["notifications"], []),
    ...unusedKeys(input),
  ];
  if (!namesSites) {
    return { problems: [...problems, unusable("sites: is missing, the list of what to monitor")] };
  }
  const list = input["sites"] ?? [];
  if (!Array.isArray(list)) {
    const message = `expected a list of sites, found ${found(list)}`;
    return { problems: [...problems, { severity: "error", path: ["sites"], message }] };
  }
  if (list.length === 0) {
    problems.push({
      severity: "warning",
      path: ["sites"],
      message: "the list is empty: there is nothing to monitor",
    });
  }
  const placed: PlacedSite[] = [];
  list.forEach((item, index) => {
    const { site, problems: found } = readSite(item, index, shared.accepted);
    problems.push(...found);
    if (isMap(item)) {
      problems.push(...notificationProblems(item["notifications"], ["sites", index]));
    }
    if (site !== undefined) placed.push({ site, index });
  });
  const named = distinctSlugs(placed);
  return {
    config: { ...top.values, sites: named.sites },
    problems: problems.concat(named.problems),
  };
}

function unusable(message: string): Problem {
  return { severity: "error", path: [], message };
}

/** A channel in error is left out and reported, like a site. */
function notificationProblems(list: unknown, path: Problem["path"]): Problem[] {
  if (list === undefined || list === null) return [];
  const at = [...path, "notifications"];
  if (!Array.isArray(list)) {
    return [{
      severity: "error",
      path: at,
      message: `expected a list of notifications, found ${found(list)}`,
    }];
  }
  return list.flatMap((item, index) => {
    const place = [...at, index];
    if (!isMap(item)) {
      return [{
        severity: "error",
        path: place,
        message: `expected a map with type, found ${found(item)}`,
      }];
    }
    const { issues = [] } = v.safeParse(NOTIFICATION, givenKeys(item));
    const errors = issues.map(keyProblem);
    return [
      ...errors.map(({ path, message }) => ({
        severity: "error" as const,
        path: [...place, ...path],
        message,
      })),
      ...unknownKeys(item, Object.keys(NOTIFICATION_KEYS), place),
    ];
  });
}

function unusedKeys(input: Record<string, unknown>): Problem[] {
  const unused = Object.keys(input).filter((key) =>
    (UNUSED_TOP_KEYS.includes(key) || Object.hasOwn(LATER, key)) && !isOff(input[key])
  );
  if (unused.length === 0) return [];
  return [{
    severity: "notice",
    path: [unused[0]!],
    message: `not yet used by this version: ${unused.join(", ")}`,
  }];
}

/** Whether a value asks for nothing, which is what a key without effect does. */
function isOff(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}
