import { isMap } from "../config/document.ts";
import { loadUpptimeSlug, SLUG_BYTES, slugWithBrackets, toSlug } from "../config/slug.ts";
import { readYaml, withNamesAsWritten } from "../config/yaml/read_yaml.ts";
import type { TextVersion, Version } from "./read_versions.ts";
import { countBytes } from "../text/plain_text.ts";

/** A site as one version of the configuration lists it. */
interface Listed {
  name: string;
  url: string;
  /** The address with the port, by which several services of one server differ. */
  address: string;
  /** The name that Upptime gives its files. */
  file: string;
  /** Index in the list. */
  place: number;
}

/** One site through all of its names, addresses and slugs. */
export interface ImportedSite {
  /** The newest name and address. */
  name: string;
  url: string;
  /** Slug of its imported history; unique. */
  slug: string;
  /** Names that its files had in Upptime, the present one first. */
  files: string[];
  /** True if the configuration no longer lists it. */
  isArchived: boolean;
  /** Places in the present configuration that list it; more than one for a site that is listed twice. */
  places: number[];
}

/** The sites of a repository, and to which of them each version belongs. */
export interface IdentifiedSites {
  sites: readonly ImportedSite[];
  /** The site of a version; `template` for an example that came with Upptime's template. */
  siteOf(
    version: Pick<Version, "file" | "committed" | "isInRoot"> & { check?: { url: string } },
  ): ImportedSite | "template";
}

/** Files of the sites in Upptime's template. A version of the commit that made the repository is its example. */
const TEMPLATE = new Set([
  ...["google", "wikipedia", "hacker-news", "test-broken-site", "i-pv6-test"],
]);

/**
 * Follows each site through the versions of the configuration: a site of the next version is the one with the same
 * name and address, else the same name, else the same file, else the same address. So a site may move to another
 * address, even one that another site has later. A site that was gone and comes back is found by name or address.
 *
 * `present` is the text of the configuration in the work tree.
 */
export async function identifySites(
  configs: readonly TextVersion[],
  present: string,
): Promise<IdentifiedSites> {
  const upptimeSlug = await loadUpptimeSlug();
  const steps: { committed: number; sites: Map<Tracked, Listed> }[] = [];
  const all: Tracked[] = [];
  let last: readonly Listed[] = [];
  for (const { committed, text } of [...configs, { committed: Infinity, text: present }]) {
    const listed = await readListed(text, upptimeSlug);
    if (listed === undefined) continue;
    const active = steps.at(-1)?.sites ?? new Map<Tracked, Listed>();
    steps.push({ committed, sites: follow(listed, active, all) });
    last = listed;
  }
  const now = steps.at(-1)?.sites ?? new Map<Tracked, Listed>();
  const taken = new Set<string>();
  for (const site of all.toSorted((a, b) => Number(now.has(b)) - Number(now.has(a)))) {
    site.isArchived = !now.has(site);
    site.places = last.flatMap((one) => isSame(one, site) && now.has(site) ? [one.place] : []);
    site.slug = newSlug(site, taken);
  }
  return { sites: all, siteOf: attribution(steps, all, taken) };
}

type Tracked = ImportedSite & Pick<Listed, "address">;

/** Properties by which a site is followed through renames. */
type Followed = Omit<Listed, "place">;

type Named = Pick<Listed, "name" | "address">;

function isSame(one: Named, other: Named): boolean {
  return one.name === other.name && one.address === other.address;
}

/** The sites of one version of the configuration; `undefined` if it can't be read. */
async function readListed(
  text: string,
  upptimeSlug: (name: string) => string,
): Promise<Listed[] | undefined> {
  const { document, problem } = await readYaml(text);
  if (problem !== undefined || !isMap(document)) return undefined;
  const named = withNamesAsWritten(document, text);
  const sites = isMap(named) && Array.isArray(named["sites"]) ? named["sites"] : [];
  return sites.flatMap((site, place) => {
    if (!isMap(site)) return [];
    const { name, url, port, slug } = site;
    const own = String(name ?? "");
    return [{
      name: own,
      url: String(url ?? ""),
      address: `${url ?? ""}:${port ?? ""}`,
      file: typeof slug === "string" && slug !== "" ? slug : upptimeSlug(own),
      place,
    }];
  });
}

/** Finds each listed site among those known so far; new ones are added to `all`. */
function follow(
  listed: readonly Listed[],
  active: ReadonlyMap<Tracked, Listed>,
  all: Tracked[],
): Map<Tracked, Listed> {
  const found = new Map<Tracked, Listed>();
  const distinct = listed.filter((one, index) =>
    listed.findIndex((other) => isSame(one, other)) === index
  );
  const open = new Set(distinct);
  const match = (pool: readonly Tracked[], key: (one: Followed) => string) => {
    const free = Map.groupBy(
      pool.filter((site) => !found.has(site)),
      (site) => key({ ...site, file: site.files[0]! }),
    );
    const wanted = Map.groupBy(open, key);
    for (const [value, [one, ...others]] of wanted) {
      const [site, ...more] = free.get(value) ?? [];
      if (site === undefined || others.length + more.length > 0 || value === "") continue;
      found.set(site, one!);
      open.delete(one!);
    }
  };
  const present = [...active.keys()];
  const gone = all.filter((site) => !active.has(site));
  const name = (one: Followed) => one.name;
  const both = (one: Followed) => `${one.name}\n${one.address}`;
  const address = (one: Followed) => one.address;
  for (const key of [both, name, (one: Followed) => one.file, address]) match(present, key);
  for (const key of [both, name, address]) match(gone, key);
  for (const one of open) {
    const site = { ...one, slug: "", files: [one.file], isArchived: false, places: [] };
    all.push(site);
    found.set(site, one);
  }
  for (const [site, { name, url, address, file }] of found) {
    Object.assign(site, { name, url, address });
    site.files = [file, ...site.files.filter((one) => one !== file)];
  }
  return found;
}

/**
 * The slug of an imported site: that of its files in Upptime, or of its name if these can't be used. A further site
 * with the same one gets a number.
 */
function newSlug({ files: [file = ""], name }: Tracked, taken: Set<string>): string {
  const isUsable = (slug: string) =>
    slug !== "" && slugWithBrackets(slug) === slug.toLowerCase() &&
    countBytes(slug) <= SLUG_BYTES && !taken.has(slug.toLowerCase());
  const named = toSlug(name);
  const isTaken = taken.has((file || named).toLowerCase());
  let slug = isTaken ? undefined : [file, named].find(isUsable);
  for (let number = 2; slug === undefined; number++) {
    const numbered = numberedSlug(
      [file, named].find((one) => one !== "" && one === toSlug(one)) ?? "",
      number,
    );
    if (isUsable(numbered)) slug = numbered;
  }
  // Some file systems ignore case.
  taken.add(slug.toLowerCase());
  return slug;
}

/** A slug of letters, digits and hyphens only, with a number; letters of some scripts have marks. */
export function numberedSlug(slug: string, number: number): string {
  const plain = slug.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  return `${plain || "site"}-${number}`;
}

/** Finds the site of a version by the configuration that was in force when it was committed. */
function attribution(
  steps: readonly { committed: number; sites: ReadonlyMap<Tracked, Listed> }[],
  all: Tracked[],
  taken: Set<string>,
): IdentifiedSites["siteOf"] {
  const known = new Map<string, Tracked>();
  return ({ file, committed, isInRoot, check }) => {
    if (isInRoot && TEMPLATE.has(file)) return "template";
    const url = check?.url ?? "";
    const after = steps.findIndex((step) => step.committed > committed);
    const at = Math.max(0, (after === -1 ? steps.length : after) - 1);
    const key = `${at}\n${file}\n${url}`;
    const site = known.get(key) ?? nearest(steps, at, file, url) ?? findByUrl(steps, url) ??
      addUnlisted(file, url, all, taken);
    known.set(key, site);
    return site;
  };
}

/**
 * The site that a version of the configuration lists for a file: the only one, or the one with the address if several
 * share the file. The versions of the configuration are searched from the one in force outwards: a check may have
 * started before a change that was committed first.
 */
function nearest(
  steps: readonly { sites: ReadonlyMap<Tracked, Listed> }[],
  at: number,
  file: string,
  url: string,
): Tracked | undefined {
  const order = steps.map((_, index) => index)
    .sort((one, other) => Math.abs(one - at) - Math.abs(other - at) || one - other);
  let shared: Tracked | undefined;
  for (const index of order) {
    const listed = [...steps[index]?.sites ?? []].filter(([, one]) => one.file === file);
    if (listed.length === 1) return listed[0]![0];
    const exact = listed.find(([, one]) => one.url === url);
    if (exact !== undefined) return exact[0];
    shared ??= listed[0]?.[0];
  }
  return shared;
}

/** The only site that any version of the configuration lists with an address. */
function findByUrl(
  steps: readonly { sites: ReadonlyMap<Tracked, Listed> }[],
  url: string,
): Tracked | undefined {
  const found = new Set(
    steps.flatMap(({ sites }) =>
      [...sites].flatMap(([site, listed]) => url !== "" && listed.url === url ? [site] : [])
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/** A site that no version of the configuration lists: it is known by its file alone. */
function addUnlisted(file: string, url: string, all: Tracked[], taken: Set<string>): Tracked {
  const same = all.find((one) =>
    one.places.length === 0 && one.files[0] === file && one.name === file
  );
  if (same !== undefined) return same;
  const site: Tracked = {
    ...{ name: file, url, address: url, slug: "", files: [file] },
    ...{ isArchived: true, places: [] },
  };
  site.slug = newSlug(site, taken);
  all.push(site);
  return site;
}
