import type { Command, Context } from "./shared/context.ts";
import { type OpenedTimelines, openTimelines } from "./shared/timelines.ts";
import { findSite, type Site } from "../lib/config/config.ts";
import { homePage } from "../lib/config/repository.ts";
import { slugsOf, type StoredIncident } from "../lib/history/stored_incidents.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { USUAL_COLUMNS } from "../lib/text/columns.ts";
import { commitAuthor, timelinesMessage } from "../templates/commit_message.ts";
import {
  describeIncident,
  incidentList,
  incidentsJson,
  LISTED_DAYS,
  selectIncidents,
} from "../templates/terminal/incidents.ts";
import { incidentView } from "../templates/terminal/incident_view.ts";
import { plannedFiles } from "../templates/terminal/lines.ts";

/** Brings the timelines of incidents along, and shows the incidents, or one of them closely. */
export const incidents: Command = async (context) => {
  const { log, json, environment, dryRun, clock } = context;
  const opened = await openTimelines(context, {
    author: commitAuthor,
    message: timelinesMessage,
  });
  const { config, timelines, stale } = opened;
  const { files, published, failure } = timelines;
  for (const note of published?.notes ?? []) log.warn(note);
  if (stale !== undefined) log.warn(`Timelines are as they were last read: ${stale}`);
  if (failure !== undefined) log.warn(`What was read was not kept: ${failure.message}`);
  if (dryRun && files.size > 0) log.line(plannedFiles(files));
  const now = clock.now();
  const sites = config?.sites ?? [];
  const all = [...timelines.incidents].map(([id, one]) =>
    describeIncident(id, one, { sites, now })
  );
  const wanted = wantedIncident(opened, context, now);
  const columns = environment.columns ?? USUAL_COLUMNS;
  const told = all.find(({ id }) => id === wanted);
  log.line(
    told === undefined ? incidentList(all, now, columns) : incidentView(told, {
      ...{ now, columns, sites },
      all: timelines.incidents,
      home: homePage(config ?? {}, environment, opened.remoteUrl),
    }),
  );
  if (json) {
    const listed = selectIncidents(all, now.subtract({ hours: LISTED_DAYS * 24 }));
    const shown = told === undefined ? [...listed.open, ...listed.ahead, ...listed.over] : [told];
    log.data(incidentsJson(shown, { now, stale, written: [...files.keys()] }));
  }
  return failure === undefined ? 0 : 1;
};

/** The id of the wanted incident; absent for all. */
function wantedIncident(
  { timelines, config }: OpenedTimelines,
  { words }: Context,
  now: Temporal.Instant,
): string | undefined {
  if (words.length === 0) return undefined;
  const wanted = words.join(" ");
  const id = findIncident(timelines.incidents, wanted, { sites: config?.sites ?? [], now });
  if (id !== undefined) return id;
  const hint = timelines.incidents.size === 0
    ? "there are no incidents yet"
    : "give an id, the number of an issue, or a site that had one; without a word all are listed";
  throw new UsageError(`Cannot find an incident "${wanted}": ${hint}`);
}

/**
 * Finds an incident by its id, or by a site: the ongoing one, else the last, else the next; or by its
 * issue number.
 */
function findIncident(
  incidents: ReadonlyMap<string, StoredIncident>,
  words: string,
  { sites, now }: { sites: readonly Site[]; now: Temporal.Instant },
): string | undefined {
  const wanted = words.trim();
  if (incidents.has(wanted)) return wanted;
  const slug = findSite(sites, wanted)?.slug ?? wanted;
  const rank = ({ start, end }: StoredIncident) =>
    end !== undefined ? 1 : Temporal.Instant.compare(start, now) <= 0 ? 0 : 2;
  const [found] = [...incidents].filter(([, one]) => slugsOf(one).includes(slug))
    .sort(([, one], [, other]) =>
      rank(one) - rank(other) || Temporal.Instant.compare(other.start, one.start)
    );
  if (found !== undefined) return found[0];
  const number = Number(/^#?(\d+)$/.exec(wanted)?.[1]);
  return [...incidents].find(([, { issue }]) => issue === number)?.[0];
}
