import * as v from "valibot";
import type { HistoryFiles } from "./store/store.ts";
import { utcDay } from "../time.ts";
import { readYaml, storedUpdates, time, updatesText, yamlLines } from "./yaml_file.ts";

/** Folder of the files of incidents, maintenance windows and manual incidents. */
export const INCIDENTS_FOLDER = "history/incidents";

const ACKNOWLEDGEMENT = v.object({
  at: time(),
  /** Login on GitHub, or the name that was given to the command. */
  by: v.string(),
  /** `channel`: in the app of Pushover, which earlier versions asked. */
  way: v.picklist(["comment", "assignee", "reaction", "closing", "command", "channel"]),
  /** State of the site as it was known then; a degraded site that is down is worse. */
  state: v.picklist(["down", "degraded"]),
  /** Time until which it is in effect; absent if it lasts as long as the outage. */
  until: v.optional(time()),
  /** Its end before that time, and the reason. */
  ended: v.optional(time()),
  why: v.fallback(v.optional(v.picklist(["worse", "unassigned"])), undefined),
});

/** An acknowledgement of an incident by a person. */
export type Acknowledgement = v.InferOutput<typeof ACKNOWLEDGEMENT>;

const STORED_INCIDENT = v.object({
  slug: v.string(),
  /** The worst state so far. */
  kind: v.picklist(["down", "degraded"]),
  /** The first failing attempt. */
  start: time(),
  confirmed: time(),
  /** The first successful attempt; absent while the incident is open. */
  end: v.optional(time()),
  code: v.fallback(v.number(), 0),
  /** Plain text, secrets redacted. */
  error: v.fallback(v.string(), ""),
  /** Remaining validity of the certificate in words, if the site was degraded because of it. */
  expiry: v.fallback(v.optional(v.string()), undefined),
  attempts: v.fallback(v.number(), 1),
  issue: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))), undefined),
  /** Numbers of further issues about it, which lead to it as well. */
  furtherIssues: v.fallback(
    v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(1)))),
    undefined,
  ),
  /** Name of the issue that it shares with other incidents of a group; absent if it has its own. */
  shared: v.fallback(v.optional(v.string()), undefined),
  reopened: v.fallback(v.array(time()), []),
  /** Its end before each of {@linkcode Incident.reopened}. */
  ended: v.fallback(v.array(time()), []),
  /** Changes between the two states while it was open. */
  changes: v.fallback(
    v.array(v.object({ at: time(), state: v.picklist(["down", "degraded"]) })),
    [],
  ),
  /** Confirmed later reasons, each with the time of the first attempt that showed it. */
  reasons: v.fallback(
    v.array(
      v.object({
        at: time(),
        confirmed: time(),
        code: v.fallback(v.number(), 0),
        error: v.fallback(v.string(), ""),
      }),
    ),
    [],
  ),
  /** Root cause: another site's incident, or an address. While it is set, no notifications are sent. */
  cause: v.fallback(v.optional(v.string()), undefined),
  told: v.fallback(v.optional(v.picklist(["down", "degraded"])), undefined),
  /** The channels that were notified of it; see `listNotifiedChannels`. */
  notified: v.fallback(v.array(v.string()), []),
  /** Slugs of the sites that fail because they depend on this one. */
  affects: v.fallback(v.array(v.string()), []),
  /** People who have taken it on, the earliest first. */
  acknowledgements: v.fallback(v.array(ACKNOWLEDGEMENT), []),
  updates: storedUpdates(),
});

/** Files store `notified` as `told`, and `channels` as `notified`. */
export const INCIDENT = v.pipe(
  STORED_INCIDENT,
  v.transform(({ told: notified, notified: channels, ...rest }) => ({
    ...rest,
    channels,
    /** State that was notified before the incident was suppressed because of its `cause`; absent if none was. */
    ...notified === undefined ? {} : { notified },
  })),
);

/** One outage or degradation of one site. */
export type Incident = v.InferOutput<typeof INCIDENT>;

/** Lists the ids of all incidents, maintenance windows and manual incidents. */
export async function listIncidents(snapshot: Pick<HistoryFiles, "listAll">): Promise<Set<string>> {
  const names = await snapshot.listAll(INCIDENTS_FOLDER);
  return new Set(names.flatMap((name) => findIncidentId(`${INCIDENTS_FOLDER}/${name}`) ?? []));
}

/** Reads the files of some incidents, by id; of those that are not `known` there is none. */
export async function readIncidents(
  snapshot: Pick<HistoryFiles, "read">,
  known: ReadonlySet<string>,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...ids].filter((id) => known.has(id));
  const files = wanted.length === 0
    ? new Map<string, string>()
    : await snapshot.read(wanted.map(incidentPath));
  return new Map(wanted.flatMap((id): [string, string][] => {
    const text = files.get(incidentPath(id));
    return text === undefined ? [] : [[id, text]];
  }));
}

/** The empty lists of a new incident. */
export const UNCHANGED = {
  reopened: [],
  ended: [],
  changes: [],
  reasons: [],
  affects: [],
  channels: [],
  acknowledgements: [],
  updates: [],
};

/**
 * Path of the file of an incident, maintenance window or manual incident.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const path = incidentPath("2026-11-21-shop");
 * assertEquals(path, "history/incidents/2026-11-21-shop.yml");
 * assertEquals(findIncidentId(path), "2026-11-21-shop");
 * ```
 */
export function incidentPath(id: string): string {
  return `${INCIDENTS_FOLDER}/${id}.yml`;
}

/** The id of an incident by the path of its file; `undefined` for other paths. */
export function findIncidentId(path: string): string | undefined {
  return /^history\/incidents\/([^/]+)\.yml$/.exec(path)?.[1];
}

/** Creates the id of a new incident from its day and site, with a number if the day has several. */
export function newIncidentId(
  start: Temporal.Instant,
  slug: string,
  taken: ReadonlySet<string>,
): string {
  const first = `${utcDay(start)}-${slug}`;
  let id = first;
  for (let number = 2; taken.has(id); number++) id = `${first}-${number}`;
  return id;
}

/** Start of the present outage of an incident, which may have been reopened. */
export function findOutageStart(
  { start, reopened }: Pick<Incident, "start" | "reopened">,
): Temporal.Instant {
  return reopened.at(-1) ?? start;
}

/**
 * Computes how long the outage lasted that has just ended, in milliseconds: since the incident started or was last
 * reopened, without the outages before. Everything that reports the end takes it from here.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const times = ["2026-11-21T10:05:00.000Z", "2026-11-21T10:15:00.000Z"].map((time) => Temporal.Instant.from(time));
 * const [start, reopened] = times as [Temporal.Instant, Temporal.Instant];
 * const end = reopened.add({ seconds: 3 });
 * assertEquals(computeOutageLength({ start, reopened: [reopened], end }), 3_000);
 * assertEquals(computeOutageLength({ start, reopened: [], end }), 603_000);
 * ```
 */
export function computeOutageLength(
  incident: Pick<Incident, "start" | "reopened"> & { end: Temporal.Instant },
): number {
  return Math.max(0, incident.end.epochMilliseconds - findOutageStart(incident).epochMilliseconds);
}

/**
 * Ends an incident. If its start is later, because a clock was set back meanwhile, it has no length.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const start = "2026-11-21T10:05:00.000Z";
 * const open = parseIncident(`slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\n`)!;
 * const [later, earlier] = [open.start.add({ hours: 1 }), open.start.subtract({ hours: 1 })];
 * assertEquals([endIncident(open, later).end, endIncident(open, earlier).end], [later, open.start]);
 * ```
 */
export function endIncident(incident: Incident, at: Temporal.Instant): Incident {
  const { start } = incident;
  return { ...incident, end: Temporal.Instant.compare(start, at) <= 0 ? at : start };
}

/**
 * Formats an incident's file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const text = "slug: shop\nkind: down\nstart: 2026-11-21T10:05:00.000Z\nconfirmed: 2026-11-21T10:05:31.000Z\n" +
 *   "code: 0\nerror: connection refused\nattempts: 3\nissue: 12\nshared: 2026-11-21T10-05-shared-85944171f73967e8\nreopened:\n  - 2026-11-21T10:20:00.000Z\nended:\n  - 2026-11-21T10:15:00.000Z\n" +
 *   "changes:\n  - at: 2026-11-21T10:25:00.000Z\n    state: degraded\n" +
 *   "reasons:\n  - at: 2026-11-21T10:35:00.000Z\n    confirmed: 2026-11-21T10:40:00.000Z\n    code: 503\n    error: answered 503\n" +
 *   "cause: 2026-11-21-router\ntold: degraded\naffects:\n  - blog\nnotified:\n  - 0b9c2d1e\n" +
 *   "acknowledgements:\n  - at: 2026-11-21T10:28:00.000Z\n    by: ann\n    way: comment\n    state: down\n    until: 2026-11-21T14:28:00.000Z\n" +
 *   "updates:\n  - at: '2026-11-21T10:30:00.000Z'\n    phase: identified\n    text: A cable\n";
 * assertEquals(formatIncident(parseIncident(text)!), text);
 * ```
 */
export function formatIncident(incident: Incident): string {
  const { slug, kind, start, confirmed, end, code, error, expiry, attempts, issue } = incident;
  const { furtherIssues, shared, reopened, ended, changes, reasons, cause, notified, affects } =
    incident;
  const { channels, acknowledgements, updates } = incident;
  return yamlLines({
    ...{ slug, kind, start, confirmed, end, code, error, expiry, attempts, issue },
    ...{ furtherIssues, shared, reopened, ended, changes, reasons, cause, told: notified },
    ...{ affects, notified: channels, acknowledgements },
  }) + updatesText(updates);
}

export function parseIncident(text: string): Incident | undefined {
  return readYaml(INCIDENT, text);
}
