import { levenshteinDistance } from "@std/text/levenshtein-distance";
import type { Problem } from "../io/problem.ts";
import { findCredentials } from "../io/secrets/url_credentials.ts";
import { GROUP_PLACEHOLDER_NAMES, PLACEHOLDER_NAMES } from "./channels/kinds.ts";
import { isMap, textsIn } from "./document.ts";
import { COMMIT_PLACEHOLDERS } from "./keys/top_keys.ts";
import { nearest } from "../text/nearest.ts";

const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;
/** The name of a secret as GitHub stores it. */
const SECRET_NAME = /^[A-Z_][A-Z0-9_]*$/;
const EVENT_PLACEHOLDERS: readonly string[] = [...PLACEHOLDER_NAMES, ...GROUP_PLACEHOLDER_NAMES];

function namesIn(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, name]) => name!);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** Names of the secrets that the texts of a value refer to, sorted. */
export function secretNames(value: unknown): string[] {
  const names = textsIn(value).flatMap(([, text]) => namesIn(text));
  return sorted(names.filter((name) => SECRET_NAME.test(name)));
}

/** Names of the secrets that a channel refers to, without placeholders for the event. */
export function secretNamesOf(notification: unknown): string[] {
  return secretNames(notification).filter((name) => !EVENT_PLACEHOLDERS.includes(name));
}

/** Names of all secrets that a configuration refers to, sorted. */
export function allSecretNames({ sites, notifications, "heartbeat-url": heartbeat }: {
  sites: readonly { secrets: readonly string[] }[];
  notifications: readonly unknown[];
  "heartbeat-url"?: string;
}): string[] {
  const ofSites = sites.flatMap(({ secrets }) => secrets);
  return sorted([...ofSites, ...notifications.flatMap(secretNamesOf), ...secretNames(heartbeat)]);
}

/** Parts of a configuration in which secrets are filled in. */
const PARTS = ["sites", "defaults", "notifications", "heartbeat-url", "proxy", "userAgent"];
/** Keys of a site in which they are not. */
const PLAIN_KEYS = ["name", "slug", "group", "description"];

function partsOf(document: Readonly<Record<string, unknown>>, parts: readonly string[]) {
  return Object.fromEntries(parts.map((part) => [part, document[part]]));
}

/** Warns of references in the syntax of workflows or shells, which are not replaced. */
export function wrongReferences(document: Readonly<Record<string, unknown>>): Problem[] {
  return textsIn(partsOf(document, ["sites", "defaults", "notifications"])).flatMap(
    ([path, text]): Problem[] => {
      const [written, name] = /\$\{\{?\s*(?:secrets\.|env\.)?([A-Za-z_]\w*)\s*\}\}?/.exec(text) ??
        [];
      if (written === undefined) return [];
      const message = `"${written}" is not replaced and is sent as it stands: a secret is $${name}`;
      return [{ severity: "warning", path, message }];
    },
  );
}

/** A reference that is not replaced, and the secret that it probably means. */
export interface NearMiss {
  /** As written, without the `$`. */
  written: string;
  secret: string;
}

/** Shorter names are one edit away from too many others. */
const SHORTEST_EDITED = 5;

/**
 * Finds the secret that a reference without a value probably means: the same name in other case or with other
 * underscores, or a name one edit away. Words such as `$filter` and `$ref` don't match by accident.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const near = (name: string) => nearSecret(name, ["API_TOKEN", "REF_1", "FILTERS"]);
 * assertEquals([near("api_token"), near("apiToken"), near("API_TOKN")], ["API_TOKEN", "API_TOKEN", "API_TOKEN"]);
 * assertEquals([near("API_TOKEN"), near("filter"), near("ref"), near("REF_2")], [undefined, undefined, undefined, undefined]);
 * ```
 */
export function nearSecret(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const plain = (text: string) => text.toUpperCase().replaceAll("_", "");
  const bare = plain(name);
  const same = known.find((one) => plain(one) === bare);
  const isName = SECRET_NAME.test(name) || name.includes("_");
  if (same !== undefined || !isName || bare.length < SHORTEST_EDITED) return same;
  const digits = name.replaceAll(/\D/g, "");
  return known.find((one) =>
    one.replaceAll(/\D/g, "") === digits && levenshteinDistance(plain(one), bare) === 1
  );
}

/** Words with `$` of OData parameters, of JSON keys (`"$ref":`) and of variable declarations in GraphQL. */
const OTHER_LANGUAGE = /[?&]\$(\w+)=|["']\$(\w+)["']\s*:|\$(\w+)\s*:\s*\[*[A-Z]\w*[\]!]*\s*[,)=$]/g;

function wordsOfOthers(text: string): Set<string> {
  return new Set([...text.matchAll(OTHER_LANGUAGE)].flatMap(([, ...words]) => words));
}

function findNearMisses(
  value: unknown,
  known: readonly string[],
): (NearMiss & { path: Problem["path"]; offset: number })[] {
  return textsIn(value).flatMap(([path, text]) => {
    const others = wordsOfOthers(text);
    return [...text.matchAll(REFERENCE)].flatMap(({ 1: written = "", index: offset }) => {
      const isFilled = path.includes("notifications") && EVENT_PLACEHOLDERS.includes(written);
      const secret = isFilled || others.has(written) ? undefined : nearSecret(written, known);
      return secret === undefined ? [] : [{ written, secret, path, offset }];
    });
  });
}

/** The near misses within the keys of a site, each once. */
export function nearMisses(value: unknown, known: readonly string[]): NearMiss[] {
  const byName = new Map(findNearMisses(value, known).map((one) => [one.written, one]));
  return [...byName.values()].map(({ written, secret }) => ({ written, secret }));
}

/**
 * Warns of each near miss in a configuration. If no secrets are known, names elsewhere in it that look like
 * secrets are used instead.
 */
export function nearMissProblems(
  document: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Problem[] {
  const parts = partsOf(document, PARTS);
  return findNearMisses(parts, known.length > 0 ? known : secretNames(parts))
    .filter(({ path }) => !(path[0] === "sites" && PLAIN_KEYS.includes(String(path[2]))))
    .map(({ path, offset, written, secret }) => ({
      severity: "warning",
      path,
      offset,
      message: SECRET_NAME.test(written)
        ? `$${written} is not among the secrets, did you mean $${secret}?`
        : `$${written} is not replaced: names are case-sensitive, and the secret is $${secret}`,
    }));
}

/**
 * Returns the names in capitals that references in other case may mean. Jobs are given these secrets too, so
 * that a run can name the near miss. Only keys are searched in which such words are almost always secrets.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const site = { url: "https://a.example/?$filter=x", headers: ["X-Key: $api_token"], body: "query($id: ID!)" };
 * assertEquals(possibleNames(site), ["API_TOKEN"]);
 * ```
 */
export function possibleNames(site: Readonly<Record<string, unknown>>): string[] {
  const texts = textsIn(["url", "headers", "proxy", "userAgent"].map((key) => site[key]));
  const names = texts.flatMap(([, text]) => {
    const others = wordsOfOthers(text);
    return namesIn(text).filter((name) => !SECRET_NAME.test(name) && !others.has(name));
  });
  return [...new Set(names.map((name) => name.toUpperCase()))];
}

/** Keys whose values are addresses that the program connects to. */
const ADDRESS_KEYS = ["url", "proxy", "webhook-url", "heartbeat-url"];
/** Keys whose values are addresses that are only shown, like all of `status-website`. */
const SHOWN_KEYS = ["link", "icon"];

/** Finds credentials that are written out in addresses: their values, and a warning for each address. */
export function writtenCredentials(
  document: Readonly<Record<string, unknown>>,
): { values: string[]; problems: Problem[] } {
  const parts = partsOf(document, [...PARTS, "status-website"]);
  const values: string[] = [];
  const problems: Problem[] = [];
  for (const [path, text] of textsIn(parts)) {
    const key = path.findLast((part) => typeof part === "string") ?? "";
    const isShown = path[0] === "status-website"
      ? /^\s*[a-z][a-z\d+.-]*:\/\//i.test(text)
      : SHOWN_KEYS.includes(key);
    const isAddress = isShown || ADDRESS_KEYS.includes(key);
    const found = isAddress ? findCredentials(text.trim()) : undefined;
    if (found === undefined) continue;
    values.push(...found.values);
    const cure = isShown
      ? `remove them: ${found.publicUrl}`
      : "save each as a secret with set-secret NAME, and write $NAME in its place";
    problems.push({
      severity: "warning",
      path,
      offset: found.offset + text.length - text.trimStart().length,
      message: `contains credentials that everybody who can read the repository can see: ${cure}`,
    });
  }
  return { values, problems };
}

/**
 * Warns of placeholders in `commitMessages` that are not replaced.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [problem] = unknownPlaceholders({ statusChange: "$EMOJI $SITENAME" });
 * assertEquals(problem?.message, "$SITENAME is not replaced: did you mean $SITE_NAME?");
 * ```
 */
export function unknownPlaceholders(messages: unknown): Problem[] {
  if (!isMap(messages)) return [];
  return Object.entries(messages).flatMap(([key, text]) => {
    if (typeof text !== "string" || key.startsWith("commitAuthor")) return [];
    const known = key === "statusChange" ? COMMIT_PLACEHOLDERS : [];
    const found = findUnknownPlaceholder(text, known);
    return found === undefined
      ? []
      : [{ severity: "warning", path: ["commitMessages", key], ...found }];
  });
}

/** Finds the first placeholder of a text that is not known, as a message with its offset. */
export function findUnknownPlaceholder(
  text: string,
  known: readonly string[],
): { message: string; offset: number } | undefined {
  const unknown = [...text.matchAll(REFERENCE)].find(([, name]) => !known.includes(name!));
  if (unknown === undefined) return undefined;
  const { 0: written, 1: name, index: offset } = unknown;
  const near = nearest(name!, known);
  const hint = known.length === 0
    ? "this text takes no placeholders"
    : near === undefined
    ? `the placeholders are ${known.map((one) => `$${one}`).join(", ")}`
    : `did you mean $${near}?`;
  return { message: `${written} is not replaced: ${hint}`, offset };
}
