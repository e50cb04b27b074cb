import type { Site } from "../config/config.ts";
import { findOutageStart, type Incident } from "../history/incident.ts";
import { type HistoryRecord, toCondition } from "../history/record.ts";
import type { Run } from "../history/checks_log.ts";
import { findEnd } from "../incidents/acknowledgement/acknowledge.ts";
import { planDispatches } from "../incidents/github_effects.ts";
import type { IncidentEvent, Tracker } from "../incidents/incident_event.ts";
import type { MaintenanceChange } from "../incidents/maintenance/plan_maintenance.ts";
import { isSuppressed, latestState } from "../incidents/plan_incident.ts";
import { planSharedIssues } from "../incidents/shared_issues.ts";
import type { Subscriber } from "../notifications/channel_list.ts";
import type { ChannelStates } from "../notifications/channel_state.ts";
import type { OpenOutage, SiteEvent } from "../notifications/message.ts";
import { toJoiningNotice } from "../notifications/acknowledgements.ts";
import {
  type Notice,
  planCertificateNotices,
  planGapNotices,
  planMaintenanceNotices,
  planNotices,
  planUnknownNotices,
} from "../notifications/notices.ts";
import { planMessageEffects } from "../notifications/message_effects.ts";
import type { Effect } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { LongGap } from "../statistics/run_gaps.ts";
import { formatTime, isBefore } from "../time.ts";
import { type Findings, type FoundCause, toGroupedIncidents } from "./findings.ts";
import type { HistoryState } from "./history_state.ts";
import { isTransition, type Outcome } from "./outcomes.ts";
import { toAcknowledged } from "./respond.ts";
import { toSiteEvent } from "./site_event.ts";

export interface EffectTargets {
  tracker: Tracker;
  /** True if workflows are started that show the states of the sites. */
  dispatches: boolean;
  channels: readonly Subscriber[];
  /** True if there may be other channels: some can't be read, or need secrets that this run lacks. */
  isPartial?: boolean;
  /** Notices about the monitor itself; absent if a command does not know them. */
  notices?: readonly Notice[];
  monitor?: string;
}

interface EffectCauses
  extends Pick<Findings, "outcomes" | "causes" | "abandoned" | "streaks" | "incidents"> {
  /** Sites that are checked by runs like this one, and if none of them has a result. */
  watched: readonly Pick<Site, "slug" | "name">[];
  isBlind: boolean | undefined;
  /** Slugs of the sites about which nothing is sent. */
  muted?: ReadonlySet<string>;
  /** The time without checks that this run has ended, if it was far longer than usual. */
  gap?: LongGap;
  maintenance: readonly MaintenanceChange[];
  maintenanceEffects: readonly Effect[];
  /** True if pages show other states than before, such as after somebody has started maintenance by hand. */
  isShownAnew: boolean;
}

interface PlannedEffects {
  effects: Effect[];
  channels: ChannelStates;
  /** Keys of the notices that channels were notified of. */
  notices?: readonly string[];
  /** The outbox of earlier runs, without messages that others replace. */
  outbox: Entry[];
}

export function planEffects(
  state: HistoryState,
  causes: EffectCauses,
  targets: EffectTargets,
  { time, now = time }: Run & { now?: Temporal.Instant },
): PlannedEffects {
  const { outcomes, abandoned, maintenance, maintenanceEffects } = causes;
  const isShown = causes.isShownAnew || abandoned.length > 0 || maintenance.length > 0 ||
    outcomes.some(isTransition);
  const messages = planNotifications(state, causes, targets, { time, now });
  const { outbox } = messages;
  const effects = [
    ...planIssues(state, { ...causes, at: now, time }, targets.tracker, outbox),
    ...messages.effects,
    ...maintenanceEffects,
    ...targets.dispatches && isShown ? planDispatches(outbox, now) : [],
  ];
  return { ...messages, effects: withoutPlanned(effects, outbox) };
}

export function withoutPlanned(effects: readonly Effect[], outbox: readonly Entry[]): Effect[] {
  const planned = new Set(outbox.map(({ id }) => id));
  return effects.filter(({ id }) => !planned.has(id));
}

function planIssues(
  state: HistoryState,
  { at, time, ...causes }: EffectCauses & { at: Temporal.Instant; time: Temporal.Instant },
  tracker: Tracker,
  outbox: readonly Entry[],
): Effect[] {
  const queues = new Set(
    outbox.filter(({ done }) => done === undefined || done.receipt !== undefined)
      .map(({ queue }) => queue),
  );
  const isTracked = ({ id, incident }: IncidentEvent) =>
    incident.issue !== undefined || queues.has(incident.shared ?? id);
  const { outcomes } = causes;
  const events = [
    ...incidentEvents(causes),
    ...outcomes.flatMap((outcome) => ongoingEvent(state, outcome))
      .filter((event) => !isTracked(event)),
    ...outcomes.flatMap((outcome) => toAcknowledgedEvents(state, outcome, at)),
  ];
  const { shared = [], own = [] } = Object.groupBy(
    events,
    ({ incident }) => incident.shared === undefined ? "own" : "shared",
  );
  return [
    ...own.flatMap((event) => tracker.plan(event, isTracked(event))),
    ...planSharedIssues(shared, {
      // Those that were open before the run, as it has changed them, and the new ones.
      incidents: toGroupedIncidents(
        new Map([...state.incidents, ...causes.incidents]),
        state.sites,
      ),
      isTracked: (issue) => queues.has(issue),
      isPlanned: (effect) => outbox.some(({ id }) => id === effect),
      time,
    }).flatMap((event) => tracker.planShared?.(event) ?? []),
  ];
}

/** Time after which it is no news that somebody has acknowledged: less than executed effects are kept. */
const NEWS = { hours: 24 };

/** The latest acknowledgements by the command, which GitHub does not show. */
function toAcknowledgedEvents(
  { records }: HistoryState,
  { result: { site }, open: incident }: Outcome,
  now: Temporal.Instant,
): IncidentEvent[] {
  const id = records.get(site.slug)?.incident;
  if (id === undefined || incident === undefined) return [];
  const condition = latestState(incident);
  return incident.acknowledgements.filter((one) =>
    one.way === "command" && isBefore(now.subtract(NEWS), one.at) &&
    findEnd(one, now) === undefined
  ).map(({ at }) => ({ action: "acknowledge", id, incident, condition, at, site }));
}

/** An ongoing incident without changes, as if it opened now; it may have no issue yet. */
function ongoingEvent(
  { records, incidents, sites }: HistoryState,
  { result: { site }, incident: plan, affected: newly }: Outcome,
): IncidentEvent[] {
  const record = records.get(site.slug);
  const incident = incidents.get(record?.incident ?? "");
  if (plan !== undefined || newly !== undefined || record === undefined) return [];
  if (incident === undefined || incident.cause !== undefined) return [];
  const { incident: id, since: at } = record;
  const affected = sites.filter(({ slug }) => incident.affects.includes(slug))
    .map(({ name }) => name);
  return [{
    action: "open",
    id: id!,
    incident,
    condition: toCondition(record),
    at,
    site,
    ...affected.length === 0 ? {} : { affected },
  }];
}

function planNotifications(
  { loadedState, records, incidents, configured, sites, maintenance }: HistoryState,
  causes: EffectCauses,
  { channels, isPartial, notices, monitor = "" }: EffectTargets,
  { time, now }: { time: Temporal.Instant; now: Temporal.Instant },
): PlannedEffects {
  const { runState, isLost } = loadedState;
  const notified = runState?.notices ?? [];
  const changes = causes.maintenance.map(({ id, maintenance }) => [id, maintenance] as const);
  const files = new Map([...maintenance, ...changes]);
  const topics = channels.flatMap((channel) => channel.topics());
  const planned = notices === undefined || channels.length === 0
    ? { events: [], notified }
    : planNotices(
      [
        ...notices,
        ...planGapNotices({ gap: causes.gap, notified, last: runState?.time, now: time }),
        ...planUnknownNotices({ ...causes, sites, notified }),
        ...topics.includes("certificate")
          ? planCertificateNotices({ ...causes, sites, notified, now: time })
          : [],
        ...topics.includes("maintenance")
          ? planMaintenanceNotices({ files, sites, notified, now: time })
          : [],
      ],
      { notified, monitor, now: time },
    );
  const all = new Map([...incidents, ...causes.incidents]);
  const acknowledge = (event: SiteEvent) => ({
    ...event,
    ...toAcknowledged(all.get(event.incident), now),
  });
  const messages = {
    channels,
    isPartial,
    events: [
      ...siteEvents(causes).map(acknowledge),
      ...planJoiningNotices(causes, acknowledge),
      ...planned.events,
    ],
    ongoing: ongoingEvents(causes.outcomes, records).map(acknowledge),
    open: openOutages(records, incidents).map((outage) => ({
      ...outage,
      ...toAcknowledged(all.get(outage.incident), now),
    })),
    states: runState?.channels,
    muted: causes.muted,
    isLost,
    configured,
    now: time,
  };
  return {
    ...planMessageEffects(messages, runState?.outbox ?? [], now),
    ...planned.notified.length === 0 ? {} : { notices: planned.notified },
  };
}

export function incidentEvents(
  { outcomes, causes, abandoned }: Pick<Findings, "outcomes" | "causes" | "abandoned">,
): IncidentEvent[] {
  const closed = abandoned.filter(({ incident }) => !isSuppressed(incident)).map((
    { id, incident, outcome },
  ): IncidentEvent => ({
    action: "close",
    id,
    incident,
    at: incident.end!,
    ...outcome === undefined
      ? {}
      : { condition: "up", site: outcome.result.site, result: outcome.result },
  }));
  return [...outcomes.flatMap(toIncidentEvent), ...causes.flatMap(toAffectsEvent), ...closed];
}

function toIncidentEvent(
  { result, incident: plan, since, affected, before }: Outcome,
): IncidentEvent[] {
  const { site, state } = result;
  const isKnown = state !== "unknown" && state !== "maintenance";
  if (plan !== undefined && plan.action !== "silent" && isKnown) {
    const { id, action, incident, released } = plan;
    // A flapping site that is up at the moment keeps its title.
    const condition = action === "flap" && state === "up" ? latestState(incident) : state;
    const at = action === "close" ? incident.end! : since!;
    return [{
      action,
      id,
      incident,
      condition,
      at,
      site,
      result,
      affected: affected?.names,
      released,
      flaps: result.flaps,
      before,
    }];
  }
  return affected === undefined ? [] : toAffectsEvent({ ...affected, site, result, since: since! });
}

function toAffectsEvent(
  { id, incident, names, hasNew, site, result, since: at }: FoundCause,
): IncidentEvent[] {
  if (!hasNew) return [];
  const condition = "down" as const;
  return [{ action: "affects", id, incident, condition, at, site, result, affected: names }];
}

/** Events that channels may be notified of: those of incidents, and of flapping sites only the start and the end. */
export function siteEvents(
  findings: Pick<Findings, "outcomes" | "causes" | "abandoned">,
): SiteEvent[] {
  const quiet = ["affects", "reason"];
  // Of incidents of one site at the same time, channels know the one that its record names.
  const abandoned = findings.abandoned.filter(({ outcome }) => outcome === undefined);
  return incidentEvents({ ...findings, abandoned }).filter(({ action }) => !quiet.includes(action))
    .map(toSiteEvent);
}

/** Notices about sites that join an acknowledged incident, which nobody may have taken on. */
function planJoiningNotices(
  findings: Pick<Findings, "outcomes" | "causes" | "abandoned">,
  acknowledge: (event: SiteEvent) => SiteEvent,
): SiteEvent[] {
  return incidentEvents(findings).filter(({ action }) => action === "affects").map(toSiteEvent)
    .map(acknowledge).filter(({ acknowledged }) => acknowledged !== undefined)
    .map(toJoiningNotice);
}

/**
 * Ongoing incidents without changes, given the records before the run: reminders are about these. Sites in
 * maintenance or of unknown state are left out; a site whose failure another one explains counts only if
 * people were notified of it before.
 */
export function ongoingEvents(
  outcomes: readonly Outcome[],
  records: ReadonlyMap<string, Pick<HistoryRecord, "incident">>,
): SiteEvent[] {
  return outcomes.flatMap((outcome): SiteEvent[] => {
    const { result, incident: plan, open: incident, since: at, before } = outcome;
    const { site, state } = result;
    if (state !== "down" && state !== "degraded") return [];
    const id = records.get(site.slug)?.incident;
    if (plan !== undefined && plan.action !== "silent" && plan.action !== "reason") return [];
    if (id === undefined || incident === undefined || at === undefined) return [];
    const condition = incident.cause === undefined ? state : incident.notified;
    if (condition === undefined) return [];
    const reopened = incident.reopened.at(-1);
    const isOpening = reopened === undefined && incident.start.equals(at);
    const action = reopened?.equals(at) ? "reopen" : isOpening ? "open" : "update";
    return [toSiteEvent({ action, id, incident, condition, at, site, result, before })];
  });
}

function openOutages(
  records: ReadonlyMap<string, Pick<HistoryRecord, "incident">>,
  incidents: ReadonlyMap<string, Incident>,
): OpenOutage[] {
  return [...records].flatMap(([slug, { incident: id = "" }]): OpenOutage[] => {
    const incident = incidents.get(id);
    if (incident === undefined || incident.end !== undefined) return [];
    const kind = incident.cause === undefined ? latestState(incident) : incident.notified;
    const since = formatTime(findOutageStart(incident));
    return kind === undefined ? [] : [{ slug, incident: id, kind, since }];
  });
}
