import { planDispatches } from "../incidents/dispatches.ts";
import type { IncidentEvent, Tracker } from "../incidents/incident_event.ts";
import { incidentEvents } from "./incident_events.ts";
import { openOutages, siteEvents, standingEvents } from "./events.ts";
import type { Subscriber } from "../notifications/channel_list.ts";
import type { ChannelStates } from "../notifications/channel_state.ts";
import { type Notice, planNotices, unknownNotices } from "../notifications/notices.ts";
import { planMessageEffects } from "../notifications/message_effects.ts";
import type { MaintenanceChange } from "../incidents/maintenance/plan_maintenance.ts";
import type { Effect } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import type { Findings } from "./find_out.ts";
import { isNewsToAll, type Outcome } from "./outcomes.ts";
import type { Run } from "../history/checks_log.ts";
import { conditionOf } from "../history/record.ts";
import type { HistoryState } from "./state.ts";

/** Who is notified of what a run finds. */
export interface Listeners {
  tracker: Tracker;
  /** Whether workflows are started that show how sites are. */
  dispatches: boolean;
  channels: readonly Subscriber[];
  /** Whether there may be other channels: some can't be read, or are set up by secrets that this run has not got. */
  isPartial?: boolean;
  /** Notices about the monitor itself; absent if a command does not know them. */
  notices?: readonly Notice[];
  /** Name of the monitor in messages. */
  monitor?: string;
}

/** What a run found that somebody may have to hear of. */
export interface News extends Pick<Findings, "outcomes" | "abandoned" | "streaks"> {
  /** True if the run learnt nothing about any site; absent if that is not known. */
  isBlind?: boolean;
  /** What becomes of maintenance windows. */
  maintenance: readonly MaintenanceChange[];
  /** What is owed because of them. */
  owed: readonly Effect[];
  /** Time of the decision; by default the start of the run. */
  at?: Temporal.Instant;
  /** Whether sites go into maintenance or come out of it, as by a window that somebody begins or ends by hand. */
  isShownAnew: boolean;
}

/** What is owed to the outside because of what a run found, and what is to be remembered of it. */
export interface Owed {
  effects: Effect[];
  channels: ChannelStates;
  /** Keys of the notices that channels were notified of. */
  notices?: readonly string[];
  /** The outbox of the runs before, without messages that others replace. */
  outbox: Entry[];
}

/** What is owed because of what a run found, because of what earlier runs could not tell, and because its time has come. */
export function owedFor(
  state: HistoryState,
  news: News,
  listeners: Listeners,
  { time, now = time }: Run & { now?: Temporal.Instant },
): Owed {
  const { tracker, dispatches } = listeners;
  const isShown = news.isShownAnew || news.abandoned.length > 0 || news.maintenance.length > 0 ||
    news.outcomes.some(isNewsToAll);
  const told = messagesFor(state, news, listeners, { time, now });
  const { outbox } = told;
  const effects = [
    ...issuesFor(state, news, tracker, outbox),
    ...told.effects,
    ...news.owed,
    ...dispatches && isShown ? planDispatches(outbox, news.at ?? time) : [],
  ];
  const planned = new Set(outbox.map(({ id }) => id));
  return { ...told, effects: effects.filter(({ id }) => !planned.has(id)) };
}

function issuesFor(
  state: HistoryState,
  news: News,
  tracker: Tracker,
  outbox: readonly Entry[],
): Effect[] {
  const lines = new Set(
    outbox.filter(({ done }) => done === undefined || done.receipt !== undefined)
      .map(({ line }) => line),
  );
  const isTracked = ({ id, incident }: IncidentEvent) =>
    incident.issue !== undefined || lines.has(id);
  const happened = incidentEvents(news).flatMap((event) => tracker.owes(event, isTracked(event)));
  const ended = (state.duplicates ?? []).map(({ id, incident, site, original }): IncidentEvent => (
    { action: "close", id, incident, at: incident.end!, site, original }
  )).filter(isTracked).flatMap((event) => tracker.owes(event, true));
  const untold = news.outcomes.flatMap((outcome) => goingOn(state, outcome))
    .filter((event) => !isTracked(event)).flatMap((event) => tracker.owes(event, false));
  return [...happened, ...ended, ...untold];
}

/** An incident that goes on and has no issue, as if it opened now. */
function goingOn(
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
  const beside = affected.length === 0 ? {} : { affected };
  return [{
    action: "open",
    id: id!,
    incident,
    condition: conditionOf(record),
    at,
    site,
    ...beside,
  }];
}

function messagesFor(
  { recalled, records, incidents, configured, sites }: HistoryState,
  news: News,
  { channels, isPartial, notices, monitor = "" }: Listeners,
  { time, now }: { time: Temporal.Instant; now: Temporal.Instant },
): Owed {
  const notified = recalled.memory?.notices ?? [];
  const told = notices === undefined || channels.length === 0
    ? { events: [], notified }
    : planNotices(
      [...notices, ...unknownNotices({ ...news, monitor, sites, notified })],
      { notified, now: time },
    );
  const tidings = {
    channels,
    isPartial,
    events: [...siteEvents(news), ...told.events],
    standing: standingEvents(news.outcomes, records),
    open: recalled.memory?.channels === undefined ? openOutages(records, incidents) : undefined,
    memory: recalled.memory?.channels,
    isLost: recalled.isLost,
    configured,
    now: time,
  };
  return {
    ...planMessageEffects(tidings, recalled.memory?.outbox ?? [], now),
    ...told.notified.length === 0 ? {} : { notices: told.notified },
  };
}
