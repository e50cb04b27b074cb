import { nearHint } from "../../text/nearest.ts";
import type { Site } from "../config.ts";
import { found, type KeyProblem } from "../keys/values.ts";
import type { Notification } from "./keys.ts";
import { isPayloadKey } from "./kinds.ts";

/** Keys of a channel that choose its sites, and the names of a site that each compares with. */
const LISTS = {
  sites: ({ name, slug }) => [name, slug],
  groups: ({ group }) => group === undefined ? [] : [group],
  tags: ({ tags }) => tags,
} satisfies Record<string, (site: RoutedSite) => readonly string[]>;

type ListKey = keyof typeof LISTS;
export const ROUTE_KEYS = Object.keys(LISTS) as ListKey[];

type RoutedSite = Pick<Site, "name" | "slug" | "group" | "tags">;

/** The sites that channels can choose; `lacksSites` is true if some sites can't be read. */
export interface RoutedSites {
  sites: readonly RoutedSite[];
  lacksSites: boolean;
}

/** The entries of a list that choose sites. */
export function listRoute(notification: Notification, key: ListKey): readonly string[] {
  return isPayloadKey(notification.type, key) ? [] : notification[key] ?? [];
}

/**
 * True if a channel that is configured for all sites is notified of this one: one of its lists names it, or
 * none names any, and none excludes it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const site = { name: "Shop", slug: "shop", group: "Sales", tags: ["eu"] };
 * const isNotified = (keys: object) => isRouted({ type: "slack", ...keys }, site);
 * assertEquals([{}, { tags: ["us"] }, { tags: ["us"], groups: ["sales"] }].map(isNotified), [true, false, true]);
 * assertEquals([{ sites: ["!shop"] }, { groups: ["Sales"], tags: ["!eu"] }].map(isNotified), [false, false]);
 * ```
 */
export function isRouted(notification: Notification, site: RoutedSite): boolean {
  const entries = ROUTE_KEYS.flatMap((key) =>
    listRoute(notification, key).map((entry) => {
      const { word, isExcluded } = parseEntry(entry);
      return { isExcluded, matches: LISTS[key](site).some((name) => fold(name) === word) };
    })
  );
  if (entries.some(({ isExcluded, matches }) => isExcluded && matches)) return false;
  const chosen = entries.filter(({ isExcluded }) => !isExcluded);
  return chosen.length === 0 || chosen.some(({ matches }) => matches);
}

/**
 * Removes names that no site has from the lists of a channel, so that a misspelled one does not leave it without
 * sites. `lacksSites` is true if some sites can't be read: an unknown name may be one of them.
 */
export function readRoute(
  notification: Notification,
  { sites, lacksSites }: RoutedSites,
): { notification: Notification; problems: KeyProblem[] } {
  const problems: KeyProblem[] = [];
  if (lacksSites) return { notification, problems };
  const lists = ROUTE_KEYS.map((key) => {
    const known = sites.flatMap(LISTS[key]);
    const names = new Set(known.map(fold));
    const entries = listRoute(notification, key).map((entry) => {
      const { word, isExcluded } = parseEntry(entry);
      return { entry, word, isExcluded, isKnown: names.has(word) };
    });
    return { key, known, entries };
  });
  const choosesSites = lists.some(({ entries }) =>
    entries.some(({ isExcluded, isKnown }) => isKnown && !isExcluded)
  );
  const mended = lists.flatMap(({ key, known, entries }) => {
    for (const [index, { entry, word, isExcluded, isKnown }] of entries.entries()) {
      if (isKnown) continue;
      const effect = isExcluded || choosesSites
        ? ""
        : ", so the channel is notified of all sites instead";
      const hint = nearHint(word, known) || `: no site has this ${NOUNS[key]}`;
      const message = `unknown${effect}: ${found(entry)}${hint}`;
      problems.push({ path: [key, index], message, isIgnored: true });
    }
    const right = entries.filter(({ isKnown }) => isKnown).map(({ entry }) => entry);
    return right.length === entries.length ? [] : [[key, right] as const];
  });
  return { notification: { ...notification, ...Object.fromEntries(mended) }, problems };
}

const NOUNS = { sites: "name or slug", groups: "group", tags: "tag" } as const;

function parseEntry(entry: string): { word: string; isExcluded: boolean } {
  const isExcluded = entry.trim().startsWith("!");
  return { word: fold(isExcluded ? entry.trim().slice(1) : entry), isExcluded };
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
