import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";

type Aliases = Readonly<Record<string, string>>;

/** Spellings of keys that a site has, and the top level for all sites. */
export const SITE_ALIASES: Aliases = {
  "user-agent": "userAgent",
  "__dangerous__insecure": "insecure",
  "__dangerous__disable_verify_peer": "insecure",
  "__dangerous__disable_verify_host": "insecure",
};

export const SCHEDULE_ALIASES: Aliases = { staticSite: "site" };

const CHANNEL_TYPES = new Map([
  ["msteams", "teams"],
  ["microsoft-teams", "teams"],
  ["googlechat", "google-chat"],
  ["rocketchat", "rocket-chat"],
]);

/** Spellings of keys, by the type of their channel. */
const CHANNEL_ALIASES = new Map<unknown, Aliases>([
  ["slack", { url: "webhook-url" }],
  ["discord", { url: "webhook-url" }],
  ["teams", { url: "webhook-url" }],
  ["google-chat", { url: "webhook-url" }],
  ["mattermost", { url: "webhook-url" }],
  ["rocket-chat", { url: "webhook-url" }],
  ["webhook", { "webhook-url": "url" }],
]);

/**
 * Replaces the spellings of other programs in a document. A key itself counts before its spellings, and of
 * several spellings the first that is not `false`. `written` returns the path of a key in the document as written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { document, written } = rewriteSpellings({ sites: [{ "user-agent": "me" }] });
 * assertEquals(document, { sites: [{ userAgent: "me" }] });
 * assertEquals(written(["sites", 0, "userAgent"]), ["sites", 0, "user-agent"]);
 * ```
 */
export function rewriteSpellings(
  source: unknown,
): { document: unknown; written(path: Problem["path"]): Problem["path"] } {
  const spellings = new Map<string, string>();
  const rename = (aliases: Aliases): Rewrite => (value, path) => {
    if (!isMap(value)) return value;
    const map = { ...value };
    for (const [alias, key] of Object.entries(aliases)) {
      if (!Object.hasOwn(map, alias)) continue;
      const place = JSON.stringify([...path, key]);
      if (!Object.hasOwn(map, key) || (spellings.has(place) && map[key] === false)) {
        map[key] = map[alias];
        spellings.set(place, alias);
      }
      delete map[alias];
    }
    return map;
  };
  const channel: Rewrite = (value, path) => {
    if (!isMap(value)) return value;
    const type = CHANNEL_TYPES.get(String(value["type"])) ?? value["type"];
    // A bot has no webhook: its `url` is a base address.
    const aliases = value["bot-token"] === undefined ? CHANNEL_ALIASES.get(type) : undefined;
    return rename(aliases ?? {})({ ...value, type }, path);
  };
  const site: Rewrite = (value, path) =>
    within({ notifications: eachItem(channel), headers: listHeaders })(
      rename(SITE_ALIASES)(value, path),
      path,
    );
  const parts = within({
    sites: (value, path) => Array.isArray(value) ? eachItem(site)(value, path) : value,
    defaults: (value, path) =>
      within({ headers: listHeaders })(rename(SITE_ALIASES)(value, path), path),
    "status-website": within({ navbar: eachItem(rename({ url: "href" })) }),
    workflowSchedule: rename(SCHEDULE_ALIASES),
  });
  const { document, origin } = rewriteGlobalping(parts(site(source, []), []));
  const spell = (path: Problem["path"]) =>
    path.map((key, index) => spellings.get(JSON.stringify(path.slice(0, index + 1))) ?? key);
  return { document, written: (path) => spell(origin(path)) };
}

/** Headers as a map of names and values, as the list that this program has. */
function listHeaders(value: unknown): unknown {
  const isHeaders = isMap(value) &&
    Object.values(value).every((one) => ["string", "number", "boolean"].includes(typeof one));
  return isHeaders ? Object.entries(value).map(([name, one]) => `${name}: ${one}`) : value;
}

type Rewrite = (value: unknown, path: Problem["path"]) => unknown;

function within(rewrites: Readonly<Record<string, Rewrite>>): Rewrite {
  return (value, path) => {
    if (!isMap(value)) return value;
    const map = { ...value };
    for (const [key, rewrite] of Object.entries(rewrites)) {
      if (Object.hasOwn(map, key)) map[key] = rewrite(map[key], [...path, key]);
    }
    return map;
  };
}

/** Rewrites the items of a list; a single one is a list of one. */
function eachItem(rewrite: Rewrite): Rewrite {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((item, index) => rewrite(item, [...path, index]))
      : rewrite(value, path);
}

/** Place of a site that names none: a probe anywhere, another one each time. */
const ANYWHERE = "world";

/**
 * Makes locations of sites that Upptime checks from Globalping (`type: globalping`, and `location`). `origin` returns
 * the place that a path was made of; other paths stay as they are.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { document, origin } = rewriteGlobalping({ sites: [{ name: "A", type: "globalping", location: "Berlin" }] });
 * assertEquals(document, {
 *   sites: [{ name: "A", locations: ["Berlin"] }],
 *   locations: [{ name: "Berlin", globalping: "Berlin" }],
 * });
 * assertEquals(origin(["locations", 0, "globalping"]), ["sites", 0, "location"]);
 * ```
 */
export function rewriteGlobalping(
  document: unknown,
): { document: unknown; origin(path: Problem["path"]): Problem["path"] } {
  const unchanged = { document, origin: (path: Problem["path"]) => path };
  if (!isMap(document) || !Array.isArray(document["sites"])) return unchanged;
  const configured: unknown = document["locations"] ?? [];
  // Not a list: an error of its own.
  if (!Array.isArray(configured)) return unchanged;
  const locations: unknown[] = [...configured];
  const first = locations.length;
  const owners: Problem["path"][] = [];
  const keys = new Map<number, string>();
  const sites = document["sites"].map((site: unknown, index) => {
    if (!isMap(site) || String(site["type"]).toLowerCase() !== "globalping") return site;
    const { type: _, location, ...rest } = site;
    if (Object.hasOwn(site, "locations")) return rest;
    const key = location === undefined || location === null ? "type" : "location";
    const place = key === "type" ? ANYWHERE : String(location).trim();
    let found = locations.find((one) => isMap(one) && one["globalping"] === place);
    if (found === undefined) {
      found = { name: chooseName(place, locations), globalping: place };
      locations.push(found);
      owners.push(["sites", index, key]);
    }
    keys.set(index, key);
    return { ...rest, locations: [(found as Record<string, unknown>)["name"]] };
  });
  if (keys.size === 0) return unchanged;
  return {
    document: { ...document, sites, locations },
    origin: (path) => {
      const [list, index, key] = path;
      if (list === "locations" && typeof index === "number" && index >= first) {
        return owners[index - first] ?? path;
      }
      const own = list === "sites" && key === "locations" ? keys.get(Number(index)) : undefined;
      return own === undefined ? path : [list!, index!, own];
    },
  };
}

/** The place, unless a location of another kind has its name. */
function chooseName(place: string, locations: readonly unknown[]): string {
  const isTaken = locations.some((one) =>
    isMap(one) && String(one["name"]).trim().toLowerCase() === place.toLowerCase()
  );
  return isTaken || place.toLowerCase() === "globalping" ? `${place} by Globalping` : place;
}
