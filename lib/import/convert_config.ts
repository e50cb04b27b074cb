import type { Notification } from "../config/channels/keys.ts";
import { parseConfig } from "../config/parse.ts";
import { hostAndPort } from "../config/checks/hosts.ts";
import { NO_RECORDS } from "../config/slug.ts";
import { isMap } from "../config/document.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import { findKey, type KeySpan } from "../config/yaml/positions.ts";
import type { Problem } from "../io/problem.ts";
import type { ImportedSite } from "./identify_sites.ts";

export interface ConvertedConfig {
  text: string;
  /** Changes to the text, one sentence each. */
  changes: string[];
  /** Problems that are left, such as an address that never worked. */
  problems: Problem[];
}

/**
 * Converts Upptime's configuration: lines and comments stay in their place, except those that have to change. Keys
 * that Upptime ignored are commented out, because here they would cause a warning or have an effect. `channels` are those
 * that secrets set up.
 */
export async function convertConfig(
  source: string,
  { sites, channels, recorded, keepsGraphs }: {
    sites: readonly ImportedSite[];
    channels: readonly Notification[];
    /** Slugs that have a record after the import. */
    recorded: readonly string[];
    /** True if the graphs stay on the branch. */
    keepsGraphs: boolean;
  },
): Promise<ConvertedConfig> {
  const changes: string[] = [];
  let text = source;
  const prefixed = replaceEmoji(text);
  if (prefixed !== text) changes.push("$EMOJI in commitMessages.statusChange is now $PREFIX");
  text = prefixed;
  const dead = await withoutDeadKeys(text);
  text = dead.text;
  changes.push(...dead.changes);
  const ports = await addPorts(text);
  text = ports.text;
  changes.push(...ports.changes);
  const twice = await withoutTwins(text, sites);
  text = twice.text;
  changes.push(...twice.changes);
  const slugs = await addSlugs(text, twice.sites, recorded);
  text = slugs.text;
  changes.push(...slugs.changes);
  if (channels.length > 0 && !await hasKey(text, "notifications")) {
    text = append(text, renderChannels(channels));
    changes.push(
      `notifications: lists ${channels.map(({ type }) => type).join(", ")}, which secrets set up`,
    );
  }
  if (keepsGraphs && !await hasKey(text, "graphs")) {
    text = append(text, GRAPHS_STAY);
    changes.push("graphs.branch is same, so that addresses of graphs stay");
  }
  const { problems } = await parseConfig(text, [], recordsOf(recorded));
  return { text, changes, problems: problems.filter(({ severity }) => severity !== "notice") };
}

/** Port of a `tcp-ping` of Upptime that names none. */
const UPPTIME_PORT = 80;

const GRAPHS_STAY =
  "# Graphs stay on this branch, so that their addresses stay; without this key they move to a branch of their own.\ngraphs:\n  branch: same\n";

/** A configuration of ours without the key with which an earlier import kept the graphs on the branch. */
export function withoutKeptGraphs(text: string): string {
  return text.replace(`\n${GRAPHS_STAY}`, "");
}

/** True if a document has a key, also one that the parser with positions can't reach. */
async function hasKey(text: string, key: string): Promise<boolean> {
  const { document } = await readYaml(text);
  return isMap(document) && Object.hasOwn(document, key);
}

function recordsOf(recorded: readonly string[]) {
  return { ...NO_RECORDS, recorded };
}

function replaceEmoji(text: string): string {
  const span = findKey(text, ["commitMessages", "statusChange"]);
  if (span === undefined) return text;
  const inside = text.slice(span.start, span.end).replaceAll(/\$EMOJI\b/g, "$PREFIX");
  return text.slice(0, span.start) + inside + text.slice(span.end);
}

/** Comments out keys that Upptime never read: unknown ones, and channels that were never complete. */
async function withoutDeadKeys(source: string): Promise<{ text: string; changes: string[] }> {
  const changes: string[] = [];
  let text = source;
  const { problems } = await parseConfig(source);
  const paths = problems.flatMap(({ path, message, severity }): Problem["path"][] => {
    if (severity === "notice") return [];
    const block = path.indexOf("notifications");
    if (block !== -1) return [path.slice(0, block + 1)];
    return /^(?:unknown key|has no effect)/.test(message) ? [path] : [];
  });
  // It would apply to every site; in configurations of Upptime it only holds anchors.
  if (await hasKey(source, "defaults")) paths.push(["defaults"]);
  const done = new Set<string>();
  for (const path of paths) {
    const name = path.join(".");
    const span = done.has(name) ? undefined : findKey(text, path);
    done.add(name);
    if (span === undefined || !isAlone(text, span)) continue;
    if (name === "PAT") {
      text = commentOut(text, span, "A token does not belong in a file: revoke it.");
      changes.push(
        "PAT is commented out: others can read a token in a file; revoke it, and save a new one as the secret HOST_PAT",
      );
      continue;
    }
    const without = commentOut(text, span, "Upptime never read this, so it is switched off:");
    if ((await readYaml(without)).problem === undefined) {
      text = without;
      changes.push(`${name} is commented out: Upptime never read it, so it never had an effect`);
    } else {
      const key = span.start + (/["']/.test(text[span.start]!) ? 1 : 0);
      text = `${text.slice(0, key)}x-${text.slice(key)}`;
      changes.push(`${name} now starts with x-: Upptime never read it, but other keys refer to it`);
    }
  }
  const used = await listNewKeys(text);
  if (used.length > 0) {
    const [stay, them, are] = used.length === 1
      ? ["stays as it is", "it", "it is"]
      : ["stay as they are", "them", "they are"];
    changes.push(
      `${used.join(", ")}: ${stay}; Upptime never read ${them}, and from now on ${are} used`,
    );
  }
  return { text, changes };
}

/** Keys that Upptime reads, at the top and of a site. */
const TOP_KEYS = new Set([
  ..."owner repo user-agent userAgent PAT sites assignees delay status-website runner".split(" "),
  ..."workflowSchedule commitMessages summaryStartHtmlComment summaryEndHtmlComment".split(" "),
  ..."commitPrefixStatusUp commitPrefixStatusDown commitPrefixStatusDegraded i18n".split(" "),
  ..."liveStatusHtmlComment skipDeleteIssues skipDescriptionUpdate skipTopicsUpdate".split(" "),
  ..."skipHomepageUpdate skipPoweredByReadme skipGeneratingWebsite secrets".split(" "),
  ..."customStatusWebsitePackage graphBackgroundColor graphBorderColor".split(" "),
  "hasDisabledAutomatedIssues",
]);
const SITE_KEYS = new Set([
  ..."name slug url type location check method headers body port ipv6 assignees tags".split(" "),
  ..."expectedStatusCodes maxResponseTime maxRedirects maxRetries connectTimeout".split(" "),
  ..."requestTimeout icon verbose".split(" "),
]);

/** The keys that only this program reads, by their paths. */
async function listNewKeys(text: string): Promise<string[]> {
  const { document } = await readYaml(text);
  const listNew = (map: unknown, known: ReadonlySet<string>) =>
    (isMap(map) ? Object.keys(map) : []).filter((key) =>
      !known.has(key) && !/^(?:x-|__dangerous__|<<$)/.test(key)
    );
  const sites = isMap(document) && Array.isArray(document["sites"]) ? document["sites"] : [];
  return [
    ...listNew(document, TOP_KEYS),
    ...sites.flatMap((site, index) =>
      listNew(site, SITE_KEYS).map((key) => `sites.${index}.${key}`)
    ),
  ];
}

/** True if a key is the first thing on its line. */
function isAlone(text: string, { start, isFlow }: KeySpan): boolean {
  return !isFlow && /(?:^|\n)[ ]*$/.test(text.slice(0, start));
}

function commentOut(text: string, { start, end }: KeySpan, note: string): string {
  const from = text.lastIndexOf("\n", start) + 1;
  const next = text.indexOf("\n", end);
  const to = next === -1 ? text.length : next;
  const indent = text.slice(from, start);
  const lines = text.slice(from, to).split("\n").map((line) =>
    `${indent}# ${line.startsWith(indent) ? line.slice(indent.length) : line}`.trimEnd()
  );
  return [text.slice(0, from), `${indent}# ${note}\n`, lines.join("\n"), text.slice(to)].join("");
}

/** Adds the port that Upptime connected to if a `tcp-ping` has none, so that the check stays the same. */
async function addPorts(source: string): Promise<{ text: string; changes: string[] }> {
  const changes: string[] = [];
  let text = source;
  const { document } = await readYaml(source);
  const items = isMap(document) && Array.isArray(document["sites"]) ? document["sites"] : [];
  for (const [place, site] of items.entries()) {
    if (!isMap(site) || site["check"] !== "tcp-ping" || Object.hasOwn(site, "port")) continue;
    const url = String(site["url"] ?? "");
    if (hostAndPort(url).port !== undefined || url.includes("://")) continue;
    const changed = setKey(text, place, "port", String(UPPTIME_PORT));
    if (changed === undefined) continue;
    text = changed;
    changes.push(
      `the site "${
        site["name"]
      }" has port: ${UPPTIME_PORT}, to which Upptime's tcp-ping connects without a port`,
    );
  }
  return { text, changes };
}

/** Comments out the further entries of sites that are listed twice; the places of the others follow. */
async function withoutTwins(
  source: string,
  sites: readonly ImportedSite[],
): Promise<{ text: string; changes: string[]; sites: readonly ImportedSite[] }> {
  const { document } = await readYaml(source);
  const items = isMap(document) && Array.isArray(document["sites"]) ? document["sites"] : [];
  const twins = sites.flatMap(({ name, places: [first, ...others] }) =>
    others.filter((place) => JSON.stringify(items[place]) === JSON.stringify(items[first!]))
      .map((place) => ({ name, place, keys: Object.keys(items[place]) }))
  ).sort((one, other) => other.place - one.place);
  const changes: string[] = [];
  const removed: number[] = [];
  let text = source;
  for (const { name, place, keys } of twins) {
    const span = findItem(text, place, keys);
    if (span === undefined) continue;
    text = commentOut(text, span, "The same site is listed above, so this is switched off:");
    changes.unshift(
      `the site "${name}" is listed again with the same keys: that entry is commented out`,
    );
    removed.push(place);
  }
  const move = (place: number) => place - removed.filter((one) => one < place).length;
  const left = sites.map((site) => ({
    ...site,
    places: site.places.filter((place) => !removed.includes(place)).map(move),
  }));
  return { text, changes, sites: left };
}

/** Finds an entry of `sites` with its hyphen; `undefined` if other entries share its lines or depend on it. */
function findItem(text: string, place: number, keys: readonly string[]): KeySpan | undefined {
  const spans = keys.flatMap((key) => findKey(text, ["sites", place, key]) ?? []);
  if (spans.length < keys.length) return undefined;
  const first = Math.min(...spans.map(({ start }) => start));
  const last = Math.max(...spans.map(({ end }) => end));
  const start = text.lastIndexOf("\n", first) + 1;
  const next = text.indexOf("\n", last);
  const lines = text.slice(start, next === -1 ? text.length : next);
  const isWhole = spans.some(({ isFlow }) => isFlow)
    ? /^ *- *\{[^{}\n]*\}\s*(?:#.*)?$/.test(lines)
    : /^ *- +\w/.test(lines);
  const hyphen = start + lines.indexOf("-");
  return isWhole && !/[&]\w/.test(lines) ? { start: hyphen, end: last, isFlow: false } : undefined;
}

/** Adds `slug:` to the sites that would get another one than their history has, or a warning. */
async function addSlugs(
  source: string,
  sites: readonly ImportedSite[],
  recorded: readonly string[],
): Promise<{ text: string; changes: string[] }> {
  const changes: string[] = [];
  let text = source;
  const { config, problems } = await parseConfig(source, [], recordsOf(recorded));
  const read = new Map((config?.sites ?? []).map((site) => [`${site.name}\n${site.url}`, site]));
  const numbered = new Set(
    problems.flatMap(({ path, message }) => / is already used by /.test(message) ? [path[1]] : []),
  );
  const taken = new Set(sites.map(({ slug }) => slug));
  for (const { name, url, slug, places } of sites) {
    const isRead = (read.get(`${name.trim()}\n${url}`)?.slug ?? slug) === slug;
    for (const [index, place] of places.entries()) {
      let wanted = slug;
      for (let number = 2; index > 0 && taken.has(wanted); number++) wanted = `${slug}-${number}`;
      taken.add(wanted);
      const isSet = index === 0 && (isRead || places.length > 1) && !numbered.has(place);
      if (isSet) continue;
      const changed = setKey(text, place, "slug", JSON.stringify(wanted));
      if (changed === undefined) {
        changes.push(`the site "${name}" needs slug: ${wanted} for its history: add it by hand`);
        continue;
      }
      if (changed === text) continue;
      text = changed;
      changes.push(
        index === 0
          ? `the site "${name}" has slug: ${wanted}, under which its history is kept`
          : `the site "${name}" is listed again: that entry has slug: ${wanted} and no past; remove one of the two`,
      );
    }
  }
  return { text, changes };
}

/** Sets a key of a site, after its name; `undefined` if the name has no place in the text. */
function setKey(text: string, place: number, key: string, value: string): string | undefined {
  const line = `${key}: ${value}`;
  const own = findKey(text, ["sites", place, key]);
  if (own !== undefined) return text.slice(0, own.start) + line + text.slice(own.end);
  const name = findKey(text, ["sites", place, "name"]);
  if (name === undefined) return undefined;
  const { start, end, isFlow } = name;
  if (isFlow) return `${text.slice(0, end)}, ${line}${text.slice(end)}`;
  const indent = " ".repeat(start - text.lastIndexOf("\n", start - 1) - 1);
  const next = text.indexOf("\n", end);
  const at = next === -1 ? text.length : next;
  const isWindows = text[at - 1] === "\r";
  return `${text.slice(0, at)}\n${indent}${line}${isWindows ? "\r" : ""}${text.slice(at)}`;
}

function append(text: string, part: string): string {
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${end}\n${part}`;
}

/** Channels as YAML; every text is quoted, and so means itself. */
function renderChannels(channels: readonly Notification[]): string {
  const lines = channels.flatMap((channel) =>
    Object.entries(channel).map(([key, value], index) =>
      `${index === 0 ? "  - " : "    "}${key}: ${JSON.stringify(value)}`
    )
  );
  return ["# From the secrets with which Upptime sent alerts.", "notifications:", ...lines, ""]
    .join("\n");
}
