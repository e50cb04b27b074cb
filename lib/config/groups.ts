import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { nearHint } from "../text/nearest.ts";
import { countBytes, plainText } from "../text/plain_text.ts";
import { isMap } from "./document.ts";
import { readKeys } from "./keys/read_keys.ts";
import {
  about,
  flag,
  found,
  optional,
  readWhole,
  text,
  textOrNumber,
  withoutEffect,
} from "./keys/values.ts";
import { SLUG_BYTES, toSlug } from "./slug.ts";

const NAME = about(
  "Name of the group, as in `group` of its sites.",
  v.pipe(textOrNumber("a name"), v.transform(plainText)),
);

const DETAILS = {
  description: optional("Description of the group, in a sentence, shown below its name.", text()),
  external: optional(
    "true: others operate its sites, which are shown but don't change the overall status.",
    flag(),
    false,
  ),
};

export const GROUP_KEYS = {
  name: NAME,
  ...DETAILS,
  ...withoutEffect({ sites: "name the group at each of these sites, with group:" }, "warning"),
};

/** A group of sites, or all sites without a group. */
export interface Group {
  /** Absent for the sites without a group. */
  name?: string;
  /** Name of its folders; no other group has it. */
  slug: string;
  description?: string;
  /** True if others operate its sites. */
  isExternal: boolean;
}

interface Grouped {
  group?: string;
}

interface GroupContext {
  sites: readonly Grouped[];
  /** True if some sites can't be read: they may be in any group. */
  lacksSites: boolean;
}

/** Reads the list of groups: returns the groups of all sites in the order in which they are shown. */
export function readGroups(
  value: unknown,
  { sites, lacksSites }: GroupContext,
): { groups: Group[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const described = new Map<string, Omit<Group, "slug">>();
  const report = (severity: Problem["severity"], path: Problem["path"], message: string) =>
    problems.push({ severity, path: ["groups", ...path], message, isIgnored: true });
  const list = isSingleGroup(value) ? [value] : value;
  if (!Array.isArray(list) && list !== undefined && list !== null) {
    const [name] = isMap(list) ? Object.keys(list) : [list];
    const example = quoteGroup(name);
    report("error", [], `expected a list of groups such as ${example}, found ${found(list)}`);
  }
  const known = [...new Set(sites.flatMap(({ group }) => group ?? []))];
  for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
    if (!isMap(item)) {
      const example = quoteGroup(item);
      report("error", [index], `expected a map with name such as ${example}, found ${found(item)}`);
      continue;
    }
    const { output, problems: ofName } = readWhole(v.object({ name: NAME }), item);
    const { values, problems: ofDetails } = readKeys(DETAILS, item);
    for (const { path, message } of [...ofName, ...ofDetails]) {
      report("error", [index, ...path], message);
    }
    if (output === undefined) continue;
    const { name } = output;
    if (described.has(name)) {
      report("warning", [index, "name"], `${found(name)} is listed already: only that counts`);
      continue;
    }
    if (!lacksSites && !known.includes(name)) {
      const hint = nearHint(name, known) || ": give it sites with group:, or remove it";
      report("warning", [index, "name"], `no site has the group ${found(name)}${hint}`);
    }
    const { description, external } = values;
    described.set(name, { name, description, isExternal: external });
  }
  return { groups: orderGroups(sites, [...described.values()]), problems };
}

/** Lists the sites that overall figures are of: not paused, and operated by others only if all of these are. */
export function listCounted<T extends { isExternal: boolean; paused: boolean }>(
  sites: readonly T[],
): readonly T[] {
  const watched = sites.filter(({ paused }) => !paused);
  const own = watched.filter(({ isExternal }) => !isExternal);
  return own.length === 0 ? watched : own;
}

/** True for a group that is written in place of the list. */
export function isSingleGroup(value: unknown): boolean {
  return isMap(value) && Object.hasOwn(value, "name");
}

/** An item of the list for what may be the name of a group. */
function quoteGroup(name: unknown): string {
  return `"- name: ${typeof name === "string" && /\S/.test(name) ? plainText(name) : "Payments"}"`;
}

/** Lists the groups of sites: first those that are `described`, then the others in the order of the sites. */
export function orderGroups(
  sites: readonly Grouped[],
  described: readonly Omit<Group, "slug">[] = [],
): Group[] {
  // Addresses don't depend on the order of groups.
  const slugs = nameGroups(sites.map(({ group }) => group));
  const names = described.flatMap(({ name }) => slugs.has(name) ? [name] : []);
  const details = new Map(described.map((one) => [one.name, one]));
  return [...new Set([...names, ...slugs.keys()])].map((name) => ({
    ...details.get(name) ?? { name, isExternal: false },
    slug: slugs.get(name)!,
  }));
}

/**
 * Names the folders of groups, each differently. `other` belongs to the sites without a group (`undefined`), even if
 * there are none, so that the address of a group called "Other" doesn't depend on them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...nameGroups(["Shops", undefined, "shops", "Shops 2", "Other", "..."])], [
 *   ["Shops", "shops"],
 *   [undefined, "other"],
 *   ["shops", "shops-3"],
 *   ["Shops 2", "shops-2"],
 *   ["Other", "other-2"],
 *   ["...", "group"],
 * ]);
 * ```
 */
export function nameGroups(
  names: readonly (string | undefined)[],
): Map<string | undefined, string> {
  const owners = new Map<string, string | undefined>([[OTHER, undefined]]);
  for (const name of names) owners.getOrInsert(toGroupSlug(name), name);
  return new Map(names.map((name) => {
    const slug = toGroupSlug(name);
    let own = slug;
    for (let number = 2; owners.has(own) && owners.get(own) !== name; number++) {
      own = `${slug}-${number}`;
    }
    owners.set(own, name);
    return [name, own];
  }));
}

/** Slug of the sites without a group. */
const OTHER = "other";

function toGroupSlug(name: string | undefined): string {
  return name === undefined ? OTHER : cutSlug(toSlug(name)) || "group";
}

/** Shortens a slug to what file systems take, without half a character at its end. */
function cutSlug(slug: string): string {
  if (countBytes(slug) <= SLUG_BYTES) return slug;
  const start = new TextEncoder().encode(slug).subarray(0, SLUG_BYTES);
  return new TextDecoder().decode(start).replace(/\ufffd$/, "");
}
