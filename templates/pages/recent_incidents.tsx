import { monthPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { groupIntoCards, type IncidentCard } from "../../lib/page/incident_cards.ts";
import { listOpenIncidents, listPastDays } from "../../lib/page/incidents.ts";
import { findObservedDays, type RecentDays, summarizeDays } from "../../lib/page/recent_days.ts";
import { CardRows } from "./incident_rows.tsx";
import type { PageView } from "./view.ts";

const PAST_DAYS = 14;
/** Most cards per day that started on it, and that started before. */
const MOST_PER_DAY = 3;

/** The incidents of the last days since the first site was monitored, without those that are active. */
export function RecentIncidents({ view }: { view: PageView }) {
  const { language, incidents, report, settings, link } = view;
  const { sites, time } = report;
  const first = Math.min(...sites.map(({ samples }) => samples.first ?? samples.now));
  const days = listPastDays(incidents, time, settings.timezone, PAST_DAYS)
    .filter(({ window, started, continued }) =>
      window.to > first || started.length > 0 || continued.length > 0
    );
  if (report.lastCheck === undefined && incidents.size === 0) return null;
  const summary = summarizeDays(days, {
    cards: groupIntoCards(listOpenIncidents(incidents, report), report),
    report,
    isObserved: findObservedDays(sites),
  });
  return (
    <section class="recent">
      <h2>{language.say("pastIncidents")}</h2>
      {summary.map((one) => (
        <div class="day">
          <h3>
            <time datetime={one.to}>
              {one.to === language.dateOf(time)
                ? language.say("today")
                : language.dayRange(one.from, one.to)}
            </time>
          </h3>
          <div>
            <Days view={view} days={one} />
          </div>
        </div>
      ))}
      <p class="all">
        <a href={link(PAGE_PATHS.incidents)}>{language.say("allIncidents")}</a>
      </p>
    </section>
  );
}

function Days({ view, days }: { view: PageView; days: RecentDays }) {
  const { language: { say }, link } = view;
  const { active, started, continued, count, isUnknown } = days;
  const month = `${link(monthPagePath(days.from.slice(0, "YYYY-MM".length)))}#${days.from}`;
  const list = (cards: readonly IncidentCard[], isDated: boolean, others: string) => {
    const rest = cards.length - MOST_PER_DAY;
    return cards.length > 0 && [
      <CardRows view={view} cards={cards.slice(0, MOST_PER_DAY)} isDated={isDated} />,
      rest > 0 && (
        <p>
          <a href={others}>{say("andMore", { COUNT: rest })}</a>
        </p>
      ),
    ];
  };
  if (active + started.length + continued.length === 0) {
    return (
      <p class="muted">
        <bdi>
          {isUnknown
            ? say("unknown")
            : count === 1
            ? say("noIncidents")
            : say("quietDays", { COUNT: count })}
        </bdi>
      </p>
    );
  }
  return [
    active > 0 && (
      <p class="muted above" data-count={active}>
        <bdi>{say("shownAbove", { COUNT: active })}</bdi>
      </p>
    ),
    list(started, false, month),
    list(continued, true, link(PAGE_PATHS.incidents)),
  ];
}
