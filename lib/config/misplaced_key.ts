import type * as v from "valibot";
import { ENGLISH } from "../text/english.ts";
import { KNOWN_SITE_KEYS, KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { PAGES_KEYS, WEBSITE_KEYS } from "./keys/page_keys.ts";
import { misspeltWord } from "./keys/unknown_key.ts";
import type { Problem } from "../io/problem.ts";
import { ALL_CHANNELS } from "./channels/read_notifications.ts";

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
export function misplacedKey(problem: Problem): Problem {
  const [part, ...rest] = problem.path;
  const key = String(problem.path.at(-1));
  const isTop = rest.length === 0;
  const home = PLACES.find(([keys, , own]) =>
    Object.hasOwn(keys, key) && own !== (isTop ? undefined : part)
  );
  // One name of a text, "issue", is one edit away from a key of the top level.
  const isText = home?.[0] === ENGLISH && isTop;
  if (home !== undefined && key !== "<<" && !(isText && problem.meant !== undefined)) {
    const { meant: _, ...misplaced } = problem;
    const moved: Problem = { ...misplaced, message: `has no effect here: ${home[1]}` };
    return key === "notifications" ? withoutChannels(moved) : moved;
  }
  if (key === "<<") return problem;
  const isOfSite = part === "sites" && rest.length === 2;
  const known = misspeltWord(key, Object.keys(isTop ? KNOWN_TOP_KEYS : KNOWN_SITE_KEYS));
  if (isTop && known !== undefined) return misspeltTopKey(problem, known);
  return isOfSite && known === "notifications" ? withoutChannels(problem) : problem;
}

function misspeltTopKey(problem: Problem, known: string): Problem {
  if (known === "notifications") return withoutChannels(problem);
  return {
    ...problem,
    severity: "error",
    ...PARTS.includes(known) ? {} : { isIgnored: true },
  };
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
