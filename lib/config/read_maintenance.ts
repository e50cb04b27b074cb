import * as v from "valibot";
import { DAY, describeDuration, MINUTE } from "../time.ts";
import type { ConfiguredMaintenance, Site } from "./config.ts";
import { duration, parseMoment, timezone } from "./keys/times.ts";
import { schedule, type ScheduleTimes, scheduleTimes, shortestGap } from "./schedule.ts";
import { nearHint } from "../text/nearest.ts";
import { about, found, names, optional, parsed, readWhole, textOrNumber } from "./keys/values.ts";
import type { Problem } from "../io/problem.ts";
import { isMap } from "./document.ts";

/** Longest that a maintenance window may last, in milliseconds. */
export const LONGEST_WINDOW = 90 * DAY;

export const MAINTENANCE_KEYS = {
  name: optional("Name shown to people.", textOrNumber("a name"), "Scheduled maintenance"),
  sites: optional(
    "Names or slugs of the affected sites. Default: all, if `groups` is absent too.",
    names("a site"),
  ),
  groups: optional("Groups whose sites are affected.", names("a group")),
  start: optional(
    "Start of a single window, such as 2026-12-24T22:00; in its time zone unless it has an offset.",
    moment(),
  ),
  cron: optional("Start of a recurring window: five cron fields in its time zone.", schedule()),
  duration: about(
    "Length in minutes, or with a unit such as 90m or 4h; not changed by daylight saving.",
    duration("m", { min: MINUTE, max: LONGEST_WINDOW }),
  ),
  timezone: optional("Its time zone. Default: `timezone` of the top level.", timezone()),
};

/** A moment that may depend on a time zone. */
function moment() {
  return parsed(
    "a time such as 2026-12-24T22:00 or 2026-12-24T22:00+01:00",
    (text) => parseMoment(text, "UTC") === undefined ? undefined : text,
  );
}

interface MaintenanceContext {
  sites: readonly Site[];
  /** True if some sites can't be read: an unknown name may be one of them. */
  lacksSites: boolean;
  /** Time zone of windows without their own; absent if it can't be read. */
  timezone?: string;
}

/** Reads the list of maintenance windows: one in error is left out and reported, like a site. */
export function readMaintenance(
  value: unknown,
  context: MaintenanceContext,
): { windows: ConfiguredMaintenance[]; problems: Problem[] } {
  if (value === undefined || value === null) return { windows: [], problems: [] };
  const path = ["maintenance"];
  if (!Array.isArray(value)) {
    const message = `expected a list of maintenance windows, found ${found(value)}`;
    return { windows: [], problems: [{ severity: "error", path, message }] };
  }
  const read = value.map((item, index) => readWindow(item, [...path, index], context));
  return {
    windows: read.flatMap(({ window }) => window ?? []),
    problems: read.flatMap(({ problems }) => problems),
  };
}

function readWindow(
  item: unknown,
  path: Problem["path"],
  context: MaintenanceContext,
): { window?: ConfiguredMaintenance; problems: Problem[] } {
  const problems: Problem[] = [];
  const report = (severity: Problem["severity"], at: Problem["path"], message: string) =>
    problems.push({ severity, path: [...path, ...at], message });
  if (!isMap(item)) {
    report("error", [], `expected a map with cron or start, and duration, found ${found(item)}`);
    return { problems };
  }
  const { output, problems: faults } = readWhole(v.object(MAINTENANCE_KEYS), item);
  for (const { path: at, message } of faults) report("error", at, message);
  if (output === undefined) return { problems };
  const { name, start, cron, duration, timezone = context.timezone } = output;
  if ((start === undefined) === (cron === undefined)) {
    const found = start === undefined ? "neither" : "both";
    report("error", [], `expected either cron, for a recurring window, or start, found ${found}`);
    return { problems };
  }
  if (timezone === undefined) {
    report("error", [], "its time zone is unknown, because timezone: of the top level is wrong");
    return { problems };
  }
  const startsAt = start === undefined
    ? scheduleTimes(cron!) as ScheduleTimes
    : parseMoment(start, timezone)!;
  if (!(startsAt instanceof Temporal.Instant)) {
    const gap = shortestGap(startsAt);
    if (gap === Infinity) report("error", ["cron"], `${found(cron)} never comes`);
    else if (duration >= gap) {
      const most = describeDuration(gap);
      const cure = "to stop checking a site, set paused: true";
      report("error", ["duration"], `expected less than ${most}, the time between starts; ${cure}`);
    }
  }
  const sites = listSites(output, context, (at, message) => report("warning", at, message));
  const isUsable = problems.every(({ severity }) => severity !== "error") && sites.length > 0;
  return isUsable
    ? { window: { name, sites, startsAt, duration, timezone }, problems }
    : { problems };
}

function listSites(
  { sites: named, groups }: { sites?: readonly string[]; groups?: readonly string[] },
  { sites, lacksSites }: MaintenanceContext,
  warn: (path: Problem["path"], message: string) => void,
): string[] {
  if (named === undefined && groups === undefined) return sites.map(({ slug }) => slug);
  const slugs = new Set<string>();
  const add = (
    key: "sites" | "groups",
    words: readonly string[],
    known: (site: Site) => string[],
  ) => {
    const noun = key === "sites" ? "name" : "group";
    for (const [index, word] of words.entries()) {
      const wanted = word.trim().toLowerCase();
      const own = sites.filter((site) => known(site).some((name) => name.toLowerCase() === wanted));
      for (const { slug } of own) slugs.add(slug);
      if (own.length > 0 || lacksSites) continue;
      const hint = nearHint(word, sites.flatMap(known)) || `: no site has this ${noun}`;
      warn([key, index], `unknown: ${found(word)}${hint}`);
    }
  };
  add("sites", named ?? [], ({ name, slug }) => [name, slug]);
  add("groups", groups ?? [], ({ group }) => group === undefined ? [] : [group]);
  if ((named ?? []).length + (groups ?? []).length === 0) {
    warn([], "has no sites: leave out sites and groups for every site");
  }
  return sites.map(({ slug }) => slug).filter((slug) => slugs.has(slug));
}
