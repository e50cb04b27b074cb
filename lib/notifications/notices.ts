import { formatExpiry } from "../checks/certificates.ts";
import type { Site } from "../config/config.ts";
import { hasResult, type SiteState, type Streak } from "../evaluation/results.ts";
import type { Incident } from "../history/incident.ts";
import type { Maintenance } from "../history/maintenance.ts";
import { joinFirst } from "../text/words.ts";
import {
  DAY,
  describeDuration,
  formatDate,
  formatMoment,
  formatTime,
  isBefore,
  utcMinute,
} from "../time.ts";
import type { ChannelStates } from "./channel_state.ts";
import type { NoticeTopic } from "./message.ts";
import type { Subject } from "./subject.ts";

/** Something other than an outage that channels are notified of, as it is now. */
export interface Notice {
  /** The same in every run as long as it is the same problem. */
  key: string;
  /** Which of its several messages applies; absent if it has only one. */
  level?: string;
  /** One line such as `Notification channel slack (line 12) can't work`; empty if no message is to be sent. */
  title: string;
  /** Reason and cure. */
  text: string;
  /** Slug of the site that it is about; absent if it is about the monitor as a whole. */
  site?: string;
  /** Absent if it is about the monitor itself. */
  topic?: NoticeTopic;
  /** Slugs of the sites that maintenance is about; empty for all. */
  about?: readonly string[];
  /** Set if it is over, as title and text say. */
  isOver?: true;
  /** Set if it says that another channel can't be used. */
  isOfChannel?: true;
}

/** Starts of the open notices by key, as the run state keeps them. */
export type NoticeStarts = Readonly<Record<string, Temporal.Instant>>;

/**
 * Makes the subjects of notices. `known` are the starts of those that were open before; a new one starts now.
 * `monitor` is the name of the monitor.
 */
export function toNoticeSubjects(
  notices: readonly Notice[],
  { known, monitor, now }: { known: NoticeStarts; monitor: string; now: Temporal.Instant },
): { subjects: Subject[]; starts: NoticeStarts } {
  const byKey = [...new Map(notices.map((notice) => [notice.key, notice])).values()];
  const subjects = byKey.map((notice): Subject => {
    const { key, level, title, text, topic, site, about, isOver, isOfChannel } = notice;
    const incident = NOTICE + key;
    const start = known[key] ?? now;
    const name = level === undefined ? key : `${key}/${level}`;
    return {
      slug: "notice",
      incident,
      ...isOver ? { end: now } : { state: "notice" },
      start,
      level,
      isOfChannel,
      reason: "",
      event: {
        id: `${NOTICE}${name}/${formatTime(start)}${isOver ? "/over" : ""}`,
        kind: "notice",
        slug: "notice",
        name: monitor,
        title,
        error: text,
        incident,
        topic,
        site,
        about: about && [...about],
        since: formatTime(now),
        ...isOver ? { over: true } : {},
        code: 0,
        attempts: 0,
      },
    };
  });
  const starts = subjects.filter(({ state }) => state !== undefined)
    .map(({ incident, start }) => [incident.slice(NOTICE.length), start] as const);
  return { subjects, starts: Object.fromEntries(starts) };
}

const NOTICE = "notice/";

/** Keys of the notices that channels were notified of. */
export function listNotified(states: ChannelStates): string[] {
  const keys = Object.values(states).flatMap(({ notified }) =>
    notified.flatMap(({ kind, incident }) => kind === "notice" ? incident.slice(NOTICE.length) : [])
  );
  return [...new Set(keys)];
}

const GAP = "gap/";

/**
 * Makes the notice about a time without checks, which the run at its end has noticed; times are milliseconds since
 * 1970, and `usual` gaps milliseconds long.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [from, to] = ["2026-11-21T10:05:00Z", "2026-11-21T14:20:00Z"].map((time) => Date.parse(time));
 * const { title, text } = toGapNotice({ from, to, usual: { median: 300_000, p90: 420_000 } });
 * assertEquals(title, "No checks from 2026-11-21 10:05 to 2026-11-21 14:20 UTC");
 * assertEquals(text, "4 hours 15 minutes; the usual gap is 5 minutes, and 9 of 10 are at most 7 minutes");
 * ```
 */
export function toGapNotice(
  { from, to, usual: { median, p90 } }: {
    from: number;
    to: number;
    usual: { median: number; p90: number };
  },
): Notice {
  const [start, end] = [from, to].map((moment) =>
    utcMinute(Temporal.Instant.fromEpochMilliseconds(moment))
  );
  const most = `9 of 10 are at most ${describeDuration(p90)}`;
  const cause = to - from < 7 * DAY
    ? ""
    : "; if nobody has paused the monitor, GitHub may have disabled the schedule";
  return {
    key: GAP + formatMoment(from),
    title: `No checks from ${start} to ${end} UTC`,
    text: `${describeDuration(to - from)}; the usual gap is ${
      describeDuration(median)
    }, and ${most}${cause}`,
  };
}

/** Plans the notice about the time without checks that a run has ended; the next run ends it without a message. */
export function planGapNotices(
  gap: Parameters<typeof toGapNotice>[0] | undefined,
  notified: readonly string[],
): Notice[] {
  const own = gap === undefined ? [] : [toGapNotice(gap)];
  return [...endOthers(GAP, own, notified), ...own];
}

/** Ends the notices with a prefix of their keys that are no longer planned, without a message. */
function endOthers(
  prefix: string,
  planned: readonly Notice[],
  notified: readonly string[],
): Notice[] {
  const keys = new Set(planned.map(({ key }) => key));
  return notified.filter((key) => key.startsWith(prefix) && !keys.has(key))
    .map((key) => ({ key, isOver: true, title: "", text: "" }));
}

interface Results {
  outcomes: readonly { result: SiteState; open?: Incident }[];
  /** State of each site after this run, by slug. */
  streaks: ReadonlyMap<string, Streak>;
  /** Sites that are checked by runs like this one. */
  watched: readonly Pick<Site, "slug" | "name">[];
  /** True if none of them has a result; `undefined` if that is not known yet. */
  isBlind: boolean | undefined;
  sites: readonly Site[];
  /** Keys of the notices that are open, or that channels were notified of. */
  notified: readonly string[];
}

const MOST_REASONS = 3;
const BLIND = "blind";
const UNKNOWN = "unknown/";

/**
 * Makes a notice if no site could be checked, and one for each site without a result in `unknownAfter` runs; a
 * further notice follows each of them when it is over. While no site can be checked, no new notice about a
 * single site is made.
 */
export function planUnknownNotices(results: Results): Notice[] {
  return [...blindNotices(results), ...siteNotices(results), ...endedNotices(results)];
}

function blindNotices({ watched, streaks, isBlind, notified }: Results): Notice[] {
  const isKnown = notified.includes(BLIND);
  if (isBlind ?? isKnown) {
    const reasons = new Set(
      watched.flatMap(({ slug }) => streaks.get(slug)?.unknown?.reason || []),
    );
    const title = watched.length === 1
      ? `${watched[0]!.name} can't be checked, so nothing is monitored`
      : `None of ${watched.length} sites can be checked`;
    return [{ key: BLIND, title, text: joinFirst([...reasons], MOST_REASONS) }];
  }
  if (!isKnown) return [];
  const known = watched.filter(({ slug }) => {
    const streak = streaks.get(slug);
    return streak !== undefined && hasResult(streak);
  });
  const text = `${known.length} of ${watched.length} have a result`;
  return [{ key: BLIND, isOver: true, title: "Sites can be checked again", text }];
}

function siteNotices({ outcomes, streaks, isBlind, notified }: Results): Notice[] {
  return outcomes.flatMap(({ result: { site }, open }): Notice[] => {
    const key = UNKNOWN + site.slug;
    const unknown = streaks.get(site.slug)?.unknown;
    if (unknown === undefined) return [];
    const { runs, reason, since } = unknown;
    if (!notified.includes(key) && (isBlind || runs < site.unknownAfter)) return [];
    const state = open === undefined
      ? "its state is unknown"
      : "its incident stays open, and whether it is still down is unknown";
    return [{
      key,
      topic: "unknown",
      site: site.slug,
      title: `${site.name} could not be checked in ${runs === 1 ? "1 run" : `${runs} runs`}`,
      text: `${reason}; ${state} since ${utcMinute(since)} UTC`,
    }];
  });
}

/** Makes notices about sites that have a result again, or are no longer checked, if channels were notified of them. */
function endedNotices({ outcomes, streaks, sites, notified }: Results): Notice[] {
  return notified.flatMap((key): Notice[] => {
    if (!key.startsWith(UNKNOWN)) return [];
    const slug = key.slice(UNKNOWN.length);
    const result = outcomes.find(({ result }) => result.site.slug === slug)?.result;
    const site = result?.site ?? sites.find((one) => one.slug === slug);
    const name = site?.name ?? slug;
    const end = { key, topic: "unknown", isOver: true, site: slug } as const;
    if (result === undefined) {
      // Another run checks the site.
      if (site !== undefined && !site.paused) return [{ key, title: "", text: "" }];
      return [{ ...end, title: `${name} is no longer checked`, text: "It is paused or removed" }];
    }
    if (streaks.get(slug)?.unknown !== undefined) return [];
    const state = result.state === "maintenance" ? "in maintenance" : result.state;
    return [{ ...end, title: `${name} is checked again`, text: `It is ${state}` }];
  });
}

const CERTIFICATE = "certificate/";

/**
 * Makes a notice for each certificate that expires within a number of days of its site's `warnAt`, the smallest of
 * them, and one when it has been renewed. `notified` are the keys of those that are open, or that channels were notified of.
 */
export function planCertificateNotices({ outcomes, sites, notified, now }: {
  outcomes: readonly { result: Pick<SiteState, "site" | "certificate"> }[];
  sites: readonly Site[];
  notified: readonly string[];
  now: Temporal.Instant;
}): Notice[] {
  const expiries = new Map(outcomes.map(({ result: { site, certificate } }) => [
    site.slug,
    certificate?.epochMilliseconds,
  ]));
  const own = sites.filter(({ paused }) => !paused).flatMap((site): Notice[] => {
    const { name, slug, warnAt } = site;
    const key = CERTIFICATE + slug;
    const isNotified = notified.includes(key);
    const expiry = expiries.get(slug);
    // Without a result in this run the last notice stays as it is.
    if (expiry === undefined) return isNotified ? [{ key, title: "", text: "" }] : [];
    const left = expiry - now.epochMilliseconds;
    const step = Math.min(...warnAt.filter((days) => left <= days * DAY));
    const date = formatDate(expiry);
    const about = { key, topic: "certificate", site: slug } as const;
    if (step !== Infinity) {
      const level = `${date}/${step}`;
      const title = `${name}: ${formatExpiry(left)} (${date})`;
      return [{ ...about, level, title, text: left < 0 ? "renew it now" : "renew it before then" }];
    }
    if (!isNotified) return [];
    const title = `${name} has a new certificate`;
    return [{ ...about, isOver: true, title, text: `valid until ${date}` }];
  });
  return [...own, ...endOthers(CERTIFICATE, own, notified)];
}

const MAINTENANCE = "maintenance/";
const MOST_NAMES = 5;

/**
 * Makes a notice for each maintenance window that is announced or ongoing, and one for each that has ended or was
 * canceled since. `notified` are the keys of those that are open, or that channels were notified of.
 */
export function planMaintenanceNotices({ files, sites, notified, now }: {
  /** By id, with the changes of this run. */
  files: ReadonlyMap<string, Maintenance>;
  sites: readonly { slug: string; name: string }[];
  notified: readonly string[];
  now: Temporal.Instant;
}): Notice[] {
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  const own = [...files].flatMap(([id, file]): Notice[] => {
    const { name, start, until, end } = file;
    const slugs = [...file.sites.keys()];
    const list = slugs.length === 0
      ? "All sites"
      : joinFirst(slugs.map((slug) => names.get(slug) ?? slug), MOST_NAMES);
    const key = MAINTENANCE + id;
    const make = (what: string, when: string, more: Partial<Notice>): Notice => ({
      key,
      topic: "maintenance",
      about: slugs,
      title: `Maintenance ${what}: ${name}`,
      text: `${list}, ${when} UTC`,
      ...more,
    });
    if (end === undefined) {
      return isBefore(now, start)
        ? [make("is announced", `${utcMinute(start)} until ${utcMinute(until)}`, {
          level: "announced",
        })]
        : [make("has started", `until ${utcMinute(until)}`, { level: "started" })];
    }
    if (!notified.includes(key)) return [];
    return isBefore(end, start) || end.equals(start)
      ? [make("is canceled", `which was to start at ${utcMinute(start)}`, { isOver: true })]
      : [make("has ended", `at ${utcMinute(end)}`, { isOver: true })];
  });
  return [...own, ...endOthers(MAINTENANCE, own, notified)];
}
