import type { Site } from "../config/config.ts";
import type { SiteWindows } from "../evaluation/results.ts";
import { toCondition } from "../history/record.ts";
import type { Mute } from "../history/run_state_schema.ts";
import { findEnd } from "../incidents/acknowledgement/acknowledge.ts";
import { planDispatches } from "../incidents/github_effects.ts";
import type { IssueNumbers } from "../incidents/issue_handler.ts";
import type { IncidentEvent, Tracker } from "../incidents/incident_event.ts";
import type { MaintenanceChange } from "../incidents/maintenance/plan_maintenance.ts";
import { findNotifiableState, isSuppressed, latestState } from "../incidents/plan_incident.ts";
import { planSharedIssues } from "../incidents/shared_issues.ts";
import type { Subscriber } from "../notifications/channel_list.ts";
import { planEndedChannelNotices } from "../notifications/channel_problems.ts";
import {
  type ChannelStates,
  type Notified,
  readNotifiedChannel,
} from "../notifications/channel_state.ts";
import { findAcknowledgementKey } from "../notifications/message.ts";
import {
  listNotified,
  type Notice,
  type NoticeStarts,
  planCertificateNotices,
  planGapNotices,
  planMaintenanceNotices,
  toNoticeSubjects,
} from "../notifications/notices.ts";
import { planUnknownNotices } from "../notifications/unknown_notices.ts";
import { planMessageEffects } from "../notifications/message_effects.ts";
import type { Effect, EffectHandlers } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { Rendering } from "../statistics/api/badge.ts";
import type { LongGap } from "../statistics/run_gaps.ts";
import type { Language } from "../text/language.ts";
import { isBefore } from "../time.ts";
import { type Findings, type FoundCause, toGroupedIncidents } from "./findings.ts";
import type { HistoryState } from "./history_state.ts";
import { isTransition, type Outcome } from "./outcomes.ts";
import { toAcknowledged } from "./respond.ts";
import { listIncidentSubjects } from "./subjects.ts";

export interface EffectTargets {
  tracker: Tracker;
  /** True if workflows are started that show the states of the sites. */
  dispatches: boolean;
  channels: readonly Subscriber[];
  /** True if there may be other channels: some can't be read, or need secrets that this run lacks. */
  isPartial: boolean;
  /** Notices about the monitor itself. */
  notices: readonly Notice[];
  monitor: string;
  /** Of issues and messages. */
  language: Language;
  handlers: EffectHandlers;
  /** Numbers of issues by incident; those that are opened are added. */
  issues: IssueNumbers;
  drawBadge: Rendering["draw"];
}

interface EffectCauses
  extends Pick<Findings, "outcomes" | "causes" | "abandoned" | "streaks" | "incidents"> {
  /** Sites that are checked by runs like this one, and if none of them has a result. */
  watched: readonly Pick<Site, "slug" | "name">[];
  isBlind: boolean | undefined;
  /** Sites in maintenance. */
  windows: SiteWindows;
  mutes: Readonly<Record<string, Mute>>;
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
  /** Starts of the open notices. */
  notices?: NoticeStarts;
  /** The outbox of earlier runs, without messages that others replace. */
  outbox: Entry[];
}

export function planEffects(
  state: HistoryState,
  causes: EffectCauses,
  targets: EffectTargets,
  { time, now }: { time: Temporal.Instant; now: Temporal.Instant },
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

/** Time in which an acknowledgement gets a comment: less than the time for which executed effects are kept. */
const ANNOUNCED = { hours: 24 };

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
    one.way === "command" && isBefore(now.subtract(ANNOUNCED), one.at) &&
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
  state: HistoryState,
  causes: EffectCauses,
  { channels, isPartial, notices, monitor, language }: EffectTargets,
  { time, now }: { time: Temporal.Instant; now: Temporal.Instant },
): PlannedEffects {
  const { loadedState: { runState }, sites, maintenance } = state;
  const states = runState?.channels ?? presumeStates(state, channels, now);
  const changes = causes.maintenance.map(({ id, maintenance }) => [id, maintenance] as const);
  const files = new Map([...maintenance, ...changes]);
  const known = runState?.notices ?? {};
  // Those that are open wait for the next check of their sites, also if no channel was notified of them yet.
  const notified = [...new Set([...listNotified(states), ...Object.keys(known)])];
  const { subjects: noticed, starts } = toNoticeSubjects([
    ...notices,
    ...planEndedChannelNotices(notices, notified, language),
    ...planGapNotices(causes.gap, notified, language),
    ...planUnknownNotices({ ...causes, sites, notified, language }),
    ...planCertificateNotices({ ...causes, sites, notified, language, now: time }),
    ...planMaintenanceNotices({ files, sites, notified, language, now: time }),
  ], { known, monitor, now: time });
  const incidents = listIncidentSubjects(
    state,
    { ...causes, notified: listIncidents(states), language },
    now,
  );
  const planned = planMessageEffects(
    {
      ...{ channels, isPartial, states, language, now },
      subjects: [...incidents, ...noticed],
      isKnown: (id) => state.incidentIds.has(id),
      before: runState?.time,
    },
    runState?.outbox ?? [],
  );
  return { ...planned, ...Object.keys(starts).length === 0 ? {} : { notices: starts } };
}

/**
 * Presumes what channels were notified of: if the run state is lost, what the files of the incidents say; if it is out
 * of reach, everything that the channels want, so that nothing is sent twice.
 */
export function presumeStates(
  { incidents, loadedState: { isLost } }: Pick<HistoryState, "incidents" | "loadedState">,
  channels: readonly Subscriber[],
  at: Temporal.Instant,
): ChannelStates {
  return Object.fromEntries(channels.map(({ key, wants, alerts }) => {
    const notified = [...incidents].flatMap(([id, incident]): Notified[] => {
      const { slug, channels } = incident;
      const kind = findNotifiableState(incident);
      const own = readNotifiedChannel(channels, key);
      const isNotified = own !== undefined || (!isLost && wants(slug).includes(kind!));
      if (kind === undefined || !isNotified) return [];
      const hasAlert = alerts === "all" || (alerts !== undefined && kind === "down");
      const alert = own?.alert ?? id;
      const { acknowledged, formerly } = toAcknowledged(incident, at);
      return [{
        ...{ slug, incident: id, kind, at },
        acknowledged: findAcknowledgementKey({ acknowledged }),
        formerly: findAcknowledgementKey({ acknowledged: formerly }),
        ...incident.affects.length === 0 ? {} : { affects: incident.affects.length },
        ...hasAlert ? { alert } : {},
        ...hasAlert && acknowledged !== undefined ? { silenced: true } : {},
      }];
    });
    return [key, { notified }];
  }));
}

/** Ids of the incidents in the states of channels. */
function listIncidents(states: ChannelStates): ReadonlySet<string> {
  return new Set(
    Object.values(states).flatMap(({ notified }) => notified.map(({ incident }) => incident)),
  );
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
