import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import { readNotifications } from "./channels/read_notifications.ts";
import type { Target } from "./checks/check_kind.ts";
import { hostAndPort, withScheme } from "./checks/hosts.ts";
import { CHECK_KINDS, CHECK_NAMES, type CheckName, isCheckName, readCheck } from "./checks/mod.ts";
import type { Site } from "./config.ts";
import { isMap } from "./document.ts";
import { readKeys } from "./keys/read_keys.ts";
import { type CommonKeys, SHARED_KEYS, SITE_KEYS } from "./keys/site_keys.ts";
import { found, type KeyProblem, keyProblem } from "./keys/values.ts";
import { nearMisses, possibleNames, secretNames, secretNamesOf } from "./references.ts";
import { byteLength, SLUG_BYTES, slugOf } from "./slug.ts";

const { name: NAME, url: URL_KEY, check: _check, ...OPTIONAL_KEYS } = {
  ...SHARED_KEYS,
  ...SITE_KEYS,
};

/** Lists of which a wrong item costs nothing but itself. */
const BY_ITEM = ["headers", "assert", "expectedStatusCodes", "tags", "assignees"];

/** A site, absent if its url is not usable, without its dependencies, and its problems. */
interface ReadSite {
  site?: Site;
  problems: Problem[];
}

/** Facts about a site that decide how it is read. */
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
 * Only a wrong url excludes a site from monitoring: any other wrong value is reported and ignored, and
 * the value that is set for all sites applies, or the default.
 */
export function readSite(
  input: unknown,
  index: number,
  { shared, known, slugs }: SiteSurroundings,
): ReadSite {
  const place = ["sites", index];
  if (!isMap(input)) {
    const message = `expected a map with name and url, found ${found(input)}`;
    return { problems: [{ severity: "error", path: place, message }] };
  }
  const { notifications: channels, ...own } = input;
  const { check, problem: wrongCheck } = chooseCheck({ ...shared, ...own });
  const { notifications, problems: ofChannels } = readNotifications(channels, [
    ...place,
    "notifications",
  ]);
  const problems: Problem[] = [
    ...ofChannels,
    ...keysOfOthers(own, check).map((key): Problem => ({
      severity: "warning",
      path: [...place, key],
      message: `has no effect with check: ${check}`,
    })),
  ];
  const fail = ({ path, ...fault }: KeyProblem) =>
    problems.push({ severity: "error", path: [...place, ...path], ...fault });

  if (wrongCheck !== undefined) fail(wrongCheck);
  const read = readKeys({ ...OPTIONAL_KEYS, ...CHECK_KINDS[check].keys }, own, { byItem: BY_ITEM });
  const merged = {
    ...shared,
    ...read.accepted,
    ...mergedRetry(shared["retry"], read.accepted["retry"]),
  };
  const common = readKeys(OPTIONAL_KEYS, merged).values;
  const url = v.safeParse(v.object({ url: URL_KEY }), own);
  const given = url.success ? url.output.url : "$UNREAD";
  // Like curl, read a url without a scheme as http://.
  const address = check === "http" ? withScheme(given) : given;
  const settings = targetOf(address, common);
  const { target, problems: ofCheck } = readCheck(check, settings, merged);
  const wrong = new Set(read.problems.map(({ path: [key] }) => key));
  const others = ofCheck.filter(({ path: [key] }) => !wrong.has(String(key)));
  [...read.problems, ...(url.issues ?? []).map(keyProblem), ...others].forEach(fail);
  if (address !== given && wrongCheck === undefined) {
    const message = `has no scheme and is read as ${
      found(publicUrl(settings.url))
    }, as curl does: write https:// before it if the site has it`;
    problems.push({ severity: "notice", path: [...place, "url"], message });
  }
  const isUsable = url.success && target !== undefined;
  const named = nameAndSlug(own, {
    slug: common.slug ?? slugs.get(String(own["name"])),
    url: isUsable ? settings.url : undefined,
    index,
  });
  named.problems.forEach(fail);
  if (!isUsable) return { problems };

  const { icon, link } = common;
  const { name, slug } = named;
  const method = merged["method"] === undefined
    ? undefined
    : String(merged["method"]).toUpperCase();
  const { group: _group, description: _description, dependsOn: _dependsOn, ...filled }: Record<
    string,
    unknown
  > = { ...merged, url: own["url"], name: undefined, slug: undefined };
  const site: Site = {
    ...common,
    ...settings,
    ...link === undefined ? {} : { link: publicUrl(link) },
    ...icon === undefined ? {} : { icon: publicUrl(icon) },
    ...{ name, slug, method, check, url: publicUrl(settings.url), target },
    notifications,
    dependsOn: [],
    secrets: [...new Set([...secretNames(filled), ...secretNamesOf(channels)])].sort(),
    nearMisses: nearMisses(filled, known),
    possibleSecrets: possibleNames(filled),
  };
  return { site, problems };
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
