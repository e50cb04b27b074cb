import type { Config, ConfiguredMaintenance } from "../../config/config.ts";
import { isScheduledDay, type ScheduleTimes } from "../../config/schedule.ts";
import type { ProbeResult, SiteWindow, SiteWindows } from "../../evaluation/results.ts";
import type { Maintenance, PlannedWindow } from "../../history/maintenance.ts";
import { type GitHub, GitHubError, type Issue } from "../../github/github.ts";
import { DAY, utcDay } from "../../time.ts";
import type { TimelineState } from "../read_comments.ts";
import { WriteAccess } from "../write_access.ts";
import { announced, type AnnouncementContext, MAINTENANCE_LABEL } from "./announcement.ts";
import { type MaintenancePlans, planMaintenance } from "./plan_maintenance.ts";

/** Collects the maintenance that the configuration and issues plan, with notes for people. */
export async function readMaintenancePlans(
  config: Pick<Config, "maintenance" | "issues" | "sites" | "timezone">,
  { github, known, isPartial, folder, now, reach, redact }: {
    github?: GitHub;
    /** The state of the timelines, whose answers about people's write access are used. @default None */
    known?(): Promise<TimelineState | undefined>;
    /** True if the configuration may have other windows and sites, because a part of it can't be read. */
    isPartial: boolean;
    /** The monitored folder in the repository, empty for its top. */
    folder: string;
    now: Temporal.Instant;
    /** Milliseconds ahead in which all windows of the configuration count. @default Only the next of each. */
    reach?: number;
    redact(text: string): string;
  },
): Promise<{ plans: MaintenancePlans; access?: FoundAccess; notes: string[] }> {
  const { maintenance, issues, sites, timezone } = config;
  const context = { sites, lacksSites: isPartial, isPart: folder !== "", timezone };
  const asked: Awaited<ReturnType<typeof askAnnounced>> = github === undefined || !issues
    ? { notes: [] }
    : await askAnnounced(github, { ...context, known, day: utcDay(now) });
  const shown = (window: PlannedWindow): PlannedWindow => (
    { ...window, name: redact(window.name), text: redact(window.text) }
  );
  const configured = configuredWindows(maintenance, now, reach).map(shown);
  const { windows, unclear, notes } = asked;
  const announced = windows?.map(shown);
  const plans = { configured, isPartial, announced, unclear };
  return { plans, access: asked.access, notes };
}

/** Answers about people's write access in a repository. */
type FoundAccess = Required<Pick<TimelineState, "repository" | "access">>;

const KNOWN_APPLIES = "Maintenance that was known before still applies";

/**
 * Reads the windows that open issues announce, absent if they could not be read; the numbers of issues with
 * unreadable announcements, or of people whose access is not known; and notes for people. Issues of people without
 * write access are ignored. `day` is the UTC day of the run.
 */
export async function askAnnounced(
  github: Pick<GitHub, "repository" | "openIssuesLabeled" | "mayWrite" | "account">,
  { known, day, ...context }: AnnouncementContext & {
    known?(): Promise<TimelineState | undefined>;
    day: string;
  },
): Promise<
  { windows?: PlannedWindow[]; unclear?: number[]; access?: FoundAccess; notes: string[] }
> {
  try {
    const issues = await github.openIssuesLabeled(MAINTENANCE_LABEL);
    if (issues.length === 0) return { windows: [], unclear: [], notes: [] };
    const { repository } = github;
    const before = await known?.();
    const memory = before?.repository === repository ? before.access : undefined;
    const access = new WriteAccess(github, memory, day, { isOptional: true });
    const read = await Promise.all(issues.map(async (issue) => {
      const { counts, problem } = await findCounts(issue, access);
      const { number } = issue;
      if (counts) return { ...announced(issue, context), number };
      return {
        isElsewhere: counts === false,
        number,
        problems: problem === undefined ? [] : [problem],
      };
    }));
    return {
      windows: read.flatMap((one) => "window" in one ? one.window ?? [] : []),
      unclear: read.flatMap(({ number, isElsewhere, ...one }) =>
        "window" in one || isElsewhere ? [] : [number]
      ),
      ...access.memory === memory ? {} : { access: { repository, access: access.memory! } },
      notes: read.flatMap(({ problems }) => problems),
    };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { notes: [`${error.message}. ${KNOWN_APPLIES}`] };
  }
}

/** Finds out whether an announcement counts, `undefined` if that can't be known now, with a note for people. */
async function findCounts(
  issue: Issue,
  access: WriteAccess,
): Promise<{ counts?: boolean; problem?: string }> {
  const { number, author, isTrusted } = issue;
  const announcement = `the maintenance that issue #${number} announces`;
  try {
    const counts = await access.counts(issue);
    if (counts === true || !isTrusted) return { counts };
    return {
      counts,
      problem: counts === false
        ? `Cannot start ${announcement}: its author ${author} has no write access; have somebody open it who has`
        : `Cannot start ${announcement}: it is not known if its author ${author} may write; have the owner or an invited collaborator open it. ${KNOWN_APPLIES}`,
    };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { problem: `${error.message}, so ${announcement} waits. ${KNOWN_APPLIES}` };
  }
}

/** Milliseconds ahead for which recurring windows are listed. */
export const CALENDAR = 90 * DAY;
const MOST = 100;

/** Configured windows: the ongoing ones and the next of each, or all within `reach` milliseconds (100 of each). */
export function configuredWindows(
  maintenance: readonly ConfiguredMaintenance[],
  now: Temporal.Instant,
  reach = 0,
): PlannedWindow[] {
  const last = now.add({ milliseconds: reach });
  return maintenance.flatMap((one) => listConfigured(one, now, last)).sort((one, other) =>
    Temporal.Instant.compare(one.start, other.start)
  );
}

/** Lists the names of configured maintenance that comes again and again. */
export function listRepeated(maintenance: readonly ConfiguredMaintenance[]): Set<string> {
  const repeated = maintenance.filter(({ startsAt }) => !(startsAt instanceof Temporal.Instant));
  return new Set(repeated.map(({ name }) => name));
}

function listConfigured(
  { name, sites, startsAt, duration, timezone }: ConfiguredMaintenance,
  now: Temporal.Instant,
  last: Temporal.Instant,
): PlannedWindow[] {
  const lasts = { milliseconds: duration };
  const starts = startsAt instanceof Temporal.Instant
    ? [startsAt]
    : scheduledStarts(startsAt, timezone, now.subtract(lasts));
  const windows: PlannedWindow[] = [];
  let hasNext = false;
  for (const start of starts) {
    const until = start.add(lasts);
    if (Temporal.Instant.compare(until, now) <= 0) continue;
    const isFar = Temporal.Instant.compare(start, last) > 0 || windows.length >= MOST;
    if (hasNext && isFar) break;
    hasNext ||= Temporal.Instant.compare(start, now) > 0;
    const expected = new Map(sites.map((slug) => [slug, "down" as const]));
    windows.push({ source: "configuration", name, start, until, sites: expected, text: "" });
  }
  return windows;
}

/** Days after which a schedule that has none does not come again: longer than from one 29 February to the next. */
const PATIENCE = 366 * 9;

/**
 * Yields the times of a schedule in a time zone from a time on, ascending and without end. A time that
 * DST skips comes one hour later; of one that occurs twice the first counts (RFC 5545, section 3.3.5).
 */
export function* scheduledStarts(
  times: ScheduleTimes,
  timeZone: string,
  from: Temporal.Instant,
): Generator<Temporal.Instant, void> {
  // A skipped time of the day before may fall after midnight.
  let date = from.toZonedDateTimeISO(timeZone).toPlainDate().subtract({ days: 1 });
  let last: Temporal.Instant | undefined;
  for (let empty = 0; empty < PATIENCE; empty++, date = date.add({ days: 1 })) {
    if (!isScheduledDay(date, times)) continue;
    empty = 0;
    const starts = times.hours.flatMap((hour) =>
      times.minutes.map((minute) =>
        date.toZonedDateTime({ timeZone, plainTime: { hour, minute } }).toInstant()
      )
    );
    for (const start of starts.sort(Temporal.Instant.compare)) {
      if (Temporal.Instant.compare(start, from) < 0) continue;
      if (last !== undefined && Temporal.Instant.compare(start, last) <= 0) continue;
      last = start;
      yield start;
    }
  }
}

type Window = Pick<PlannedWindow, "start" | "until" | "sites">;

/**
 * Finds the sites in maintenance, given all ongoing and future windows. Overlapping and adjacent windows
 * of a site count as one, and the worst expected state of the ongoing ones applies until no window
 * expects it any more.
 */
export function siteWindows(windows: readonly Window[], now: Temporal.Instant): SiteWindows {
  const ascending = windows.toSorted((one, other) =>
    Temporal.Instant.compare(one.start, other.start)
  );
  const slugs = new Set(ascending.flatMap(({ sites }) => [...sites.keys()]));
  return new Map([...slugs].flatMap((slug): [string, SiteWindow][] => {
    const endOfAny = (kinds: readonly unknown[]) =>
      findEnd(ascending.filter(({ sites }) => kinds.includes(sites.get(slug))), now);
    const down = endOfAny(["down"]);
    if (down !== undefined) return [[slug, { until: down, expected: "down" }]];
    const degraded = endOfAny(["down", "degraded"]);
    return degraded === undefined ? [] : [[slug, { until: degraded, expected: "degraded" }]];
  }));
}

/** True if a site was seen in a state that its maintenance of that time allowed. */
export function wasAllowed(
  { site: { slug }, state, confirmed }: Pick<ProbeResult, "site" | "state" | "confirmed">,
  windows: Iterable<Pick<Maintenance, "start" | "until" | "end" | "sites">>,
): boolean {
  if (state !== "down" && state !== "degraded") return false;
  return [...windows].some(({ start, until, end = until, sites }) => {
    const expected = sites.get(slug);
    return (expected === "down" || expected === state) &&
      Temporal.Instant.compare(start, confirmed) <= 0 &&
      Temporal.Instant.compare(confirmed, end) < 0;
  });
}

/** The end of the ongoing windows; `undefined` if none is ongoing. Windows are sorted by start. */
function findEnd(
  ascending: readonly Window[],
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  let end = now;
  for (const { start, until } of ascending) {
    const isMet = Temporal.Instant.compare(start, end) <= 0;
    if (isMet && Temporal.Instant.compare(until, end) > 0) end = until;
  }
  return end === now ? undefined : end;
}

/** The ongoing and future maintenance windows, sorted by start; of a recurring one only the next. */
export function listWindows(
  maintenance: ReadonlyMap<string, Maintenance>,
  plans: MaintenancePlans,
  now: Temporal.Instant,
): PlannedWindow[] {
  const incidentIds = new Set(maintenance.keys());
  return planMaintenance({ maintenance, incidentIds }, plans, now).windows
    .sort((one, other) => Temporal.Instant.compare(one.start, other.start));
}
