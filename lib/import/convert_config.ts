import type { Notification } from "../config/channels/keys.ts";
import { parseConfig } from "../config/parse.ts";
import { hostAndPort } from "../config/checks/hosts.ts";
import { NO_RECORDS } from "../config/slug.ts";
import { isMap } from "../config/document.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import { findKey } from "../config/yaml/positions.ts";
import type { Problem } from "../io/problem.ts";
import { joinFirst } from "../text/words.ts";
import { type Change, switchOff } from "./comment_out.ts";
import { withoutDeadKeys } from "./dead_keys.ts";
import { withoutFaults } from "./without_faults.ts";
import { type ImportedSite, numberedSlug } from "./identify_sites.ts";

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
    keepsGraphs: boolean;
  },
): Promise<ConvertedConfig> {
  const changes: Change[] = [];
  const add = (change: string) => changes.push({ describe: () => change });
  let text = replaceEmoji(source);
  if (text !== source) add("$EMOJI in commitMessages.statusChange is now $PREFIX");
  const dead = await withoutDeadKeys(text, text.includes(GRAPHS_STAY) ? ["graphs"] : []);
  const ports = await addPorts(dead.text);
  const twice = await withoutTwins(ports.text, sites);
  const slugs = await addSlugs(twice.text, twice.sites, recorded);
  const sound = await withoutFaults(slugs.text, recordsOf(recorded), addPorts);
  text = sound.text;
  for (const { changes: own } of [dead, ports, twice, slugs, sound]) changes.push(...own);
  if (channels.length > 0 && !await hasKey(text, "notifications")) {
    text = await append(text, renderChannels(channels), { notifications: channels });
    add(
      `notifications: lists ${channels.map(({ type }) => type).join(", ")}, which secrets set up`,
    );
  }
  if (keepsGraphs && !await hasKey(text, "graphs")) {
    text = await append(text, GRAPHS_STAY, { graphs: { branch: "same" } });
    add("graphs.branch is same, so that addresses of graphs stay");
  }
  const { problems } = await parseConfig(text, [], recordsOf(recorded));
  return {
    text,
    changes: describeChanges(changes),
    problems: problems.filter(({ severity }) => severity !== "notice"),
  };
}

const MOST_SITES = 5;

/** One sentence for each kind of change, with the sites that have it. */
function describeChanges(changes: readonly Change[]): string[] {
  return [...Map.groupBy(changes, ({ describe }) => describe("")).values()].map((group) => {
    const sites = [...new Set(group.flatMap(({ site }) => site ?? []))];
    const [{ describe }] = group as [Change];
    if (sites.length === 0) return describe("");
    return describe(
      sites.length === 1
        ? ` of the site ${sites[0]}`
        : ` of ${sites.length} sites (${joinFirst(sites, MOST_SITES)})`,
    );
  });
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

/** Adds the port that Upptime connected to if a `tcp-ping` has none, so that the check stays the same. */
async function addPorts(source: string): Promise<{ text: string; changes: Change[] }> {
  const changes: Change[] = [];
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
    changes.push({
      site: JSON.stringify(String(site["name"])),
      describe: (of) =>
        `port: ${UPPTIME_PORT}${of} is new: Upptime's tcp-ping connects to it if no port is set`,
    });
  }
  return { text, changes };
}

/** Comments out the further entries of sites that are listed twice; the places of the others follow. */
async function withoutTwins(
  source: string,
  sites: readonly ImportedSite[],
): Promise<{ text: string; changes: Change[]; sites: readonly ImportedSite[] }> {
  const { document } = await readYaml(source);
  const items = isMap(document) && Array.isArray(document["sites"]) ? document["sites"] : [];
  const twins = sites.flatMap(({ name, places: [first, ...others] }) =>
    others.filter((place) => JSON.stringify(items[place]) === JSON.stringify(items[first!]))
      .map((place) => ({ name, place, path: ["sites", place], note: TWIN }))
  );
  const { text, commented } = await switchOff(source, twins);
  const removed = commented.map(({ place }) => place);
  const move = (place: number) => place - removed.filter((one) => one < place).length;
  const left = sites.map((site) => ({
    ...site,
    places: site.places.filter((place) => !removed.includes(place)).map(move),
  }));
  const changes = commented.map(({ name }): Change => ({
    site: JSON.stringify(name),
    describe: (of) => `another entry${of} with the same keys is commented out`,
  }));
  return { text, changes, sites: left };
}

const TWIN = "The same site is listed above, so this is switched off:";

/** Adds `slug:` to the sites that would get another one than their history has, or a warning. */
async function addSlugs(
  source: string,
  sites: readonly ImportedSite[],
  recorded: readonly string[],
): Promise<{ text: string; changes: Change[] }> {
  const changes: Change[] = [];
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
      for (let number = 2; index > 0 && taken.has(wanted); number++) {
        wanted = numberedSlug(slug, number);
      }
      taken.add(wanted);
      const isSet = index === 0 && (isRead || places.length > 1) && !numbered.has(place);
      if (isSet) continue;
      const changed = setKey(text, place, "slug", JSON.stringify(wanted));
      if (changed === text) continue;
      text = changed ?? text;
      changes.push({
        site: `${JSON.stringify(name)} (${wanted})`,
        describe: changed === undefined
          ? (of) => `slug:${of} is needed for the history: add it by hand`
          : index === 0
          ? (of) => `slug:${of} is new: the history is kept under it`
          : (of) => `slug:${of} is new: the same site is listed again, without a past; remove one`,
      });
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

/** Appends a part, which a configuration between brackets takes in. */
async function append(text: string, part: string, meant: Record<string, unknown>): Promise<string> {
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  const appended = `${text}${end}\n${part}`;
  if ((await readYaml(appended)).problem === undefined) return appended;
  const inside = JSON.stringify(meant, null, 1).replaceAll(/\n\s*/g, " ").slice(1, -1).trim();
  return text.replace(
    /,?\s*\}(?=\s*(?:#.*\s*)*$)/,
    (close) => `,\n  ${inside}\n${close.trim().slice(-1)}`,
  );
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
