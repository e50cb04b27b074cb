import type { Incident } from "../history/incident.ts";
import { shortHash } from "../text/words.ts";
import { formatTime, isBefore } from "../time.ts";
import {
  eventId,
  type GroupedIncident,
  type IncidentEvent,
  type SharedIssueEvent,
} from "./incident_event.ts";

/**
 * Incidents in an hour that get issues of their own. GitHub allows about 500 issues and 1,000 requests an hour, and
 * an issue takes up to four requests.
 */
export const MOST_ISSUES = 100;

/** Groups with an issue of their own; the incidents of more groups share a single one. */
const MOST_GROUPS = 50;

/**
 * Assigns incidents that have just been opened to shared issues, one for each group, if more than
 * {@linkcode MOST_ISSUES} were opened within an hour. A group whose shared issue has an open incident keeps using it.
 * Returns the changed incidents by id.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseIncident } from "../history/incident.ts";
 * const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const incident = parseIncident(`slug: shop\nkind: down\nstart: ${time}\nconfirmed: ${time}\n`)!;
 * const opened = Array.from({ length: 101 }, (_, index) => ({ id: `${index}`, incident, group: "Shops" }));
 * const shared = [...shareIssues(opened, { known: [], time }).values()].map(({ shared }) => shared);
 * assertEquals([shared.length, new Set(shared).size], [101, 1]);
 * assertEquals(shareIssues(opened.slice(1), { known: [], time }).size, 0);
 * ```
 */
export function shareIssues(
  opened: readonly GroupedIncident[],
  { known, time }: {
    /** Incidents that were opened before, at least those that are open. */
    known: readonly GroupedIncident[];
    time: Temporal.Instant;
  },
): Map<string, Incident> {
  const since = time.subtract({ hours: 1 });
  const recent = known.filter(({ incident: { cause, confirmed } }) =>
    cause === undefined && !isBefore(confirmed, since)
  );
  if (opened.length + recent.length <= MOST_ISSUES) return new Map();
  const isSingle = new Set(opened.map(({ group }) => group)).size > MOST_GROUPS;
  const inUse = new Map<string, number | undefined>();
  for (const { incident: { shared, end, issue } } of known) {
    if (shared !== undefined && end === undefined) inUse.set(shared, issue ?? inUse.get(shared));
  }
  const findShared = (group = ""): Pick<Incident, "shared" | "issue"> => {
    const name = isSingle ? ALL : shortHash(group);
    const [shared, issue] = [...inUse].find(([issue]) => issue.endsWith(`-${name}`)) ??
      [`${formatTime(time).slice(0, 16).replace(":", "-")}-shared-${name}`];
    // Its number is in no outbox any more if it was opened long ago.
    return { shared, ...issue === undefined ? {} : { issue } };
  };
  return new Map(
    opened.map(({ id, incident, group }) => [id, { ...incident, ...findShared(group) }]),
  );
}

/** End of the id of an issue that the incidents of all groups share. */
const ALL = "all";

/**
 * Plans the changes to shared issues by the events of their incidents: an issue is opened with the list of its
 * sites, gets a comment at most once an hour while sites fail or recover, and closes with its last incident. If a
 * person has closed it, it stays closed until another site joins: a new failure that nobody has seen.
 */
export function planSharedIssues(
  events: readonly IncidentEvent[],
  { incidents, isTracked, isPlanned, time }: {
    /** Incidents after the run, at least the open ones. */
    incidents: readonly GroupedIncident[];
    /** True if an issue was or will be opened. */
    isTracked(issue: string): boolean;
    /** True if an effect of this id was planned before. */
    isPlanned(effect: string): boolean;
    time: Temporal.Instant;
  },
): SharedIssueEvent[] {
  const byIssue = Map.groupBy(events, ({ incident }) => incident.shared!);
  return [...byIssue].flatMap(([issue, own]): SharedIssueEvent[] => {
    const open = incidents.filter(({ incident }) =>
      incident.shared === issue && incident.end === undefined
    );
    const group = issue.endsWith(`-${ALL}`) ? undefined : open[0]?.group ?? own[0]!.site?.group;
    const number = [...own, ...open].find(({ incident }) => incident.issue !== undefined)
      ?.incident.issue;
    const starts = (open.length > 0 ? open : own).map(({ incident }) => incident.start);
    const start = starts.sort(Temporal.Instant.compare)[0]!;
    const common = { issue, group, number, start, open };
    if (!isTracked(issue) && number === undefined) {
      return open.length === 0 ? [] : [{ action: "open", id: `${issue}/open`, ...common }];
    }
    const reopening = own.find(({ action }) => action === "reopen");
    if (reopening !== undefined && open.length > 0) {
      return [{ action: "reopen", id: `${issue}/${eventId(reopening)}`, ...common }];
    }
    if (!own.some(({ action }) => action === "close" || action === "open")) return [];
    if (open.length === 0) {
      return [{ action: "close", id: `${issue}/close@${formatTime(time)}`, ...common }];
    }
    const closed = own.some(({ action }) => action === "open") ? findClosing(own, open) : undefined;
    if (closed !== undefined) {
      const id = `${issue}/reopen@${formatTime(closed)}`;
      if (!isPlanned(id)) return [{ action: "reopen", id, ...common }];
    }
    return [{
      action: "update",
      id: `${issue}/changed@${formatTime(time).slice(0, 13)}`,
      ...common,
    }];
  });
}

/** Finds when a person has closed an issue before incidents of a run joined it; `undefined` if nobody has. */
function findClosing(
  events: readonly IncidentEvent[],
  open: readonly GroupedIncident[],
): Temporal.Instant | undefined {
  const joining = new Set(events.flatMap(({ action, id }) => action === "open" ? [id] : []));
  return open.filter(({ id }) => !joining.has(id))
    .flatMap(({ incident }) => incident.acknowledgements)
    .flatMap(({ way, at }) => way === "closing" ? [at] : [])
    .sort(Temporal.Instant.compare).at(-1);
}
