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
import { readKeys } from "./keys/read_keys.ts";
import { SHARED_KEYS, SITE_KEYS } from "./keys/site_keys.ts";
import { found, type KeyProblem, readWhole } from "./keys/values.ts";
import { listChannelSecrets, nearMisses, possibleNames, secretNames } from "./references.ts";
import { SLUG_BYTES, toSlug } from "./slug.ts";
import { countBytes } from "../text/plain_text.ts";

const { name: NAME, url: URL_KEY, check: _check, ...OPTIONAL_KEYS } = {
  ...SHARED_KEYS,
  ...SITE_KEYS,
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
    const message = `expected a map with name and url, found ${found(input)}`;
    return { problems: [{ severity: "error", path: place, message }] };
  }
  const { notifications: channels, ...own } = input;
  const { notifications, problems } = readNotifications(channels, [...place, "notifications"]);
  const report = ({ path, ...fault }: KeyProblem, severity: Problem["severity"] = "error") =>
    problems.push({ severity, path: [...place, ...path], ...fault });

  const { check, problem: wrongCheck } = chooseCheck({ ...shared, ...own });
  if (wrongCheck !== undefined) report(wrongCheck);
  const kind = CHECK_KINDS[check];
  for (const key of Object.keys(own)) {
    const isOfOther = Object.hasOwn(CHECK_KEYS, key) && !Object.hasOwn(kind.keys, key);
    const isUnused = check === "heartbeat" && Object.hasOwn(UNCONFIRMED, key);
    if (!isOfOther && !isUnused) continue;
    report({ path: [key], message: `has no effect with check: ${check}` }, "warning");
  }
  const read = readKeys({ ...OPTIONAL_KEYS, ...kind.keys }, own, { whole: [STEPS] });
  const merged: Record<string, unknown> = { ...shared, ...read.accepted };
  const { retry: usual } = shared;
  // A site's `retry` changes only the keys it names.
  if (isMap(usual) && isMap(merged["retry"])) merged["retry"] = { ...usual, ...merged["retry"] };
  const common = readKeys(OPTIONAL_KEYS, merged).values;
  const { connectTimeout, maxResponseTime, userAgent, icon, link } = common;
  const requestTimeout = common.requestTimeout ??
    Math.max(SHORTEST_REQUEST_TIMEOUT, maxResponseTime + GRACE);

  const url = readUrl(own, check);
  const given = url.output?.url ?? "$UNREAD";
  // Like curl, read a url without a scheme as http://.
  const address = check === "http" ? withScheme(given) : given;
  const { target, problems: ofCheck } = kind.read(
    { url: address, connectTimeout, requestTimeout, userAgent },
    merged,
  );
  const wrong = new Set(read.problems.map(({ path: [key] }) => key));
  const others = ofCheck.filter(({ path: [key] }) => !wrong.has(key));
  for (const one of [...read.problems, ...url.problems, ...others]) report(one);
  if (common.keepBody) {
    const message =
      "publishes the start of failed answers if the repository is public; only known secrets are redacted";
    report({ path: ["keepBody"], message }, "warning");
  }
  if (address !== given && wrongCheck === undefined) {
    const message = `has no scheme and is read as ${
      found(publicUrl(address))
    }, as curl does: write https:// before it if the site has it`;
    report({ path: ["url"], message }, "notice");
  }
  const { problems: ofLocations, ...places } = resolveLocations(common, {
    locations,
    isPartial: lacksLocations,
    check,
    own,
    obstacle: target && findGlobalpingObstacle(target),
  });
  for (const { fault, isWarning } of ofLocations) report(fault, isWarning ? "warning" : "error");
  const isFromHosted = places.locations.length === 0
    ? isHosted
    : locations.some((one) => isHostedLocation(one) && places.locations.includes(one.name));
  const blocked = isFromHosted && target !== undefined ? findBlocked(target) : undefined;
  if (blocked !== undefined) report(blocked, "warning");
  const isUsable = url.output !== undefined && target !== undefined;
  const { name, slug, problems: ofName } = nameAndSlug(own, {
    given: common.slug ?? slugs.get(String(own["name"])),
    standIn: isUsable ? hostAndPort(publicUrl(address)).host : "",
    index,
  });
  for (const one of ofName) report(one);
  if (!isUsable) return { problems };

  const wrongSteps = read.problems.find(({ path: [key] }) => key === STEPS);
  const { method } = merged;
  const filled: Record<string, unknown> = { ...merged, url: own["url"], slug: undefined };
  for (const key of ["group", "description", "runbook", "dependsOn"]) delete filled[key];
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
    // Without its steps a site would be checked in another way.
    target: wrongSteps === undefined
      ? target
      : { ...target, fault: `steps can't be used: ${wrongSteps.message}` },
    notifications,
    dependsOn: [],
    secrets: [...new Set([...secretNames(filled), ...listChannelSecrets(channels)])].sort(),
    nearMisses: nearMisses(filled, known),
    possibleSecrets: possibleNames(filled),
  };
  return { site, problems };
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

/** Finds a check that GitHub's runners don't let through. */
function findBlocked(target: CheckTarget): KeyProblem | undefined {
  if (target.check === "icmp") {
    const message = "GitHub's runners let no ping through: set runner: self-hosted";
    return { path: ["check"], message };
  }
  const isMailExchange = target.check === "smtp" &&
    (target.port ?? hostAndPort(target.url).port) === "25";
  if (!isMailExchange) return undefined;
  const message =
    "GitHub's runners can't reach port 25: set runner: self-hosted, or use 587 or 465";
  return { path: [target.port === undefined ? "url" : "port"], message };
}

/** The check of a site; for an unknown one that which the url suggests. */
function chooseCheck(
  { check: word = "http", url, port }: Readonly<Record<string, unknown>>,
): { check: CheckName; problem?: KeyProblem } {
  const known = CHECK_NAMES.find((name) => name === word);
  if (known !== undefined) return { check: known };
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
  return { check, problem: { path: ["check"], message, isIgnored: true } };
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
