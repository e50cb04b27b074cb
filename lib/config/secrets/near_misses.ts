import { levenshteinDistance } from "@std/text/levenshtein-distance";
import { PLACEHOLDER_NAMES } from "../channels/kinds.ts";
import type { Problem } from "../../io/problem.ts";
import { textsIn } from "../document.ts";

const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;
/** The name of a secret as GitHub stores it. */
const SECRET_NAME = /^[A-Z_][A-Z0-9_]*$/;
/** Shorter names are one edit away from too many others. */
const SHORTEST_EDITED = 5;
/**
 * Words that other languages start with `$`: parameters of OData, keys of JSON (`"$ref":`), and in GraphQL
 * the declaration of a variable.
 */
const OTHER_LANGUAGE = /[?&]\$(\w+)=|["']\$(\w+)["']\s*:|\$(\w+)\s*:\s*\[*[A-Z]\w*[\]!]*\s*[,)=$]/g;
/** Parts of a configuration in which secrets are replaced. */
const PARTS = ["sites", "defaults", "notifications", "heartbeat-url", "proxy", "userAgent"];
/** Keys of a site in which they are not. */
const PLAIN_KEYS = new Set(["name", "slug", "group", "description"]);

/** A reference that is not replaced, and the secret that it probably means. */
export interface NearMiss {
  /** As written, without the `$`. */
  written: string;
  secret: string;
}

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
  const bare = plain(name);
  const same = known.find((one) => plain(one) === bare);
  const isName = SECRET_NAME.test(name) || name.includes("_");
  if (same !== undefined || !isName || bare.length < SHORTEST_EDITED) return same;
  const digits = name.replaceAll(/\D/g, "");
  return known.find((one) =>
    one.replaceAll(/\D/g, "") === digits && levenshteinDistance(plain(one), bare) === 1
  );
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll("_", "");
}

/** References within a value that are near misses, each with its place. */
function findNearMisses(
  value: unknown,
  known: readonly string[],
): (NearMiss & { path: Problem["path"]; offset: number })[] {
  const placeholders: readonly string[] = PLACEHOLDER_NAMES;
  return textsIn(value).flatMap(([path, text]) => {
    const others = wordsOfOthers(text);
    return [...text.matchAll(REFERENCE)].flatMap(({ 1: written = "", index: offset }) => {
      const isFilled = path.includes("notifications") && placeholders.includes(written);
      if (isFilled || others.has(written)) return [];
      const secret = nearSecret(written, known);
      return secret === undefined ? [] : [{ written, secret, path, offset }];
    });
  });
}

function wordsOfOthers(text: string): Set<string> {
  return new Set([...text.matchAll(OTHER_LANGUAGE)].flatMap(([, ...words]) => words));
}

/** The near misses within the keys of a site, each once. */
export function nearMisses(value: unknown, known: readonly string[]): NearMiss[] {
  const byName = new Map(findNearMisses(value, known).map((one) => [one.written, one]));
  return [...byName.values()].map(({ written, secret }) => ({ written, secret }));
}

/**
 * Warns of each near miss in a configuration. If no secrets are known, references that look like secrets
 * elsewhere in it are used instead.
 */
export function nearMissProblems(
  document: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Problem[] {
  const parts = Object.fromEntries(PARTS.map((part) => [part, document[part]]));
  const names = known.length > 0 ? known : namesIn(parts);
  return findNearMisses(parts, names)
    .filter(({ path }) => !(path[0] === "sites" && PLAIN_KEYS.has(String(path[2]))))
    .map(({ path, offset, written, secret }) => ({
      severity: "warning",
      path,
      offset,
      message: SECRET_NAME.test(written)
        ? `$${written} is not among the secrets, did you mean $${secret}?`
        : `$${written} is not replaced: names are case-sensitive, and the secret is $${secret}`,
    }));
}

/** Names in a value that look like those of secrets. */
function namesIn(value: unknown): string[] {
  const names = textsIn(value).flatMap(([, text]) =>
    [...text.matchAll(REFERENCE)].map(([, name = ""]) => name)
  );
  return [...new Set(names)].filter((name) => SECRET_NAME.test(name));
}

/** Keys in which `$words` are almost always secrets, unlike in a body. */
const OWN_KEYS = ["url", "headers", "proxy", "userAgent"];

/**
 * Returns the names in capitals that references in other case may mean. Jobs are given these secrets too, so
 * that a run can name the near miss.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const site = { url: "https://a.example/?$filter=x", headers: ["X-Key: $api_token"], body: "query($id: ID!)" };
 * assertEquals(possibleNames(site), ["API_TOKEN"]);
 * ```
 */
export function possibleNames(site: Readonly<Record<string, unknown>>): string[] {
  const texts = textsIn(OWN_KEYS.map((key) => site[key])).map(([, text]) => text);
  const names = texts.flatMap((text) => {
    const others = wordsOfOthers(text);
    return [...text.matchAll(REFERENCE)].map(([, name = ""]) => name)
      .filter((name) => !SECRET_NAME.test(name) && !others.has(name));
  });
  return [...new Set(names.map((name) => name.toUpperCase()))];
}
