import type { Site } from "../config/config.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { Snapshot } from "../history/store/store.ts";
import { type Incident, incidentPath, listIncidents, parseIncident } from "../history/incident.ts";
import type { Memory } from "./memory.ts";
import type { HistoryRecord } from "../history/record.ts";

/** What is known of incidents before a run decides. */
export interface KnownIncidents {
  /** Those that go on, by id. */
  incidents: ReadonlyMap<string, Incident>;
  /** Those that have ended and may get a number, or go on again, by id. */
  ended: ReadonlyMap<string, Incident>;
  /** Ids that are in use. */
  incidentIds: ReadonlySet<string>;
  /** Those whose file does not tell the number of their issue yet. */
  unnumbered: ReadonlySet<string>;
}

/** Where incidents are known from. */
export interface IncidentSources {
  /** Records of the sites that are looked at, by slug. */
  records: ReadonlyMap<string, HistoryRecord>;
  sites: readonly Site[];
  /** Records of sites that are gone. */
  gone: ReadonlyMap<string, HistoryRecord>;
  /** What runs before remember; absent where they do not. */
  memory?: Pick<Memory, "outbox" | "sites">;
  /** Start of the run. */
  time: Temporal.Instant;
}

/** Reads the incidents that a run has to know, and returns the paths of those that can't be read. */
export async function knownIncidents(
  snapshot: Snapshot,
  { records, sites, gone, memory, time }: IncidentSources,
): Promise<KnownIncidents & { unreadable: string[] }> {
  const ids = await listIncidents(snapshot);
  const recorded = new Set(
    [...records.values(), ...gone.values()].flatMap(({ incident }) => incident ?? []),
  );
  const numbers = issueNumbers(memory?.outbox ?? []);
  const recovered = sites.filter((site) => {
    const failingSince = memory?.sites[site.slug]?.failing?.since;
    return hasJustRecovered(site, records.get(site.slug), failingSince ?? time);
  });
  const wanted = new Set([...recorded, ...numbers.keys(), ...lastIdsOf(recovered, sites, ids)]);
  const files = await snapshot.read([...wanted].map(incidentPath));
  const [incidents, ended] = [new Map<string, Incident>(), new Map<string, Incident>()];
  const unnumbered = new Set<string>();
  const unreadable: string[] = [];
  for (const id of wanted) {
    const path = incidentPath(id);
    const text = files.get(path);
    if (text === undefined) continue;
    const read = parseIncident(text);
    if (read === undefined) {
      if (recorded.has(id)) unreadable.push(path);
      continue;
    }
    const issue = numbers.get(id) ?? read.issue;
    if (issue !== read.issue) unnumbered.add(id);
    const incident = { ...read, issue };
    if (incident.end !== undefined) ended.set(id, incident);
    else if (recorded.has(id)) incidents.set(id, incident);
  }
  for (const [id, incident] of await otherCauses(snapshot, { incidents, ended }, ids)) {
    (incident.end === undefined ? incidents : ended).set(id, incident);
  }
  return {
    incidents,
    ended,
    incidentIds: new Set(ids),
    unnumbered,
    unreadable,
  };
}

/** Incidents to which others are put down, of sites that have ended theirs since or are not looked at. */
async function otherCauses(
  snapshot: Snapshot,
  { incidents, ended }: Pick<KnownIncidents, "incidents" | "ended">,
  ids: readonly string[],
): Promise<[id: string, incident: Incident][]> {
  const causes = new Set([...incidents.values()].flatMap(({ cause }) => cause ?? []));
  const missing = ids.filter((id) => causes.has(id) && !incidents.has(id) && !ended.has(id));
  if (missing.length === 0) return [];
  const files = await snapshot.read(missing.map(incidentPath));
  return missing.flatMap((id): [string, Incident][] => {
    const incident = parseIncident(files.get(incidentPath(id)) ?? "");
    return incident === undefined ? [] : [[id, incident]];
  });
}

/** The numbers of issues that carriers have told, by incident; the last one counts. */
export function issueNumbers(outbox: readonly Entry[]): Map<string, number> {
  return new Map(
    outbox.flatMap(({ line, done }): [string, number][] => {
      const issue = done?.receipt?.["issue"];
      return line !== undefined && typeof issue === "number" ? [[line, issue]] : [];
    }),
  );
}

function hasJustRecovered(
  { reopenWithin }: Site,
  record: HistoryRecord | undefined,
  time: Temporal.Instant,
): boolean {
  if (record === undefined || record.incident !== undefined) return false;
  return isWithin(reopenWithin, record.since, time);
}

/** The last ids that may be of incidents of sites, going by their names; a few, because a name can fit two sites. */
function lastIdsOf(
  recovered: readonly Site[],
  sites: readonly Site[],
  ids: readonly string[],
): string[] {
  return recovered.flatMap(({ slug }) => {
    const own = ids.map((id) => ({ id, name: /^(\d{4}-\d\d-\d\d)-(.+)$/s.exec(id) }))
      .flatMap(({ id, name }) => {
        const number = name === null ? undefined : incidentNumber(name[2]!, slug);
        return number === undefined ? [] : [{ id, day: name![1]!, number }];
      });
    own.sort((one, other) => one.day.localeCompare(other.day) || one.number - other.number);
    const fitting = sites.filter((site) => incidentNumber(site.slug, slug) !== undefined).length;
    return own.slice(-4 * fitting).map(({ id }) => id);
  });
}

/** The number of an incident among those of its site and day, given its name without the day; `undefined` if it is of another site. */
export function incidentNumber(name: string, slug: string): number | undefined {
  if (name === slug) return 1;
  const rest = name.startsWith(`${slug}-`) ? name.slice(slug.length + 1) : "";
  return /^[2-9]$|^[1-9]\d+$/.test(rest) ? Number(rest) : undefined;
}

/** The incident of a site that ended so short a time before a new failure that this belongs to it. */
export function endedJustBefore(
  ended: ReadonlyMap<string, Incident>,
  { slug, reopenWithin }: Pick<Site, "slug" | "reopenWithin">,
  since: Temporal.Instant,
): [id: string, incident: Incident] | undefined {
  return [...ended].filter(([, incident]) =>
    incident.slug === slug && isWithin(reopenWithin, incident.end!, since)
  ).sort(([, one], [, other]) => Temporal.Instant.compare(one.end!, other.end!)).at(-1);
}

/** Whether no more than some milliseconds lie between two moments; also where a clock was set back meanwhile. */
function isWithin(milliseconds: number, from: Temporal.Instant, to: Temporal.Instant): boolean {
  return to.since(from).total("milliseconds") <= milliseconds;
}
