import type { Site } from "../config/config.ts";
import type { SiteState, Streak, UnknownStreak } from "../evaluation/results.ts";
import type { Problem } from "../io/problem.ts";
import type { Incident } from "../history/incident.ts";
import { joinFirst, shortHash } from "../text/words.ts";
import { formatTime, utcMinute } from "../time.ts";
import type { SiteEvent } from "./message.ts";

/** Something about the monitor itself that channels are notified of once. */
export interface Notice {
  /** The same in every run as long as it is the same problem. */
  key: string;
  /** Name of the monitor. */
  monitor: string;
  /** One line such as `Notification channel slack (line 12) can't work`. */
  title: string;
  /** Reason and cure. */
  text: string;
  /** Slug of the site that it is about; absent if it is about the monitor as a whole. */
  site?: string;
  /** Key of the notice whose problem is over, if this one says so. */
  endOf?: string;
}

/** Notices as events, and the keys of those that channels have been notified of by then. */
interface PlannedNotices {
  events: SiteEvent[];
  notified: readonly string[];
}

/**
 * Plans the notices that channels have not been notified of. One that no longer applies is forgotten, so that
 * it is sent again if it comes back.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const notice = { key: "a", monitor: "acme/status", title: "Notification channel slack can't work", text: "" };
 * const { events, notified } = planNotices([notice], { notified: ["b"], now });
 * assertEquals([events.length, notified], [1, ["a"]]);
 * assertEquals(planNotices([notice], { notified, now }).events, []);
 * ```
 */
export function planNotices(
  notices: readonly Notice[],
  { notified, now }: { notified: readonly string[]; now: Temporal.Instant },
): PlannedNotices {
  const byKey = new Map(notices.map((notice) => [notice.key, notice]));
  const since = formatTime(now);
  const events = [...byKey.values()].filter(({ key }) => !notified.includes(key))
    .map(({ key, monitor, title, text, site, endOf }): SiteEvent => {
      const id = `notice/${key}/${since}`;
      const nothing = { code: 0, attempts: 0, slug: "notice" };
      return {
        id,
        kind: "notice",
        name: monitor,
        title,
        since,
        error: text,
        incident: `notice/${endOf ?? key}`,
        ...site === undefined ? {} : { site },
        ...endOf === undefined ? {} : { over: true },
        ...nothing,
      };
    });
  return { events, notified: [...byKey.keys()] };
}

/** Makes a notice for each channel that the problems of the configuration make unusable. */
export function channelNotices(
  problems: readonly Problem[],
  { file, monitor }: { file: string; monitor: string },
): Notice[] {
  return problems.flatMap(({ channel, line, message, path }) => {
    if (channel === undefined) return [];
    const label = channel.charAt(0).toUpperCase() + channel.slice(1);
    const key = path.length > 1 ? path.at(-1) : undefined;
    const isNamed = typeof key === "string" && key !== "notifications";
    const place = line === undefined ? "" : ` (line ${line})`;
    return [{
      key: shortHash(`channel\n${channel}\n${message}`),
      monitor,
      title: `${label}${place} can't work`,
      text: `${isNamed ? `${key}: ` : ""}${message}; change it in ${file}`,
    }];
  });
}

/** Input for {@linkcode unknownNotices}. */
interface UnknownNews {
  /** Name of the monitor. */
  monitor: string;
  /** States of the checked sites, with their open incidents. */
  outcomes: readonly { result: SiteState; open?: Incident }[];
  /** State of each site after this run, by slug. */
  streaks: ReadonlyMap<string, Streak>;
  /** True if the run learnt nothing about any site; absent if that is not known yet. */
  isBlind?: boolean;
  /** All known configured sites. */
  sites: readonly Site[];
  /** Keys of the notices that channels were notified of. */
  notified: readonly string[];
}

/** Reasons that a notice names. */
const MOST_REASONS = 3;
const BLIND = "blind";
const PREFIX = "unknown/";

/**
 * Makes a notice if no site could be checked, and one for each site without a result in `unknownAfter` runs; a
 * further notice follows each of them when it is over. While no site can be checked, no new notice about a
 * single site is made.
 */
export function unknownNotices(news: UnknownNews): Notice[] {
  return [...blindNotices(news), ...siteNotices(news), ...endedNotices(news)];
}

function blindNotices({ monitor, outcomes, isBlind, notified }: UnknownNews): Notice[] {
  const known = notified.includes(BLIND);
  if (isBlind ?? known) {
    const reasons = [...new Set(outcomes.map(({ result }) => result.error ?? ""))]
      .filter((reason) => reason !== "");
    const title = outcomes.length === 1
      ? `${outcomes[0]!.result.site.name} can't be checked, so nothing is monitored`
      : `None of ${outcomes.length} sites can be checked`;
    return [{ key: BLIND, monitor, title, text: joinFirst(reasons, MOST_REASONS) }];
  }
  if (!known) return [];
  const count = outcomes.filter(({ result }) => result.state !== "unknown").length;
  const text = `${count} of ${outcomes.length} have a result`;
  return [{ key: "seeing", endOf: BLIND, monitor, title: "Sites can be checked again", text }];
}

function siteNotices({ monitor, outcomes, streaks, isBlind, notified }: UnknownNews): Notice[] {
  return outcomes.flatMap(({ result: { site }, open }): Notice[] => {
    const key = PREFIX + site.slug;
    const unknown = streaks.get(site.slug)?.unknown;
    if (unknown === undefined) return [];
    const isKnown = notified.includes(key);
    if (!isKnown && (isBlind || unknown.runs < site.unknownAfter)) return [];
    return [{
      key,
      monitor,
      site: site.slug,
      title: `${site.name} could not be checked in ${runsOf(unknown)}`,
      text: textOf(unknown, open !== undefined),
    }];
  });
}

function runsOf({ runs }: UnknownStreak): string {
  return runs === 1 ? "1 run" : `${runs} runs`;
}

function textOf({ reason, since }: UnknownStreak, hasIncident: boolean): string {
  const state = hasIncident
    ? "its incident stays open, and whether it is still down is unknown"
    : "its state is unknown";
  return `${reason}; ${state} since ${utcMinute(since)} UTC`;
}

/** Makes notices about sites that have a result again, or are no longer checked, if channels were notified of them. */
function endedNotices({ monitor, outcomes, streaks, sites, notified }: UnknownNews): Notice[] {
  const bySlug = new Map(outcomes.map((outcome) => [outcome.result.site.slug, outcome]));
  return notified.flatMap((key): Notice[] => {
    if (!key.startsWith(PREFIX)) return [];
    const slug = key.slice(PREFIX.length);
    const outcome = bySlug.get(slug);
    const site = outcome?.result.site ?? sites.find((one) => one.slug === slug);
    const name = site?.name ?? slug;
    const end = { key: `known/${slug}`, endOf: key, monitor, site: slug };
    if (outcome === undefined) {
      // The site may be recorded later in this run.
      if (site !== undefined && !site.paused) return [{ key, monitor, title: "", text: "" }];
      return [{ ...end, title: `${name} is no longer checked`, text: "It is paused or removed" }];
    }
    if (streaks.get(slug)?.unknown !== undefined) return [];
    const { state } = outcome.result;
    const words = state === "maintenance" ? "in maintenance" : state;
    return [{ ...end, title: `${name} is checked again`, text: `It is ${words}` }];
  });
}
