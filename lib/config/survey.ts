import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { ENGLISH } from "../text/english.ts";
import { ALL_CHANNELS } from "./channels/read_notifications.ts";
import { isMap } from "./document.ts";
import { KNOWN_SITE_KEYS, KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { entriesOf, itemOf, unwrapped } from "./keys/read_keys.ts";
import { unknownKey } from "./keys/unknown_key.ts";
import { misspeltWord } from "../text/nearest.ts";
import { found, type NoEffect } from "./keys/values.ts";
import { PAGES_KEYS, WEBSITE_KEYS } from "./page/page_keys.ts";

/** Reports every key of a document that has no effect, whatever its value. */
export function surveyKeys(document: Readonly<Record<string, unknown>>): Problem[] {
  const survey: Survey = { unknown: [], unused: new Map() };
  visit(document, v.object(KNOWN_TOP_KEYS), [], survey);
  return [...survey.unknown.map(misplacedKey), ...survey.unused.values()];
}

interface Survey {
  unknown: Problem[];
  /** Keys of other programs, the first of each name. */
  unused: Map<string, Problem>;
}

/** Visits the maps and lists that a schema knows. Keys that start with `x-` are there for their anchor. */
function visit(
  value: unknown,
  schema: v.GenericSchema,
  path: Problem["path"],
  survey: Survey,
): void {
  const item = itemOf(schema);
  if (item !== undefined) {
    if (Array.isArray(value)) {
      value.forEach((one, index) => visit(one, item, [...path, index], survey));
    } else if (path[0] !== "sites" || path.length > 1) visit(value, item, path, survey);
  }
  const entries = entriesOf(schema);
  if (!isMap(value) || entries === undefined) return;
  for (const [key, own] of Object.entries(value)) {
    if (key.startsWith("x-")) continue;
    const at = [...path, key];
    if (key === "<<") {
      const message = `expected a map, or the alias of one, to merge in, found ${found(own)}`;
      survey.unknown.push({ severity: "warning", path: at, message });
    } else if (!Object.hasOwn(entries, key)) {
      survey.unknown.push(unknownKey(key, Object.keys(entries), at));
    }
    if (!Object.hasOwn(entries, key)) continue;
    const inner = unwrapped(entries[key]!);
    const { severity } = v.getMetadata(inner) as Partial<NoEffect>;
    if (severity === undefined) visit(own, inner, at, survey);
    else if (own !== false && !(Array.isArray(own) && own.length === 0)) {
      const name = at.slice(at.findLastIndex((part) => typeof part === "number") + 1).join(".");
      const message = `has no effect: ${v.getDescription(inner) ?? ""}`;
      if (!survey.unused.has(name)) {
        survey.unused.set(name, { severity, path: at, message });
      }
    }
  }
}

/** Keys without a usable default: a misspelt one is not ignored. */
const PARTS = ["sites", "defaults", "notifications", "maintenance"];

/** Keys by the place they belong to, the likeliest first. */
const PLACES: readonly [keys: v.ObjectEntries | typeof ENGLISH, cure: string, part?: string][] = [
  [WEBSITE_KEYS, "move it under status-website", "status-website"],
  [PAGES_KEYS, "move it under pages", "pages"],
  [KNOWN_TOP_KEYS, "move it to the top level"],
  [KNOWN_SITE_KEYS, 'it belongs to a site: indent it below the "- name:" of its site', "sites"],
  [ENGLISH, "move it under i18n", "i18n"],
];

/**
 * Adds the place that an unknown key belongs to, if it is known there. A key at the top level that is one edit
 * away from a known one is an error, and so is a misspelt `notifications` of a site.
 */
function misplacedKey(problem: Problem): Problem {
  const [part, ...rest] = problem.path;
  const key = String(problem.path.at(-1));
  const isTop = rest.length === 0;
  const isOfSite = part === "sites" && rest.length === 2;
  const isInList = problem.path.some((one) => typeof one === "number");
  if (key === "<<" || (isInList && !isOfSite)) return problem;
  const home = PLACES.find(([keys, , own]) =>
    Object.hasOwn(keys, key) && own !== (isTop ? undefined : part)
  );
  // One name of a text, "issue", is one edit away from a key of the top level.
  const isText = home?.[0] === ENGLISH && isTop;
  if (home !== undefined && !(isText && problem.meant !== undefined)) {
    const { meant: _, ...misplaced } = problem;
    const moved: Problem = { ...misplaced, message: `has no effect here: ${home[1]}` };
    return key === "notifications" ? withoutChannels(moved) : moved;
  }
  const known = misspeltWord(key, Object.keys(isTop ? KNOWN_TOP_KEYS : KNOWN_SITE_KEYS));
  if (known === "notifications" && (isTop || isOfSite)) return withoutChannels(problem);
  if (!isTop || known === undefined) return problem;
  return { ...problem, severity: "error", ...PARTS.includes(known) ? {} : { isIgnored: true } };
}

/** Makes a misspelt or misplaced `notifications` an error, because nobody is notified without it. */
function withoutChannels(problem: Problem): Problem {
  return { ...problem, severity: "error", channel: ALL_CHANNELS };
}

/**
 * Removes problems that only repeat an unknown key: if `webhook` is a misspelt `webhook-url`, the unknown key is
 * the error, and no second one says that `webhook-url` is missing.
 */
export function withoutEchoes(problems: readonly Problem[]): Problem[] {
  const missing = new Map(problems.flatMap((problem) => {
    const [, top] = /^(?:([\w-]+): )?is missing\b/.exec(problem.message) ?? [undefined, null];
    if (top === null) return [];
    return [[JSON.stringify([...problem.path, ...top === undefined ? [] : [top]]), problem]];
  }));
  const unknown = new Map(problems.flatMap((problem) => {
    if (problem.meant === undefined) return [];
    const echo = missing.get(JSON.stringify([...problem.path.slice(0, -1), problem.meant]));
    return echo === undefined ? [] : [[problem, echo]];
  }));
  const echoes = new Set(unknown.values());
  return problems.filter((problem) => !echoes.has(problem)).map((problem) => {
    const { isIgnored, meant: _, ...own } = problem;
    const { path: _path, message: _message, ...echo } = unknown.get(problem) ?? {};
    const ignored = isIgnored && !unknown.has(problem) ? { isIgnored } : {};
    return { ...own, ...echo, ...ignored };
  });
}
