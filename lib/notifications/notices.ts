import type { Site } from "../config/config.ts";
import { hasResult, type SiteState, type Streak } from "../evaluation/results.ts";
import type { Problem } from "../io/problem.ts";
import type { Incident } from "../history/incident.ts";
import { joinFirst, shortHash } from "../text/words.ts";
import {
  DAY,
  describeDuration,
  formatDate,
  formatMoment,
  formatTime,
  isBefore,
  utcMinute,
} from "../time.ts";
import type { NoticeTopic, SiteEvent } from "./message.ts";
import { formatExpiry } from "../checks/certificates.ts";
import type { Maintenance } from "../history/maintenance.ts";

/** An event other than an outage or its end, which channels are notified of once. */
export interface Notice {
  /** The same in every run as long as it is the same problem. */
  key: string;
  /** One line such as `Notification channel slack (line 12) can't work`. */
  title: string;
  /** Reason and cure. */
  text: string;
  /** Slug of the site that it is about; absent if it is about the monitor as a whole. */
  site?: string;
  /** Absent if it is about the monitor itself. */
  topic?: NoticeTopic;
  /** Slugs of the sites that maintenance is about; empty for all. */
  about?: readonly string[];
  /** Key of the notice whose problem is over, if this one says so. */
  endOf?: string;
}

/**
 * Plans the notices that channels have not been notified of; `notified` are the keys of the others. One that
 * no longer applies is forgotten, so that it is sent again if it comes back. `monitor` is the name of the
 * monitor.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const notice = { key: "a", title: "Notification channel slack can't work", text: "" };
 * const { events, notified } = planNotices([notice], { notified: ["b"], monitor: "acme/status", now });
 * assertEquals([events.length, notified], [1, ["a"]]);
 * assertEquals(planNotices([notice], { notified, monitor: "acme/status", now }).events, []);
 * ```
 */
export function planNotices(
  notices: readonly Notice[],
  { notified, monitor, now }: {
    notified: readonly string[];
    monitor: string;
    now: Temporal.Instant;
  },
): { events: SiteEvent[]; notified: readonly string[] } {
  const byKey = new Map(notices.map((notice) => [notice.key, notice]));
  const since = formatTime(now);
  const events = [...byKey.values()].filter(({ key }) => !notified.includes(key))
    .map(({ key, title, text, topic, site, about, endOf }): SiteEvent => ({
      id: `notice/${key}/${since}`,
      kind: "notice",
      name: monitor,
      title,
      since,
      error: text,
      incident: `notice/${endOf ?? key}`,
      topic,
      site,
      about: about && [...about],
      ...endOf === undefined ? {} : { over: true },
      code: 0,
      attempts: 0,
      slug: "notice",
    }));
  return { events, notified: [...byKey.keys()] };
}

/** Makes a notice for each channel that the problems of the configuration make unusable. */
export function planChannelNotices(problems: readonly Problem[], file: string): Notice[] {
  return problems.flatMap(({ channel, line, message, path }) => {
    if (channel === undefined) return [];
    const label = channel.charAt(0).toUpperCase() + channel.slice(1);
    const key = path.length > 1 ? path.at(-1) : undefined;
    const isNamed = typeof key === "string" && key !== "notifications";
    const place = line === undefined ? "" : ` (line ${line})`;
    return [{
      key: shortHash(`channel\n${channel}\n${message}`),
      title: `${label}${place} can't work`,
      text: `${isNamed ? `${key}: ` : ""}${message}; change it in ${file}`,
    }];
  });
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

/** True if a notice is about a time without checks, so that it is about the past and its end does not cancel it. */
export function isGapNotice({ incident }: Pick<SiteEvent, "incident">): boolean {
  return incident.startsWith(`notice/${GAP}`);
}

/**
 * Makes the notice about the time without checks that a run has ended. The next run makes its end, which closes the
 * alert of an on-call service.
 */
export function planGapNotices({ gap, notified, last, now }: {
  gap?: Parameters<typeof toGapNotice>[0];
  /** Keys of the notices that channels were notified of. */
  notified: readonly string[];
  /** Start of the last run that was recorded; of this one, once a part of it is. */
  last?: Temporal.Instant;
  now: Temporal.Instant;
}): Notice[] {
  const own = gap && toGapNotice(gap);
  const later = last === undefined ? 0 : now.epochMilliseconds - last.epochMilliseconds;
  const before = notified.filter((key) => key.startsWith(GAP) && key !== own?.key)
    .map((key): Notice =>
      later <= 0 ? { key, title: "", text: "" } : {
        key: `over/${key}`,
        endOf: key,
        title: "Checks are running again",
        text: `The next run started ${describeDuration(later)} later`,
      }
    );
  return own === undefined ? before : [...before, own];
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
  /** Keys of the notices that channels were notified of. */
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
  return [{ key: "seeing", endOf: BLIND, title: "Sites can be checked again", text }];
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
    const end = { key: `known/${slug}`, topic: "unknown", endOf: key, site: slug } as const;
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
 * them, and one when it has been renewed. `notified` are the keys of the notices that channels were notified of.
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
  return sites.filter(({ paused }) => !paused).flatMap((site): Notice[] => {
    const { name, slug, warnAt } = site;
    const known = notified.filter((key) => key.startsWith(`${CERTIFICATE}${slug}/`));
    const expiry = expiries.get(slug);
    // Without a result in this run the last notice stays as it is.
    if (expiry === undefined) return known.map((key) => ({ key, title: "", text: "" }));
    const left = expiry - now.epochMilliseconds;
    const step = Math.min(...warnAt.filter((days) => left <= days * DAY));
    const date = formatDate(expiry);
    const about = { topic: "certificate", site: slug } as const;
    if (step !== Infinity) {
      const key = `${CERTIFICATE}${slug}/${date}/${step}`;
      return [{ key, ...about, title: `${name}: ${formatExpiry(left)}`, text: `on ${date}` }];
    }
    if (known.length === 0) return [];
    const title = `${name} has a new certificate`;
    return [{ key: `renewed/${slug}`, ...about, endOf: known[0]!, title, text: `until ${date}` }];
  });
}

const ANNOUNCED = "announced/";
const STARTED = "maintenance/";
const MOST_NAMES = 5;

/**
 * Makes a notice for each maintenance window that is announced or ongoing, and one for each that has ended or was
 * canceled since. `notified` are the keys of the notices that channels were notified of.
 */
export function planMaintenanceNotices({ files, sites, notified, now }: {
  /** By id, with the changes of this run. */
  files: ReadonlyMap<string, Maintenance>;
  sites: readonly { slug: string; name: string }[];
  notified: readonly string[];
  now: Temporal.Instant;
}): Notice[] {
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  return [...files].flatMap(([id, file]): Notice[] => {
    const { name, start, until, end } = file;
    const slugs = [...file.sites.keys()];
    const list = slugs.length === 0
      ? "All sites"
      : joinFirst(slugs.map((slug) => names.get(slug) ?? slug), MOST_NAMES);
    const make = (key: string, what: string, when: string, endOf?: string): Notice => ({
      ...{ key, topic: "maintenance", about: slugs, title: `Maintenance ${what}: ${name}` },
      ...{ text: `${list}, ${when} UTC`, endOf },
    });
    const [announced, started] = [ANNOUNCED + id, STARTED + id];
    if (end === undefined) {
      const isOngoing = !isBefore(now, start);
      const when = `${isOngoing ? "" : `${utcMinute(start)} `}until ${utcMinute(until)}`;
      return [
        make(isOngoing ? started : announced, isOngoing ? "has started" : "is announced", when),
      ];
    }
    if (notified.includes(started)) {
      return [make(`ended/${id}`, "has ended", `at ${utcMinute(end)}`, started)];
    }
    if (!notified.includes(announced)) return [];
    const when = `which was to start at ${utcMinute(start)}`;
    return [make(`cancelled/${id}`, "is canceled", when, announced)];
  });
}
