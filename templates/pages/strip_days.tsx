import { incidentPagePath } from "../../lib/config/page_path.ts";
import { groupBySite, type ListedIncident, sortNewestFirst } from "../../lib/page/incidents.ts";
import { type DayEntry, listStripDays } from "../../lib/page/strip_days.ts";
import { quarterBars } from "../../lib/statistics/report/bars.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { formatTime } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import { describeIncident } from "./incident_words.ts";
import { jsonElement } from "./html.ts";
import { formatUptime } from "./site_rows.tsx";
import type { PageView } from "./view.ts";

/** Most incidents of a day that its card names. */
const MOST_ENTRIES = 5;

/** Titles of most incidents, by the state of an entry. */
const USUAL_TITLES = { down: "wasDown", degraded: "wasDegraded" } as const;

/**
 * The days of strips with incidents or failures, for the cards of the script:
 * `{"page":"incident/ID/index.html","end":"2026-11-21T10:05:01Z","titles":{"down":"$NAME was down"},"sites":{"cards":[[89,"98.6%",[["down","Down for 20 min","Cards expires","2026-11-20-cards"]]]]}}`.
 * A title is 0 if it is the usual one of the state, an id is absent if it is the day with the slug; entries without an
 * incident have neither. What is left out is a last entry with a text only.
 */
export function StripDays({ view, sites }: { view: PageView; sites: Report["sites"] }) {
  const { incidents, link } = view;
  const bySite = groupBySite(incidents);
  const days = sites.map((report) => {
    const { slug } = report.site;
    return [slug, toDays(report, sortNewestFirst(bySite.get(slug) ?? []), view)] as const;
  });
  return jsonElement("days", {
    page: link(incidentPagePath("ID")),
    end: formatTime(view.report.time),
    titles: {
      down: view.language.say(USUAL_TITLES.down),
      degraded: view.language.say(USUAL_TITLES.degraded),
    },
    sites: Object.fromEntries(days.filter(([, own]) => own.length > 0)),
  });
}

function toDays(report: SiteReport, incidents: readonly ListedIncident[], view: PageView) {
  const { language } = view;
  return listStripDays(quarterBars(report), incidents, report.samples.now).map((day) => {
    const { index, bar, entries } = day;
    const more = entries.length - MOST_ENTRIES;
    const rest = [["", language.say("andMore", { COUNT: more })]];
    const usual = {
      id: `${bar.date}-${report.site.slug}`,
      name: language.isolate(siteName(report.site.slug, [report.site])),
    };
    const named = entries.slice(0, MOST_ENTRIES).map((one) => toTexts(one, usual, view));
    return [index, formatUptime(bar.uptime, language), more > 0 ? [...named, ...rest] : named];
  });
}

const FAILURE_WORDS = {
  down: "downFor",
  degraded: "degradedFor",
  maintenance: "maintenanceFor",
} as const;

function toTexts(
  { state, seconds, incident }: DayEntry,
  usual: { id: string; name: string },
  view: PageView,
): (string | 0)[] {
  const { language: { say, duration } } = view;
  const TIME = seconds === undefined ? undefined : duration(seconds);
  const words = (one: string) =>
    TIME === undefined ? one : say(FAILURE_WORDS[state as keyof typeof FAILURE_WORDS], { TIME });
  if (incident === undefined) return [state, words("")];
  const [id, stored] = incident;
  const { title, kind } = describeIncident(stored, view);
  const key = USUAL_TITLES[state as keyof typeof USUAL_TITLES];
  const isUsual = key !== undefined && title === say(key, { NAME: usual.name });
  return [state, words(kind), isUsual ? 0 : title, ...id === usual.id ? [] : [id]];
}
