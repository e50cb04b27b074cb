import * as v from "valibot";
import type { Check, Target } from "../checks/check.ts";
import { CHECKS } from "../checks/mod.ts";
import { SITE_ALIASES, spell } from "./keys/aliases.ts";
import type { Site } from "./config.ts";
import { foreignReferences } from "./secrets/foreign_references.ts";
import { misplacedKey } from "./misplaced_key.ts";
import { KNOWN_SITE_KEYS } from "./keys/key_tables.ts";
import { isMap } from "./yaml/maps.ts";
import type { Problem } from "./problem.ts";
import { readNotifications } from "./read_notifications.ts";
import { SHARED_KEYS, SITE_KEYS } from "./keys/site_keys.ts";
import { secretNames, secretNamesOf } from "./secrets/secret_names.ts";
import { nearMisses, possibleNames } from "./secrets/near_misses.ts";
import { publicUrl } from "./secrets/url_credentials.ts";
import { byteLength, SLUG_BYTES, slugOf } from "./slug.ts";
import { survey, type UnusedKey } from "./keys/survey.ts";
import { found, type KeyProblem, keyProblem } from "./keys/values.ts";

const COMMON = v.object({ ...SHARED_KEYS, ...SITE_KEYS });

/** A site, absent where a key of it is wrong, without what it depends on, and what there is to say of it. */
export interface ReadSite {
  site?: Site;
  problems: Problem[];
  /** Keys that are there without being used. */
  unused: UnusedKey[];
}

/**
 * Reads the site at `index` of the list. `shared` are the keys set for all sites, `known` the names of
 * the secrets that have a value.
 *
 * Every wrong key is reported; a site with one is not monitored, the others are.
 */
export function readSite(
  input: unknown,
  index: number,
  shared: Readonly<Record<string, unknown>>,
  known: readonly string[],
): ReadSite {
  const place = ["sites", index];
  if (!isMap(input)) {
    const message = `expected a map with name and url, found ${found(input)}`;
    return { problems: [{ severity: "error", path: place, message }], unused: [] };
  }
  const { map: { notifications: channels, ...own }, written } = spell(input, SITE_ALIASES);
  const at = ([key, ...rest]: KeyProblem["path"]) =>
    key === undefined ? place : [...place, written(key), ...rest];
  const merged = { ...shared, ...own, ...mergedRetry(shared["retry"], own["retry"]) };
  const name = merged["check"] ?? "http";
  const check = typeof name === "string" && Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  const { unknown, unused } = survey(input, KNOWN_SITE_KEYS, place);
  const { notifications, problems: broken } = readNotifications(channels, at(["notifications"]));
  const problems: Problem[] = [
    ...unknown.map(misplacedKey),
    ...broken,
    ...foreignReferences(input, place),
    ...(check === undefined ? [] : keysOfOthers(own, check, String(name))).map((key): Problem => ({
      severity: "warning",
      path: at([key]),
      message: `has no effect with check: ${name}`,
    })),
  ];

  const { output, faults } = readMerged(merged, check);
  for (const { path, ...fault } of faults) {
    problems.push({ severity: "error", path: at(path), ...fault });
  }
  const site = output === undefined ? undefined : {
    ...output,
    notifications,
    dependsOn: [],
    secrets: [...new Set([...secretNames(substituted(merged)), ...secretNamesOf(channels)])].sort(),
    nearMisses: nearMisses(substituted(merged), known),
    possibleSecrets: possibleNames(merged),
  };
  return { site, problems, unused };
}

/** The keys whose texts may refer to secrets. */
function substituted(keys: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { name: _name, slug: _slug, group: _group, description: _description, ...others } = keys;
  const { dependsOn: _dependsOn, ...rest } = others;
  return rest;
}

type Keys = Omit<
  Site,
  "notifications" | "dependsOn" | "secrets" | "nearMisses" | "possibleSecrets"
>;

function readMerged(
  input: Record<string, unknown>,
  check: Check | undefined,
): { output?: Keys; faults: KeyProblem[] } {
  const { success, output: common, issues = [] } = v.safeParse(COMMON, input);
  const faults = issues.map(keyProblem);
  const { url } = input;
  const target = success
    ? targetOf(common)
    : { ...UNREAD, ...(typeof url === "string" && url.trim() !== "" ? { url: url.trim() } : {}) };
  const reading = check?.read(target, input);
  if (reading !== undefined && "problems" in reading) faults.push(...reading.problems);
  if (!success) return { faults };

  const slug = common.slug ?? slugOf(common.name);
  if (slug === "" || byteLength(slug) > SLUG_BYTES) {
    const why = slug === ""
      ? "gives no name for files"
      : `gives a name for files of over ${SLUG_BYTES} bytes`;
    const message = `${found(common.name)} ${why}; add a short slug: to this site`;
    faults.push({ path: ["name"], message });
  }
  if (reading === undefined || !("probe" in reading) || faults.length > 0) return { faults };
  const method = input["method"] === undefined ? undefined : String(input["method"]).toUpperCase();
  const link = common.link === undefined ? {} : { link: publicUrl(common.link) };
  const shown = { ...link, url: publicUrl(target.url) };
  return {
    output: { ...common, ...target, ...shown, slug, method, probe: reading.probe },
    faults,
  };
}

/** Stands in while the keys of a check are read of a site whose own keys are wrong. */
const UNREAD: Target = { url: "$UNREAD", connectTimeout: 0, requestTimeout: 0 };

/** Milliseconds that a request may take beyond the time after which it counts as slow. */
const GRACE = 10_000;
const SHORTEST_REQUEST_TIMEOUT = 30_000;

function targetOf(
  { url, connectTimeout, requestTimeout, maxResponseTime, userAgent }: v.InferOutput<
    typeof COMMON
  >,
): Target {
  return {
    url,
    connectTimeout,
    requestTimeout: requestTimeout ?? Math.max(SHORTEST_REQUEST_TIMEOUT, maxResponseTime + GRACE),
    userAgent,
  };
}

/** Keys of a site that mean something to other checks than its own. */
function keysOfOthers(
  own: Readonly<Record<string, unknown>>,
  check: Check,
  name: string,
): string[] {
  const others = Object.entries(CHECKS).filter(([other]) => other !== name);
  const keys = new Set(others.flatMap(([, { keys }]) => Object.keys(keys)));
  return Object.keys(own).filter((key) => keys.has(key) && !Object.hasOwn(check.keys, key));
}

/** A site's `retry` changes only the keys it names. */
function mergedRetry(shared: unknown, own: unknown): Record<string, unknown> {
  if (own === undefined) return {};
  return { retry: isMap(shared) && isMap(own) ? { ...shared, ...own } : own };
}
