import { monthPagePath } from "../../lib/config/page_path.ts";
import {
  type CalendarDay,
  computeCalendar,
  markDays,
  type MarkedDays,
} from "../../lib/page/calendar.ts";
import { groupIntoCards } from "../../lib/page/incident_cards.ts";
import { findObservedDays } from "../../lib/page/recent_days.ts";
import { Shape } from "./parts.tsx";
import type { PageView, View } from "./view.ts";

/** Days of all months, computed once for all pages. */
export interface CalendarDays {
  days: MarkedDays;
  isObserved: ReturnType<typeof findObservedDays>;
}

export function collectCalendarDays({ incidents, report, language }: View): CalendarDays {
  const { time: now, sites } = report;
  const { dateOf } = language;
  const cards = groupIntoCards([...incidents], report)
    .map((card) => [...card.incidents, ...card.effects].map(([, incident]) => incident));
  return {
    days: markDays(cards, { now, dateOf }),
    isObserved: findObservedDays(sites),
  };
}

/** A month (`YYYY-MM`) of all sites: the worst state of each day, and the number of its incidents. */
export function Calendar(
  { view, month, of }: { view: PageView; month: string; of: CalendarDays },
) {
  const { language, report: { time: now }, settings: { timezone: zone } } = view;
  const weeks = computeCalendar(month, { ...of, now, firstDay: language.firstDay, zone });
  const weekdays = weeks[1]!.map((day) => language.weekday(Date.parse(day!.date)));
  return (
    <table class="card calendar">
      <caption>{language.month(month)}</caption>
      <thead>
        <tr>
          {weekdays.map(({ short, long }) => (
            <th scope="col">
              <abbr title={long}>{short}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr>
            {week.map((day) => day === undefined ? <td></td> : <Day view={view} day={day} />)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ view, day: { date, worst, incidents, newest } }: {
  view: PageView;
  day: CalendarDay;
}) {
  const { language, link, path } = view;
  const number = language.number(Number(date.slice("YYYY-MM-".length)));
  const label = language.say("labeled", {
    NAME: language.day(date),
    VALUE: language.say(worst === "up" ? "noIncidents" : worst),
  });
  if (incidents === 0 || newest === undefined) {
    return (
      <td class={worst} title={label}>
        <span aria-hidden="true">{number}</span>
        <span class="away">{label}</span>
      </td>
    );
  }
  const counted = language.clauses([label, language.say("incidentCount", { COUNT: incidents })])
    .join("");
  const month = monthPagePath(newest.slice(0, "YYYY-MM".length));
  return (
    <td class={worst}>
      <a
        href={`${month === path ? "" : link(month)}#${newest}`}
        title={counted}
      >
        <span aria-hidden="true">{number}</span>
        <b aria-hidden="true">
          <Shape of={worst} />
          {language.number(incidents)}
        </b>
        <span class="away">{counted}</span>
      </a>
    </td>
  );
}
