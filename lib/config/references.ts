import type { Problem } from "../io/problem.ts";
import { findCredentials } from "../io/secrets/url_credentials.ts";
import { GROUP_PLACEHOLDER_NAMES, PLACEHOLDER_NAMES } from "./channels/kinds.ts";
import { isMap, listTexts } from "./document.ts";
import { COMMIT_PLACEHOLDERS } from "./keys/top_keys.ts";
import { nearest } from "../text/nearest.ts";
import { formatCommand } from "../text/invocation.ts";

const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;
/** The name of a secret as GitHub stores it. */
const SECRET_NAME = /^[A-Z_][A-Z0-9_]*$/;
const EVENT_PLACEHOLDERS: readonly string[] = [...PLACEHOLDER_NAMES, ...GROUP_PLACEHOLDER_NAMES];

function listNames(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(([, name]) => name!);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

export function secretNames(value: unknown): string[] {
  const names = listTexts(value).flatMap(([, text]) => listNames(text));
  return sorted(names.filter((name) => SECRET_NAME.test(name)));
}

/** Names of the secrets that a channel refers to, without placeholders for the event. */
export function listChannelSecrets(notification: unknown): string[] {
  return secretNames(notification).filter((name) => !EVENT_PLACEHOLDERS.includes(name));
}

export function allSecretNames({ sites, notifications, "heartbeat-url": heartbeat }: {
  sites: readonly { secrets: readonly string[] }[];
  notifications: readonly unknown[];
  "heartbeat-url"?: string;
}): string[] {
  const ofSites = sites.flatMap(({ secrets }) => secrets);
  return sorted([
    ...ofSites,
    ...notifications.flatMap(listChannelSecrets),
    ...secretNames(heartbeat),
  ]);
}

/** Parts of a configuration in which secrets are filled in. */
const PARTS = ["sites", "defaults", "notifications", "heartbeat-url", "proxy", "userAgent"];
/** Keys of a site in which they are not. */
const PLAIN_KEYS = ["name", "slug", "group", "description"];

function pickParts(document: Readonly<Record<string, unknown>>, parts: readonly string[]) {
  return Object.fromEntries(parts.map((part) => [part, document[part]]));
}

/** A reference in the syntax of workflows, shells or other tools, which is not replaced, and the name in it. */
const WRONG_SYNTAX =
  /\$\{\{?\s*(?:secrets\.|env\.)?([A-Za-z_]\w*)\s*\}\}?|\{\{\s*(?:secrets\.([A-Za-z_]\w*)|([A-Z_][A-Z0-9_]*))\s*\}\}|\$\(([A-Z_][A-Z0-9_]*)\)/;

/** The first reference in wrong syntax within a value, and the name of the secret as GitHub keeps it. */
export function findWrongSyntax(value: unknown): { written: string; name: string } | undefined {
  for (const [, text] of listTexts(value)) {
    const [written, ...names] = WRONG_SYNTAX.exec(text) ?? [];
    if (written !== undefined) return { written, name: names.find(Boolean)!.toUpperCase() };
  }
  return undefined;
}

/** Warns of references in the syntax of workflows or shells. */
export function wrongReferences(document: Readonly<Record<string, unknown>>): Problem[] {
  return listTexts(pickParts(document, ["sites", "defaults", "notifications"])).flatMap(
    ([path, text]): Problem[] => {
      const wrong = findWrongSyntax(text);
      if (wrong === undefined) return [];
      const message = `"${wrong.written}" is not replaced: write a secret as $${wrong.name}`;
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

/**
 * Finds the secret that a reference without a value probably means: the same name in other case or with other
 * underscores, or one edit away from a name in capitals.
 */
export function nearSecret(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return nearest(name, known, SECRET_NAME.test(name) && name.length > 4 ? 1 : 0);
}

/** References, but no OData parameters (`?$filter=`), JSON keys (`"$ref":`) and GraphQL variables (`($id: ID!)`). */
const LOOSE_REFERENCE = /(?<![?&"'(])\$([A-Za-z_]\w*)(?![\w:)])/g;

function findNearMisses(
  value: unknown,
  known: readonly string[],
): (NearMiss & { path: Problem["path"] })[] {
  return listTexts(value).flatMap(([path, text]) =>
    [...text.matchAll(LOOSE_REFERENCE)].flatMap(([, written = ""]) => {
      const isFilled = path.includes("notifications") && EVENT_PLACEHOLDERS.includes(written);
      const secret = isFilled ? undefined : nearSecret(written, known);
      return secret === undefined ? [] : [{ written, secret, path }];
    })
  );
}

/** The near misses within the keys of a site, each once. */
export function nearMisses(value: unknown, known: readonly string[]): NearMiss[] {
  const byName = new Map(findNearMisses(value, known).map((one) => [one.written, one]));
  return [...byName.values()].map(({ written, secret }) => ({ written, secret }));
}

/** Warns of near misses. If no secrets are known, other names in the configuration are used instead. */
export function nearMissProblems(
  document: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Problem[] {
  const parts = pickParts(document, PARTS);
  return findNearMisses(parts, known.length > 0 ? known : secretNames(parts))
    .filter(({ path }) => !(path[0] === "sites" && PLAIN_KEYS.includes(String(path[2]))))
    .map(({ path, written, secret }) => ({
      severity: "warning",
      path,
      message: SECRET_NAME.test(written)
        ? `$${written} is not among the secrets, did you mean $${secret}?`
        : `$${written} is not replaced: names are case-sensitive, and the secret is $${secret}`,
    }));
}

/**
 * Returns the names in capitals that references in other case may mean. Jobs are given these secrets too, so
 * that a run can name the near miss. Only keys are searched in which such words are almost always secrets.
 */
export function possibleNames(site: Readonly<Record<string, unknown>>): string[] {
  const texts = listTexts(["url", "headers", "proxy", "userAgent"].map((key) => site[key]));
  const names = texts.flatMap(([, text]) => [...text.matchAll(LOOSE_REFERENCE)])
    .map(([, name = ""]) => name).filter((name) => !SECRET_NAME.test(name));
  return [...new Set(names.map((name) => name.toUpperCase()))];
}

/** Words in the names of secrets. */
const SECRET_WORD = /_|token|key|secret|passw|credential|auth|webhook|bearer|login/i;

/** Places of references that are secrets, whatever the name: all of a value, a host or user, or a credential. */
const SECRET_PLACE =
  /^\s*\$([A-Za-z_]\w*)\s*$|^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?\$([A-Za-z_]\w*)(?=[.:@/?#]|$)|\b(?:Bearer|Basic|Token|ApiKey)\s+\$([A-Za-z_]\w*)|^[\w-]+\s*:\s*\$([A-Za-z_]\w*)\s*$/i;
/** Values of parameters in addresses. */
const PARAMETER = /[?&][^=&#\s]*=\$([A-Za-z_]\w*)(?=[&#\s]|$)/;
/** Keys of a site in which references are looked for; texts such as bodies have other words with a `$`. */
const REFERRING_KEYS = ["url", "headers", "proxy", "ca", "clientCertificate", "clientKey", "port"];

/** Warns of references in small letters, which are sent as they are, where only a secret makes sense. */
export function smallReferences(
  document: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Problem[] {
  const parts = pickParts(document, PARTS);
  const near = new Set(
    findNearMisses(parts, known.length > 0 ? known : secretNames(parts))
      .map(({ path, written }) => JSON.stringify([path, written])),
  );
  return listTexts(parts).flatMap(([path, text]): Problem[] => {
    const isOfChannel = path.includes("notifications");
    const key = path.find((part, index) => index > 0 && typeof part === "string");
    if (!isOfChannel && path.length > 1 && !REFERRING_KEYS.includes(String(key))) return [];
    const name = SECRET_PLACE.exec(text)?.slice(1).find((one) => one !== undefined);
    const value = PARAMETER.exec(text)?.[1];
    const written = name ?? (value !== undefined && SECRET_WORD.test(value) ? value : undefined);
    if (written === undefined || SECRET_NAME.test(written)) return [];
    if (near.has(JSON.stringify([path, written]))) return [];
    const capitals = written.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").toUpperCase();
    const message =
      `$${written} is not replaced, because only names in capitals are secrets: write $${capitals}`;
    return [{ severity: "warning", path, message }];
  });
}

/** Keys whose values are addresses that the program connects to. */
const ADDRESS_KEYS = ["url", "proxy", "webhook-url", "heartbeat-url"];
/** Keys whose values are addresses that are only shown, like all of `status-website`. */
const SHOWN_KEYS = ["link", "icon"];

/** Keys of a channel whose values are credentials as a whole. */
const CREDENTIAL_KEYS = [
  "bot-token",
  "token",
  "api-key",
  "integration-key",
  "smtp-password",
  "user",
];

/** Finds credentials that are written out: their values, and a warning for each key. */
export function writtenCredentials(
  document: Readonly<Record<string, unknown>>,
): { values: string[]; problems: Problem[] } {
  const parts = pickParts(document, [...PARTS, "status-website"]);
  const values: string[] = [];
  const problems: Problem[] = [];
  for (const [path, text] of listTexts(parts)) {
    const key = path.findLast((part) => typeof part === "string") ?? "";
    const isShown = path[0] === "status-website"
      ? /^\s*[a-z][a-z\d+.-]*:\/\//i.test(text)
      : SHOWN_KEYS.includes(key);
    const isAddress = isShown || ADDRESS_KEYS.includes(key);
    const isCredential = path.includes("notifications") && CREDENTIAL_KEYS.includes(key) &&
      text.trim() !== "" && listNames(text).length === 0;
    const found = isAddress
      ? findCredentials(text.trim())
      : isCredential
      ? { values: [text.trim()], publicUrl: "" }
      : undefined;
    if (found === undefined) continue;
    values.push(...found.values);
    const cure = isShown
      ? `remove them: ${found.publicUrl}`
      : `save each as a secret with "${
        formatCommand("set-secret NAME")
      }", and write $NAME in its place`;
    problems.push({
      severity: "warning",
      path,
      message: `contains credentials that everybody who can read the repository can see: ${cure}`,
    });
  }
  return { values, problems };
}

/** Warns of placeholders in `commitMessages` that are not replaced. */
export function unknownPlaceholders(messages: unknown): Problem[] {
  if (!isMap(messages)) return [];
  return Object.entries(messages).flatMap(([key, text]): Problem[] => {
    if (typeof text !== "string" || key.startsWith("commitAuthor")) return [];
    const message = describeUnknownPlaceholder(
      text,
      key === "statusChange" ? COMMIT_PLACEHOLDERS : [],
    );
    return message === undefined
      ? []
      : [{ severity: "warning", path: ["commitMessages", key], message }];
  });
}

/**
 * Describes the first placeholder of a text that is not known; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const message = describeUnknownPlaceholder("$EMOJI $SITENAME", ["EMOJI", "SITE_NAME"]);
 * assertEquals(message, "$SITENAME is not replaced: this text takes $EMOJI, $SITE_NAME");
 * ```
 */
export function describeUnknownPlaceholder(
  text: string,
  known: readonly string[],
): string | undefined {
  const unknown = listNames(text).find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const names = known.map((name) => `$${name}`).join(", ") || "no placeholders";
  return `$${unknown} is not replaced: this text takes ${names}`;
}
