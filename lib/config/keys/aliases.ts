/** Spellings of other programs, and the key each stands for. */
export type Aliases = Readonly<Record<string, string>>;

/** Other spellings of keys that a site has, and the top level for all sites. */
export const SITE_ALIASES: Aliases = {
  "user-agent": "userAgent",
  "__dangerous__insecure": "insecure",
  "__dangerous__disable_verify_peer": "insecure",
  "__dangerous__disable_verify_host": "insecure",
};

/** Other spellings of the workflows in `workflowSchedule`. */
export const SCHEDULE_ALIASES: Aliases = { staticSite: "site" };

/** Other spellings of kinds of channels. */
export const CHANNEL_ALIASES: Aliases = { msteams: "teams", "microsoft-teams": "teams" };

/** A map under the keys we know, and how each was written. */
export interface Spelled {
  map: Record<string, unknown>;
  written(key: string | number): string | number;
}

/**
 * A map with other spellings taken for the key they stand for. The key itself counts before them, and
 * of several spellings the first that asks for something.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { map, written } = spell({ "user-agent": "me" }, SITE_ALIASES);
 * assertEquals([map, written("userAgent")], [{ userAgent: "me" }, "user-agent"]);
 * ```
 */
export function spell(input: Readonly<Record<string, unknown>>, aliases: Aliases): Spelled {
  const map = { ...input };
  const spellings = new Map<string | number, string>();
  for (const [alias, key] of Object.entries(aliases)) {
    if (!Object.hasOwn(map, alias)) continue;
    const value = map[alias];
    delete map[alias];
    if (Object.hasOwn(map, key) && !(spellings.has(key) && map[key] === false)) continue;
    map[key] = value;
    spellings.set(key, alias);
  }
  return { map, written: (key) => spellings.get(key) ?? key };
}
