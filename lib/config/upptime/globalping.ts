import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";

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
