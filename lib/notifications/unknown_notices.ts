import type { Site } from "../config/config.ts";
import { hasResult, type SiteState, type Streak } from "../evaluation/results.ts";
import type { Incident } from "../history/incident.ts";
import type { State } from "../state.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";
import type { Notice } from "./notices.ts";
import { joinFirst, joinTexts, sayEvidence } from "./recorded_words.ts";
import { storedTime } from "./stored_times.ts";

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
  language: Language;
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

function blindNotices({ watched, streaks, isBlind, notified, language }: Results): Notice[] {
  const { say, isolate } = language;
  const isKnown = notified.includes(BLIND);
  if (isBlind ?? isKnown) {
    const reasons = new Set(
      watched.flatMap(({ slug }) => streaks.get(slug)?.unknown?.reason || []),
    );
    const title = watched.length === 1
      ? say("nothingMonitoredOf", { NAME: isolate(watched[0]!.name) })
      : say("noneChecked", { COUNT: watched.length });
    return [{ key: BLIND, title, text: joinFirst([...reasons], MOST_REASONS, language) }];
  }
  if (!isKnown) return [];
  const known = watched.filter(({ slug }) => {
    const streak = streaks.get(slug);
    return streak !== undefined && hasResult(streak);
  });
  const text = say("haveResult", { COUNT: known.length, TOTAL: watched.length });
  return [{ key: BLIND, isOver: true, title: say("checkedAgain"), text }];
}

function siteNotices({ outcomes, streaks, isBlind, notified, language }: Results): Notice[] {
  const { say, isolate } = language;
  return outcomes.flatMap(({ result: { site }, open }): Notice[] => {
    const key = UNKNOWN + site.slug;
    const unknown = streaks.get(site.slug)?.unknown;
    if (unknown === undefined) return [];
    const { runs, reason, since } = unknown;
    if (!notified.includes(key) && (isBlind || runs < site.unknownAfter)) return [];
    const state = say(open === undefined ? "stateUnknownSince" : "incidentUnknownSince", {
      TIME: storedTime(since),
    });
    return [{
      key,
      topic: "unknown",
      site: site.slug,
      title: say("notChecked", { NAME: isolate(site.name), COUNT: runs }),
      text: joinTexts("semicolonBetween", [sayEvidence(reason, language), state], language),
    }];
  });
}

const NOW: Readonly<Record<Exclude<State, "unknown">, MessageKey>> = {
  up: "itIsUp",
  degraded: "itIsDegraded",
  down: "itIsDown",
  maintenance: "itIsInMaintenance",
};

/** Makes notices about sites that have a result again, or are no longer checked, if channels were notified of them. */
function endedNotices({ outcomes, streaks, sites, notified, language }: Results): Notice[] {
  const { say, isolate } = language;
  return notified.flatMap((key): Notice[] => {
    if (!key.startsWith(UNKNOWN)) return [];
    const slug = key.slice(UNKNOWN.length);
    const result = outcomes.find(({ result }) => result.site.slug === slug)?.result;
    const site = result?.site ?? sites.find((one) => one.slug === slug);
    const name = { NAME: isolate(site?.name ?? slug) };
    const end = { key, topic: "unknown", isOver: true, site: slug } as const;
    if (result === undefined) {
      // Another run checks the site.
      if (site !== undefined && !site.paused) return [{ key, title: "", text: "" }];
      return [{ ...end, title: say("noLongerChecked", name), text: say("pausedOrRemoved") }];
    }
    const { state } = result;
    if (streaks.get(slug)?.unknown !== undefined || state === "unknown") return [];
    return [{ ...end, title: say("siteCheckedAgain", name), text: say(NOW[state]) }];
  });
}
