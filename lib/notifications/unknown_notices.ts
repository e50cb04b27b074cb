import type { Site } from "../config/config.ts";
import type { Outcome } from "../pipeline/outcomes.ts";
import { listed } from "../text/listed.ts";
import { utcMinute } from "../time.ts";
import type { Streak, UnknownStreak } from "../evaluation/streak.ts";
import type { Notice } from "./notices.ts";

/** Input for {@linkcode unknownNotices}. */
export interface UnknownNews {
  /** Name of the monitor. */
  monitor: string;
  outcomes: readonly Pick<Outcome, "result" | "open">[];
  /** State of each site after this run, by slug. */
  streaks: ReadonlyMap<string, Streak>;
  /** True if the run learnt nothing about any site; absent if that is not known yet. */
  isBlind?: boolean;
  /** All sites that are known to be configured. */
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
    return [{ key: BLIND, monitor, title, text: listed(reasons, MOST_REASONS) }];
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
