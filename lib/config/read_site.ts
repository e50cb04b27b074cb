import * as v from "valibot";
import type { Target } from "./checks/check_kind.ts";
import { CHECK_KINDS, CHECK_NAMES, type CheckName, isCheckName, readCheck } from "./checks/mod.ts";
import { hostAndPort, withScheme } from "./checks/hosts.ts";
import { SITE_ALIASES, spell } from "./keys/aliases.ts";
import type { Site } from "./config.ts";
import { foreignReferences } from "./secrets/foreign_references.ts";
import { misplacedKey } from "./misplaced_key.ts";
import { KNOWN_SITE_KEYS } from "./keys/key_tables.ts";
import { isMap } from "./document.ts";
import type { Problem } from "../io/problem.ts";
import { readKeys } from "./keys/read_keys.ts";
import { readNotifications } from "./channels/read_notifications.ts";
import { type CommonKeys, SHARED_KEYS, SITE_KEYS } from "./keys/site_keys.ts";
import { secretNames, secretNamesOf } from "./secrets/secret_names.ts";
import { nearMisses, possibleNames } from "./secrets/near_misses.ts";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import { byteLength, SLUG_BYTES, slugOf } from "./slug.ts";
import { survey, type UnusedKey } from "./keys/survey.ts";
import { found, type KeyProblem, keyProblem } from "./keys/values.ts";

const { name: NAME, url: URL_KEY, check: _check, ...OPTIONAL_KEYS } = {
  ...SHARED_KEYS,
  ...SITE_KEYS,
};

/** Lists of which a wrong item costs nothing but itself. */
const BY_ITEM = ["headers", "assert", "expectedStatusCodes", "tags", "assignees"];

/** A site, absent if it has no usable url, without what it depends on, and what there is to report of it. */
export interface ReadSite {
  site?: Site;
  problems: Problem[];
  /** Keys that are there without being used. */
  unused: UnusedKey[];
}

/** Facts beside a site that decide how it is read. */
export interface SiteSurroundings {
  /** Keys that are set for all sites. */
  shared: Readonly<Record<string, unknown>>;
  /** Names of the secrets that have a value. */
  known: readonly string[];
  /** Slugs of sites by their names, other than those that are made from the names. */
  slugs: ReadonlyMap<string, string>;
}

/**
 * Reads the site at `index` of the list.
 *
 * Only a wrong url takes a site out of monitoring: any other wrong value is reported and ignored, and
 * the value that is set for all sites counts, or the default.
 */
export function readSite(
  input: unknown,
  index: number,
  { shared, known, slugs }: SiteSurroundings,
): ReadSite {
  const place = ["sites", index];
  if (!isMap(input)) {
    const message = `expected a map with name and url, found ${found(input)}`;
    return { problems: [{ severity: "error", path: place, message }], unused: [] };
  }
  const { map: { notifications: channels, ...own }, written } = spell(input, SITE_ALIASES);
  const at = ([key, ...rest]: KeyProblem["path"]) =>
    key === undefined ? place : [...place, written(key), ...rest];
  const chosen = chooseCheck({ ...shared, ...own });
  const { check } = chosen;
  const { unknown, unused } = survey(input, KNOWN_SITE_KEYS, place);
  const { notifications, problems: broken } = readNotifications(channels, at(["notifications"]));
  const problems: Problem[] = [
    ...unknown.map(misplacedKey),
    ...broken,
    ...foreignReferences(input, place),
    ...keysOfOthers(own, check).map((key): Problem => ({
      severity: "warning",
      path: at([key]),
      message: `has no effect with check: ${check}`,
    })),
  ];
  const fail = ({ path, ...fault }: KeyProblem) =>
    problems.push({ severity: "error", path: at(path), ...fault });

  if (chosen.problem !== undefined) fail(chosen.problem);
  const read = readKeys({ ...OPTIONAL_KEYS, ...CHECK_KINDS[check].keys }, own, { byItem: BY_ITEM });
  const merged = {
    ...shared,
    ...read.accepted,
    ...mergedRetry(shared["retry"], read.accepted["retry"]),
  };
  const common = readKeys(OPTIONAL_KEYS, merged).values;
  const url = v.safeParse(v.object({ url: URL_KEY }), own);
  const address = url.success ? withSchemeFor(check, url.output.url) : undefined;
  const target = targetOf(address ?? "$UNREAD", common);
  const reading = readCheck(check, target, merged);
  const wrong = new Set(read.problems.map(({ path: [key] }) => key));
  const others = reading.problems.filter(({ path: [key] }) => !wrong.has(String(key)));
  [...read.problems, ...(url.issues ?? []).map(keyProblem), ...others].forEach(fail);
  if (url.success && address !== url.output.url && chosen.problem === undefined) {
    const message = `has no scheme and is read as ${
      found(publicUrl(address!))
    }, as curl does: write https:// before it if the site has it`;
    problems.push({ severity: "notice", path: at(["url"]), message });
  }
  const named = nameAndSlug(own, {
    slug: common.slug ?? slugs.get(String(own["name"])),
    url: reading.target === undefined ? undefined : address,
    index,
  });
  named.problems.forEach(fail);
  if (address === undefined || reading.target === undefined) return { problems, unused };

  const method = merged["method"] === undefined
    ? undefined
    : String(merged["method"]).toUpperCase();
  const { icon, link } = common;
  const { name, slug } = named;
  const all = { ...merged, url: own["url"] };
  const site: Site = {
    ...common,
    ...target,
    ...link === undefined ? {} : { link: publicUrl(link) },
    ...icon === undefined ? {} : { icon: publicUrl(icon) },
    ...{ name, slug, method, check, url: publicUrl(target.url), target: reading.target },
    notifications,
    dependsOn: [],
    secrets: [...new Set([...secretNames(substituted(all)), ...secretNamesOf(channels)])].sort(),
    nearMisses: nearMisses(substituted(all), known),
    possibleSecrets: possibleNames(all),
  };
  return { site, problems, unused };
}

/** Other programs' names of ways to check. */
const CHECKS_ELSEWHERE = new Map<string, CheckName>([
  ["tcp", "tcp-ping"],
  ["ping", "tcp-ping"],
  ["icmp-ping", "tcp-ping"],
  ["https", "http"],
  ["websocket", "ws"],
  ["wss", "ws"],
  ["tls", "ssl"],
]);

/** The check of a site; for one that is unknown the one that asks least of the site. */
function chooseCheck(
  { check: word = "http", url, port }: Readonly<Record<string, unknown>>,
): { check: CheckName; problem?: KeyProblem } {
  if (isCheckName(word)) return { check: word };
  const address = String(url);
  const hasPort = port !== undefined || hostAndPort(address).port !== undefined;
  const meant = CHECKS_ELSEWHERE.get(String(word).toLowerCase()) ??
    (/^wss?:/i.test(address) ? "ws" : hasPort && !/^https?:/i.test(address) ? "tcp-ping" : "http");
  const check = meant === "tcp-ping" && !hasPort ? "http" : meant;
  const names = CHECK_NAMES.join(", ");
  const message = `expected one of ${names}, found ${found(word)}: the check is ${check} instead`;
  return { check, problem: { path: ["check"], message, isIgnored: true } };
}

/** The url of a site, for `http` with the scheme that curl takes if there is none. */
function withSchemeFor(check: string, url: string): string {
  return check === "http" ? withScheme(url) : url;
}

/** Name and slug of a site; the host of its url stands in for those that can't be used. */
function nameAndSlug(
  own: Readonly<Record<string, unknown>>,
  { slug: given, url = "", index }: { slug?: string; url?: string; index: number },
): { name: string; slug: string; problems: KeyProblem[] } {
  const { host } = hostAndPort(publicUrl(url));
  const standIn = host === "" || host.includes("$") ? `Site ${index + 1}` : host;
  const { success, output, issues = [] } = v.safeParse(v.object({ name: NAME }), own);
  const faults = issues.map(keyProblem).map((fault): KeyProblem => ({
    ...fault,
    message: url === "" ? fault.message : `${fault.message}: the site is named ${found(standIn)}`,
    isIgnored: true,
  }));
  const name = success ? output.name : standIn;
  const slug = given ?? slugOf(name);
  if (slug !== "" && byteLength(slug) <= SLUG_BYTES) return { name, slug, problems: faults };
  const used = slug === "" ? slugOf(standIn) : firstBytes(slug, SLUG_BYTES);
  const why = slug === ""
    ? "gives no name for files"
    : `gives a name for files of over ${SLUG_BYTES} bytes`;
  const message = `${found(name)} ${why}, ${found(used)} is used; add a short slug: to this site`;
  return { name, slug: used, problems: [...faults, { path: ["name"], message, isIgnored: true }] };
}

/** The start of a text, in whole characters of at most so many bytes together. */
function firstBytes(text: string, most: number): string {
  let start = "";
  for (const character of text) {
    if (byteLength(start + character) > most) break;
    start += character;
  }
  return start;
}

/** The keys whose texts may refer to secrets. */
function substituted(keys: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { name: _name, slug: _slug, group: _group, description: _description, ...others } = keys;
  const { dependsOn: _dependsOn, ...rest } = others;
  return rest;
}

/** Milliseconds that a request may take beyond the time after which it counts as slow. */
const GRACE = 10_000;
const SHORTEST_REQUEST_TIMEOUT = 30_000;

function targetOf(
  url: string,
  { connectTimeout, requestTimeout, maxResponseTime, userAgent }: Omit<
    CommonKeys,
    "name" | "url" | "check"
  >,
): Target & { requestTimeout: number } {
  return {
    url,
    connectTimeout,
    requestTimeout: requestTimeout ?? Math.max(SHORTEST_REQUEST_TIMEOUT, maxResponseTime + GRACE),
    userAgent,
  };
}

/** Keys of a site that only other check types use. */
function keysOfOthers(own: Readonly<Record<string, unknown>>, check: CheckName): string[] {
  const keys = new Set(Object.values(CHECK_KINDS).flatMap(({ keys }) => Object.keys(keys)));
  return Object.keys(own).filter((key) =>
    keys.has(key) && !Object.hasOwn(CHECK_KINDS[check].keys, key)
  );
}

/** A site's `retry` changes only the keys it names. */
function mergedRetry(shared: unknown, own: unknown): Record<string, unknown> {
  if (own === undefined) return {};
  return { retry: isMap(shared) && isMap(own) ? { ...shared, ...own } : own };
}
