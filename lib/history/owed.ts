import { planDispatches } from "../dispatch/plan_dispatches.ts";
import type { IncidentEvent } from "../incidents/event.ts";
import type { Tracker } from "../incidents/tracker.ts";
import type { Effect } from "../outbox/effect.ts";
import type { Findings, Outcome, Run } from "./find_out.ts";
import { conditionOf } from "./record.ts";
import type { HistoryState } from "./state.ts";

/** Who hears of what a run finds. */
export interface Listeners {
  tracker: Tracker;
  /** Whether workflows are started that show how sites are. */
  dispatches: boolean;
}

/** What a run found that somebody may have to hear of. */
export type News = Pick<Findings, "outcomes" | "abandoned">;

/** What is owed to the outside because of what a run found, and because of what earlier runs could not tell. */
export function effectsOf(
  state: HistoryState,
  news: News,
  { tracker, dispatches }: Listeners,
  { time }: Run,
): Effect[] {
  const outbox = state.recalled.memory?.outbox ?? [];
  const planned = new Set(outbox.map(({ id }) => id));
  const lines = new Set(
    outbox.filter(({ done }) => done === undefined || done.receipt !== undefined)
      .map(({ line }) => line),
  );
  const isTracked = ({ id, incident }: IncidentEvent) =>
    incident.issue !== undefined || lines.has(id);
  const happened = eventsOf(news).flatMap((event) => tracker.owes(event, isTracked(event)));
  const untold = news.outcomes.flatMap((outcome) => goingOn(state, outcome))
    .filter((event) => !isTracked(event)).flatMap((event) => tracker.owes(event, false));
  const isShown = news.abandoned.length > 0 || news.outcomes.some(isNewsToAll);
  const shown = dispatches && isShown ? planDispatches(outbox, time) : [];
  return [...happened, ...untold, ...shown].filter(({ id }) => !planned.has(id));
}

/** Whether a site has changed; that a new one is up is no news. */
function isNewsToAll({ change }: Outcome): boolean {
  return change !== undefined && !(change.from === undefined && change.to === "up");
}

function eventsOf({ outcomes, abandoned }: News): IncidentEvent[] {
  const happened = outcomes.flatMap(({ result, incident: plan, since }): IncidentEvent[] => {
    const { site, state } = result;
    if (plan === undefined || state === "unknown" || state === "maintenance") return [];
    const { id, action, incident } = plan;
    const at = action === "close" ? incident.end! : since!;
    return [{ action, id, incident, condition: state, at, site, result }];
  });
  const gone = abandoned.map(({ id, incident }): IncidentEvent => (
    { action: "close", id, incident, at: incident.end! }
  ));
  return [...happened, ...gone];
}

/** An incident that goes on and has no issue, as if it opened now. */
function goingOn(
  { records, incidents }: HistoryState,
  { result: { site }, incident: plan }: Outcome,
): IncidentEvent[] {
  const record = records.get(site.slug);
  const incident = incidents.get(record?.incident ?? "");
  if (plan !== undefined || record === undefined || incident === undefined) return [];
  const { incident: id, since: at } = record;
  return [{ action: "open", id: id!, incident, condition: conditionOf(record), at, site }];
}
