import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";

/** Spellings of other programs, and the key each stands for. */
type Aliases = Readonly<Record<string, string>>;

/** Spellings of keys that a site has, and the top level for all sites. */
export const SITE_ALIASES: Aliases = {
  "user-agent": "userAgent",
  "__dangerous__insecure": "insecure",
  "__dangerous__disable_verify_peer": "insecure",
  "__dangerous__disable_verify_host": "insecure",
};

/** Spellings of the workflows in `workflowSchedule`. */
export const SCHEDULE_ALIASES: Aliases = { staticSite: "site" };

/** Spellings of channel types. */
const CHANNEL_TYPES: Aliases = { msteams: "teams", "microsoft-teams": "teams" };

/** Spellings of keys, by the type of their channel: chat services whose address others call `url`. */
const CHANNEL_ALIASES: Readonly<Record<string, Aliases>> = {
  slack: { url: "webhook-url" },
  discord: { url: "webhook-url" },
  teams: { url: "webhook-url" },
  webhook: { "webhook-url": "url" },
};

/** A document in our own spelling. */
interface Rewritten {
  document: unknown;
  /** The path of a key in the document as written. */
  written(path: Problem["path"]): Problem["path"];
}

/**
 * Replaces the spellings of other programs in a document. A key itself counts before its spellings, and of
 * several spellings the first that is not `false`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { document, written } = rewriteSpellings({ sites: [{ "user-agent": "me" }] });
 * assertEquals(document, { sites: [{ userAgent: "me" }] });
 * assertEquals(written(["sites", 0, "userAgent"]), ["sites", 0, "user-agent"]);
 * ```
 */
export function rewriteSpellings(document: unknown): Rewritten {
  const spellings = new Map<string, string>();
  const rename = (value: unknown, aliases: Aliases, path: Problem["path"]): unknown => {
    if (!isMap(value)) return value;
    const map = { ...value };
    for (const [alias, key] of Object.entries(aliases)) {
      if (!Object.hasOwn(map, alias)) continue;
      const place = JSON.stringify([...path, key]);
      const isFree = !Object.hasOwn(map, key) || (spellings.has(place) && map[key] === false);
      if (isFree) {
        map[key] = map[alias];
        spellings.set(place, alias);
      }
      delete map[alias];
    }
    return map;
  };
  const rewriteChannel = (value: unknown, path: Problem["path"]): unknown => {
    if (!isMap(value) || typeof value["type"] !== "string") return value;
    const type = lookUp(CHANNEL_TYPES, value["type"]) ?? value["type"];
    return rename({ ...value, type }, lookUp(CHANNEL_ALIASES, type) ?? {}, path);
  };
  const rewrite = (value: unknown, path: Problem["path"]): unknown => {
    const renamed = rename(value, SITE_ALIASES, path);
    if (!isMap(renamed) || !Object.hasOwn(renamed, "notifications")) return renamed;
    const notifications = rewriteItems(renamed["notifications"], rewriteChannel, [
      ...path,
      "notifications",
    ]);
    return { ...renamed, notifications };
  };
  const parts: Readonly<Record<string, (value: unknown) => unknown>> = {
    sites: (value) => Array.isArray(value) ? rewriteItems(value, rewrite, ["sites"]) : value,
    defaults: (value) => rename(value, SITE_ALIASES, ["defaults"]),
    "status-website": (value) => {
      if (!isMap(value) || !Object.hasOwn(value, "navbar")) return value;
      const link = (item: unknown, path: Problem["path"]) => rename(item, { url: "href" }, path);
      return {
        ...value,
        navbar: rewriteItems(value["navbar"], link, ["status-website", "navbar"]),
      };
    },
    workflowSchedule: (value) => rename(value, SCHEDULE_ALIASES, ["workflowSchedule"]),
  };
  const top = rewrite(document, []);
  const rewritten = isMap(top)
    ? Object.fromEntries(
      Object.entries(top).map(([key, value]) => [key, lookUp(parts, key)?.(value) ?? value]),
    )
    : top;
  return {
    document: rewritten,
    written: (path) =>
      path.map((key, index) => spellings.get(JSON.stringify(path.slice(0, index + 1))) ?? key),
  };
}

/** Rewrites the items of a list; a single one is a list of one. */
function rewriteItems(
  value: unknown,
  rewrite: (item: unknown, path: Problem["path"]) => unknown,
  path: Problem["path"],
): unknown {
  return Array.isArray(value)
    ? value.map((item, index) => rewrite(item, [...path, index]))
    : rewrite(value, path);
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
