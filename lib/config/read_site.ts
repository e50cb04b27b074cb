import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import { readNotifications } from "./channels/read_notifications.ts";
import { hostAndPort, withScheme } from "./checks/hosts.ts";
import { CHECK_KINDS, CHECK_NAMES, type CheckName, type CheckTarget } from "./checks/mod.ts";
import type { Site } from "./config.ts";
import { isMap } from "./document.ts";
import { findGlobalpingObstacle } from "./globalping.ts";
import { isHostedLocation, type Location, resolveLocations } from "./locations.ts";
import { CHECK_KEYS } from "./keys/key_tables.ts";
import { ANY_QUORUM } from "./keys/location_keys.ts";
import { isUnusualMethod } from "./keys/methods.ts";
import { readKeys } from "./keys/read_keys.ts";
import { SHARED_KEYS, SITE_KEYS } from "./keys/site_keys.ts";
import { found, type KeyProblem, OTHER_LIST, readWhole } from "./keys/values.ts";
import { listChannelSecrets, nearMisses, possibleNames, secretNames } from "./references.ts";
import { SLUG_BYTES, toSlug } from "./slug.ts";
import { countBytes } from "../text/plain_text.ts";

const { name: NAME, url: URL_KEY, check: _check, ...OPTIONAL_KEYS } = {
  ...SHARED_KEYS,
  ...SITE_KEYS,
  ...ANY_QUORUM,
};

export interface SiteContext {
  shared: Readonly<Record<string, unknown>>;
  /** Names of the secrets that have a value. */
  known: readonly string[];
  /** Slugs of sites by their names, other than those that are made from the names. */
  slugs: ReadonlyMap<string, string>;
  locations: readonly Location[];
  /** True if some locations can't be read. */
  lacksLocations: boolean;
  /** True if checks of the deciding run are made on GitHub's runners. */
  isHosted: boolean;
}

const STEPS = "steps";

/** Milliseconds that a request may take beyond the time after which it counts as slow. */
const GRACE = 10_000;
const SHORTEST_REQUEST_TIMEOUT = 30_000;

/**
 * Reads the site at `index` of the list, without its dependencies.
 *
 * Only a wrong url excludes a site from monitoring: any other wrong value is reported and ignored, and
 * the value that is set for all sites applies, or the default.
 */
export function readSite(
  input: unknown,
  index: number,
  { shared, known, slugs, locations, lacksLocations, isHosted }: SiteContext,
): { site?: Site; problems: Problem[] } {
  const place = ["sites", index];
  if (!isMap(input)) {
    const hint = typeof input === "string" && !/[.:/]/.test(input) ? OTHER_LIST : "";
    const message = `expected a map with name and url${hint}, found ${found(input)}`;
    return { problems: [{ severity: "error", path: place, message }] };
  }
  const { notifications: channels, ...own } = input;
  const { notifications, problems } = readNotifications(channels, [...place, "notifications"]);
  const report = (faults: readonly KeyProblem[]) => {
    for (const { path, ...fault } of faults) {
      problems.push({ severity: "error", path: [...place, ...path], ...fault });
    }
  };

  const { check, problems: ofCheck } = chooseCheck({ ...shared, ...own });
  report([...ofCheck, ...findUnusedKeys(own, check)]);
  const { merged, common, problems: ofKeys } = mergeKeys(own, shared, check);
  const { given, address, target, requestTimeout, problems: ofTarget } = readTarget(own, {
    check,
    merged,
    common,
    ofKeys,
  });
  report(ofTarget);
  report(findUnusualMethod(own));
  if (common.keepBody) report([{ path: ["keepBody"], message: KEEP_BODY, severity: "warning" }]);
  if (address !== given && ofCheck.length === 0) report([toSchemeNotice(address!)]);
  const { problems: ofLocations, ...places } = resolveLocations(common, {
    locations,
    isPartial: lacksLocations,
    check,
    own,
    obstacle: target && findGlobalpingObstacle(target),
  });
  report(ofLocations);
  const isFromHosted = places.locations.length === 0
    ? isHosted
    : locations.some((one) => isHostedLocation(one) && places.locations.includes(one.name));
  if (isFromHosted && target !== undefined) report(findBlocked(target));
  const isUsable = address !== undefined && target !== undefined;
  const { name, slug, problems: ofName } = nameAndSlug(own, {
    given: common.slug ?? slugs.get(String(own["name"])),
    standIn: isUsable ? hostAndPort(publicUrl(address)).host : "",
    index,
  });
  report(ofName);
  if (!isUsable) return { problems };

  const { icon, link } = common;
  const { method } = merged;
  const filled: Record<string, unknown> = { ...merged, url: own["url"], slug: undefined };
  for (const key of ["group", "description", "runbook", "dependsOn", "endpoint"]) {
    delete filled[key];
  }
  const site: Site = {
    ...common,
    ...check === "heartbeat" ? UNCONFIRMED : {},
    requestTimeout,
    ...link === undefined ? {} : { link: publicUrl(link) },
    ...icon === undefined ? {} : { icon: publicUrl(icon) },
    name,
    slug,
    url: publicUrl(address),
    method: method === undefined ? undefined : String(method).toUpperCase(),
    check,
    ...places,
    target,
    isExternal: false,
    notifications,
    dependsOn: [],
    secrets: [...new Set([...secretNames(filled), ...listChannelSecrets(channels)])].sort(),
    nearMisses: nearMisses(filled, known),
    possibleSecrets: possibleNames(filled),
  };
  return { site, problems };
}

/** Warns of a method that may be a mistake, but is sent. */
function findUnusualMethod({ method }: Readonly<Record<string, unknown>>): KeyProblem[] {
  if (typeof method !== "string" || !/^\s*[A-Za-z]+\s*$/.test(method)) return [];
  if (!isUnusualMethod(method)) return [];
  const message = `${found(method)} is sent as it is, but is no method of HTTP: check its spelling`;
  return [{ path: ["method"], message, severity: "warning" }];
}

const KEEP_BODY =
  "publishes the start of failed answers if the repository is public; only known secrets are redacted";

function findUnusedKeys(own: Readonly<Record<string, unknown>>, check: CheckName): KeyProblem[] {
  const { keys } = CHECK_KINDS[check];
  const isUnused = (key: string) =>
    (Object.hasOwn(CHECK_KEYS, key) && !Object.hasOwn(keys, key)) ||
    (check === "heartbeat" && Object.hasOwn(UNCONFIRMED, key));
  const message = `has no effect with check: ${check}`;
  return Object.keys(own).filter(isUnused)
    .map((key) => ({ path: [key], message, severity: "warning" }));
}

/** The keys of a site over those of all sites: as written, and those that every check has as read. */
function mergeKeys(
  own: Readonly<Record<string, unknown>>,
  shared: SiteContext["shared"],
  check: CheckName,
) {
  const keys = { ...OPTIONAL_KEYS, ...CHECK_KINDS[check].keys };
  const { accepted, problems } = readKeys(keys, own, { whole: [STEPS] });
  const merged: Record<string, unknown> = { ...shared, ...accepted, ...hideInDoubt(problems) };
  const { retry: usual } = shared;
  // A site's `retry` changes only the keys it names.
  if (isMap(usual) && isMap(merged["retry"])) merged["retry"] = { ...usual, ...merged["retry"] };
  return { merged, common: readKeys(OPTIONAL_KEYS, merged).values, problems };
}

/** The value of a wrong `public:`, which is probably there to hide something. */
export function hideInDoubt(problems: readonly KeyProblem[]): { public?: false } {
  return problems.some(({ path }) => path.at(-1) === "public") ? { public: false } : {};
}

/** Reads what the probe of a site needs; a site without address or target can't be checked. */
function readTarget(
  own: Readonly<Record<string, unknown>>,
  { check, merged, common, ofKeys }: {
    check: CheckName;
    merged: Readonly<Record<string, unknown>>;
    common: ReturnType<typeof mergeKeys>["common"];
    ofKeys: readonly KeyProblem[];
  },
) {
  const { connectTimeout, maxResponseTime, userAgent } = common;
  const requestTimeout = common.requestTimeout ??
    Math.max(SHORTEST_REQUEST_TIMEOUT, maxResponseTime + GRACE);
  const { output, problems: ofUrl } = readUrl(own, check);
  const address = output && (check === "http" ? withScheme(output.url) : output.url);
  const { target, problems: ofCheck } = CHECK_KINDS[check].read(
    { url: address ?? "$UNREAD", connectTimeout, requestTimeout, userAgent },
    merged,
  );
  const wrong = new Map(ofKeys.map(({ path: [key], message }) => [key, message]));
  const others = ofCheck.filter(({ path: [key] }) => !wrong.has(key));
  // Without its steps a site would be checked in another way.
  const fault = wrong.has(STEPS) && { fault: `steps can't be used: ${wrong.get(STEPS)}` };
  return {
    given: output?.url,
    address,
    target: target && { ...target, ...fault },
    requestTimeout,
    problems: [...ofKeys, ...ofUrl, ...others],
  };
}

function toSchemeNotice(address: string): KeyProblem {
  const message = `has no scheme and is read as ${
    found(publicUrl(address))
  }, as curl does: write https:// before it if the site has it`;
  return { path: ["url"], message, severity: "notice" };
}

/** The evaluation of a site whose results need no confirmation, and whose duration is not that of an answer. */
const UNCONFIRMED = {
  retry: { delays: [], jitter: 0 },
  failureThreshold: 1,
  successThreshold: 1,
  maxResponseTime: Infinity,
  inverted: false,
};

/** Reads the address of a site, which a heartbeat does without. */
function readUrl(own: Readonly<Record<string, unknown>>, check: CheckName) {
  const isNeeded = check !== "heartbeat" || Object.hasOwn(own, "url");
  return isNeeded
    ? readWhole(v.object({ url: URL_KEY }), own)
    : { output: { url: "" }, problems: [] };
}

/** Warns of a check that GitHub's runners don't let through. */
function findBlocked(target: CheckTarget): KeyProblem[] {
  if (target.check === "icmp") {
    const message = "GitHub's runners let no ping through: set runner: self-hosted";
    return [{ path: ["check"], message, severity: "warning" }];
  }
  const isMailExchange = target.check === "smtp" &&
    (target.port ?? hostAndPort(target.url).port) === "25";
  if (!isMailExchange) return [];
  const message =
    "GitHub's runners can't reach port 25: set runner: self-hosted, or use 587 or 465";
  const path = [target.port === undefined ? "url" : "port"];
  return [{ path, message, severity: "warning" }];
}

/** The check of a site; for an unknown one that which the url suggests. */
function chooseCheck(
  { check: word = "http", url, port }: Readonly<Record<string, unknown>>,
): { check: CheckName; problems: KeyProblem[] } {
  const known = CHECK_NAMES.find((name) => name === word);
  if (known !== undefined) return { check: known, problems: [] };
  const hasPort = port !== undefined || hostAndPort(String(url)).port !== undefined;
  const [, scheme] = /^(https?|wss?):/i.exec(String(url)) ?? [];
  const check = scheme === undefined && hasPort
    ? "tcp-ping"
    : /^w/i.test(scheme ?? "")
    ? "ws"
    : "http";
  const message = `expected one of ${CHECK_NAMES.join(", ")}, found ${
    found(word)
  }: the check is ${check} instead`;
  return { check, problems: [{ path: ["check"], message, isIgnored: true }] };
}

/** Name and slug of a site; the host of its url stands in for those that can't be used. */
function nameAndSlug(
  own: Readonly<Record<string, unknown>>,
  { given, standIn, index }: { given?: string; standIn: string; index: number },
): { name: string; slug: string; problems: KeyProblem[] } {
  const other = standIn === "" || standIn.includes("$") ? `Site ${index + 1}` : standIn;
  const read = readWhole(v.object({ name: NAME }), own);
  const problems = read.problems.map(({ path, message }): KeyProblem => (
    { path, message: `${message}: the site is named ${found(other)}`, isIgnored: true }
  ));
  const name = read.output?.name ?? other;
  const slug = given ?? toSlug(name);
  if (slug !== "" && countBytes(slug) <= SLUG_BYTES) return { name, slug, problems };
  // A character that is cut in the middle is left out.
  const start = new TextEncoder().encode(slug).subarray(0, SLUG_BYTES);
  const used = slug === "" ? toSlug(other) : new TextDecoder().decode(start).replace(/\ufffd$/, "");
  const message = `${found(name)} can't name a file, ${
    found(used)
  } is used: add a slug: of at most ${SLUG_BYTES} bytes to this site`;
  return {
    name,
    slug: used,
    problems: [...problems, { path: ["name"], message, isIgnored: true }],
  };
}
