import type { Command, Context } from "./shared/context.ts";
import { type OpenedTimelines, openTimelines } from "./shared/timelines.ts";
import { findSite, type Site } from "../lib/config/config.ts";
import { homePage } from "../lib/config/repository.ts";
import { listSlugs, type StoredIncident } from "../lib/history/stored_incidents.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { USUAL_COLUMNS } from "../lib/text/columns.ts";
import {
  incidentList,
  incidentsJson,
  incidentView,
  selectIncidents,
} from "../templates/terminal/incidents.ts";

export const incidents: Command = async (context) => {
  const { log, json, environment, clock } = context;
  const opened = await openTimelines(context);
  const { config, timelines, stale, notes } = opened;
  const { files, failure } = timelines;
  for (const note of notes) log.warn(note);
  const now = clock.now();
  const columns = environment.columns ?? USUAL_COLUMNS;
  const options = { now, columns, sites: config?.sites ?? [] };
  const all = timelines.incidents;
  const id = wantedIncident(opened, context, now);
  const home = homePage(config ?? {}, environment, opened.remoteUrl);
  log.line(
    id === undefined
      ? incidentList(all, options)
      : incidentView(id, all.get(id)!, { ...options, home }),
  );
  if (json) {
    const shown = id === undefined
      ? Object.values(selectIncidents(all, now)).flat()
      : [[id, all.get(id)!] as const];
    log.data(incidentsJson(shown, { now, stale, written: [...files.keys()] }));
  }
  return failure === undefined ? 0 : 1;
};

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

/** Finds an incident by its id, its issue number, or a site: the ongoing one, else the last, else the next. */
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
  const [found] = [...incidents].filter(([, one]) => listSlugs(one).includes(slug))
    .sort(([, one], [, other]) =>
      rank(one) - rank(other) || Temporal.Instant.compare(other.start, one.start)
    );
  if (found !== undefined) return found[0];
  const number = Number(/^#?(\d+)$/.exec(wanted)?.[1]);
  return [...incidents].find(([, { issue }]) => issue === number)?.[0];
}
