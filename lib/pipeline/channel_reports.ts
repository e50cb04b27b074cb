import { takesReports } from "../config/channels/kinds.ts";
import type { ReportPeriod } from "../config/channels/keys.ts";
import type { Author } from "../git/objects.ts";
import type { Run } from "../history/checks_log.ts";
import type { Store } from "../history/store/store.ts";
import type { Subscriber } from "../notifications/channel_list.ts";
import type { SiteEvent } from "../notifications/message.ts";
import { type ReportedSite, writeReport } from "../notifications/report_words.ts";
import type { Effect } from "../outbox/effect.ts";
import { measure } from "../statistics/measure.ts";
import type { Report, SiteReport } from "../statistics/report/report.ts";
import { type Statistics, toPercent } from "../statistics/statistics.ts";
import type { Language } from "../text/language.ts";
import { DAY, formatTime } from "../time.ts";
import { withoutPlanned } from "./plan_effects.ts";
import { changeRunState } from "./run_state.ts";
import type { Window } from "../history/windows.ts";

/** Milliseconds after a period in which its report is planned: no longer than the outbox keeps what was sent. */
const PLANNED_FOR = 2 * DAY;
/** Milliseconds after a period in which its report is sent. */
const SENT_FOR = 7 * DAY;

/**
 * Plans the reports of the week and month that have ended lately for the channels that ask for them. The id of each
 * contains channel and period, so that it is sent once. A period without any data has no report.
 */
export function planReports(
  { sites }: Pick<Report, "sites">,
  { channels, timezone, monitor, language, now }: {
    channels: readonly Subscriber[];
    timezone: string;
    /** Name of the monitor for people. */
    monitor: string;
    language: Language;
    now: Temporal.Instant;
  },
): Effect[] {
  return channels.flatMap(({ key, notification, covers }) => {
    const { type, report: kinds = [] } = notification;
    if (!takesReports(notification)) return [];
    return [...new Set(kinds)].flatMap((kind: ReportPeriod): Effect[] => {
      const period = lastPeriod(kind, now, timezone);
      const { id: name, window: { to } } = period;
      if (now.epochMilliseconds >= to + PLANNED_FOR) return [];
      const own = sites.filter(({ site: { slug } }) => covers(slug));
      const event = toReportEvent(own, { period, timezone, monitor, language, now });
      if (event === undefined) return [];
      const id = `report/${key}/${name}`;
      return [{
        id,
        handler: "report",
        queue: `report/${key}`,
        description: `send ${type} the report of ${name}`,
        expires: Temporal.Instant.fromEpochMilliseconds(to + SENT_FOR),
        data: { channel: key, timezone, message: { id, events: [event] } },
      }];
    });
  });
}

interface Measured {
  site: SiteReport["site"];
  statistics: Statistics;
}

/** Makes a report of some sites, the worst first; `undefined` if nothing is known of them. */
function toReportEvent(
  sites: readonly SiteReport[],
  { period, timezone, monitor, language, now }: {
    period: Period;
    timezone: string;
    monitor: string;
    language: Language;
    now: Temporal.Instant;
  },
): SiteEvent & Effect["data"] | undefined {
  const measured = sites.map(({ site, samples }): Measured => ({
    site,
    statistics: measure(samples, period.window, site),
  })).filter(({ site, statistics }) => !site.paused || statistics.uptime !== undefined)
    .sort((one, other) => rank(one) - rank(other));
  if (measured.every(({ statistics }) => statistics.uptime === undefined)) return undefined;
  const { id } = period;
  const incident = `report/${id}`;
  const reported = measured.map(({ site: { name, slo }, statistics }): ReportedSite => {
    const { uptime, outages, down, objective } = statistics;
    const percent = uptime === undefined ? undefined : toPercent(uptime);
    return { name, percent, outages, down, slo, isMet: objective?.isMet };
  });
  return {
    ...writeReport(reported, { period, timezone, language }),
    id: incident,
    kind: "report",
    name: monitor,
    slug: "report",
    since: formatTime(now),
    ...{ incident, code: 0, attempts: 0 },
  };
}

/** Orders by uptime; sites of which nothing is known come last. */
function rank({ statistics: { uptime = 2 } }: Measured): number {
  return uptime;
}

/**
 * Adds effects to the outbox, for the next run that may send messages, and returns those that it lacked; none while
 * there is no run state.
 *
 * @throws {RemoteError} If the remote takes neither ref nor commit.
 */
export async function publishPlanned(
  store: Store,
  effects: readonly Effect[],
  commit: { run: Run; message: string; author: Author },
): Promise<readonly Effect[]> {
  let added: readonly Effect[] = [];
  await changeRunState(store, commit, ({ outbox }) => {
    added = withoutPlanned(effects, outbox);
    if (added.length === 0) return undefined;
    const planned = added.map((effect) => ({ ...effect, planned: commit.run.time }));
    return { outbox: [...outbox, ...planned] };
  });
  return added;
}

/** A week from Monday, or a calendar month, that is over. */
interface Period {
  kind: ReportPeriod;
  /** `2026-W48` (ISO 8601) or `2026-11`. */
  id: string;
  /** Its first and its last day, `YYYY-MM-DD`. */
  first: string;
  last: string;
  /** From midnight to midnight in its time zone. */
  window: Window;
}

/**
 * Computes the last week or month that was over at a time.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sunday = Temporal.Instant.from("2026-11-29T23:30:00Z");
 * assertEquals(lastPeriod("week", sunday, "UTC").id, "2026-W47");
 * const { id, first, last } = lastPeriod("week", sunday, "Europe/Vienna");
 * assertEquals([id, first, last], ["2026-W48", "2026-11-23", "2026-11-29"]);
 * assertEquals(lastPeriod("month", sunday, "Europe/Vienna").id, "2026-10");
 * ```
 */
export function lastPeriod(kind: ReportPeriod, time: Temporal.Instant, timezone: string): Period {
  const today = time.toZonedDateTimeISO(timezone).toPlainDate();
  const end = kind === "week"
    ? today.subtract({ days: today.dayOfWeek - 1 })
    : today.with({ day: 1 });
  const start = end.subtract(kind === "week" ? { days: 7 } : { months: 1 });
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(timezone).epochMilliseconds;
  return {
    kind,
    id: kind === "week"
      ? `${start.yearOfWeek}-W${String(start.weekOfYear).padStart(2, "0")}`
      : start.toString().slice(0, 7),
    first: start.toString(),
    last: end.subtract({ days: 1 }).toString(),
    window: { from: midnight(start), to: midnight(end) },
  };
}
