import { maintenanceMonthPath, monthPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import {
  groupByMonth,
  type IncidentMonth,
  type ListedIncident,
  listIncidentMonths,
  listPastMaintenance,
  splitMaintenance,
} from "../../lib/page/incidents.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import type { Content } from "./html.ts";
import { Calendar, type CalendarDays, collectCalendarDays } from "./calendar.tsx";
import { IncidentRows } from "./incident_rows.tsx";
import { Layout } from "./layout.tsx";
import { PlannedSeries, PlannedWindows } from "./planned.tsx";
import type { Page, PageView, View } from "./view.ts";

/** Incidents by month: the present month, and a page for each with incidents. */
export const incidents: Page = function* (all) {
  const listed = listIncidentMonths(all.incidents, all.language.dateOf);
  const month = presentMonth(all);
  const isQuiet = listed[0] !== undefined && listed[0].month < month;
  const months = isQuiet ? [{ month, count: 0, days: new Map() }, ...listed] : listed;
  const props = {
    months,
    days: collectCalendarDays(all),
    pathOf: (own: string) => isQuiet && own === month ? PAGE_PATHS.incidents : monthPagePath(own),
  };
  yield [PAGE_PATHS.incidents, (view) => <Incidents {...props} view={view} at={0} />];
  for (const [at, { month, count }] of months.entries()) {
    if (count === 0) continue;
    yield [monthPagePath(month), (view) => <Incidents {...props} view={view} at={at} />];
  }
};

function presentMonth({ language, report }: View): string {
  return language.dateOf(report.time).slice(0, "YYYY-MM".length);
}

function Incidents({ view, months, at, ...props }: MonthProps) {
  const { language: { say, month: nameOf } } = view;
  const title = say("incidentsOf", { MONTH: nameOf(months[at]?.month ?? presentMonth(view)) });
  const intro = say("incidentsIntro");
  return <MonthPage {...{ view, months, at, title, intro, ...props }} />;
}

/** Most past windows on the first page of maintenance; if there are more, each month has a page. */
const NEWEST = 24;

export const maintenance: Page = function* ({ incidents, report, language }) {
  const past = listPastMaintenance(incidents, report.time);
  const months = past.length > NEWEST ? groupByMonth(past, language.dateOf) : [];
  const newest = past.slice(0, NEWEST);
  const pathOf = maintenanceMonthPath;
  yield [
    PAGE_PATHS.maintenance,
    (view) => <Maintenance view={view} newest={newest} months={months} />,
  ];
  for (const [at, { month }] of months.entries()) {
    const title = language.say("maintenanceOf", { MONTH: language.month(month) });
    yield [pathOf(month), (view) => <MonthPage {...{ view, title, months, at, pathOf }} />];
  }
};

/** Months with pages, the newest first; `at` is the index of the page's own. */
interface MonthsProps {
  view: PageView;
  months: readonly IncidentMonth[];
  at?: number;
  pathOf(month: string): string;
}

interface MonthProps extends MonthsProps {
  at: number;
  /** Days of a calendar, if the page has one. */
  days?: CalendarDays;
}

function MonthPage(
  { title, intro, days, ...props }: MonthProps & { title: string; intro?: string },
) {
  const { view, months, at } = props;
  const { language } = view;
  const shown = months[at];
  const month = shown?.month ?? presentMonth(view);
  return (
    <Layout view={view} title={title} description={intro ?? title}>
      <h1>{title}</h1>
      {intro !== undefined && <p class="muted">{intro}</p>}
      <div class={days && "month"}>
        {days && <Calendar view={view} month={month} of={days} />}
        <div>
          {shown === undefined || shown.count === 0
            ? <p class="card none">{language.say(shown ? "noIncidentsNow" : "noIncidentsYet")}</p>
            : <MonthDays view={view} days={shown.days} />}
        </div>
      </div>
      <MonthTurn {...props} />
      <MonthList {...props} />
    </Layout>
  );
}

function Maintenance({ view, newest, months }: {
  view: PageView;
  newest: readonly ListedIncident[];
  months: readonly IncidentMonth[];
}) {
  const { report, incidents, language: { say } } = view;
  const { going, ahead } = splitMaintenance(report.maintenance, incidents, report.time);
  const section = (title: MessageKey, none: MessageKey, isEmpty: boolean, content: Content) => (
    <section>
      <h2>{say(title)}</h2>
      {isEmpty ? <p class="none">{say(none)}</p> : content}
    </section>
  );
  return (
    <Layout view={view} title={say("maintenanceTitle")} description={say("maintenanceIntro")}>
      <h1>{say("maintenanceTitle")}</h1>
      <p class="muted">{say("maintenanceIntro")}</p>
      {section(
        "maintenanceNow",
        "noMaintenanceNow",
        going.length === 0,
        <PlannedWindows windows={going} view={view} />,
      )}
      {section(
        "scheduledMaintenance",
        "noScheduledMaintenance",
        ahead.length === 0,
        <PlannedSeries series={ahead} view={view} />,
      )}
      {section(
        "pastScheduledMaintenance",
        "noPastMaintenance",
        newest.length === 0,
        <div class="card">
          <IncidentRows incidents={newest} view={view} isDated isFull />
        </div>,
      )}
      <MonthList view={view} months={months} pathOf={maintenanceMonthPath} />
    </Layout>
  );
}

function MonthDays(
  { days, view }: { view: PageView; days: IncidentMonth["days"] },
) {
  return [...days].map(([date, own]) => (
    <section class="day" id={date}>
      <h2>
        <time datetime={date}>{view.language.day(date)}</time>
      </h2>
      <IncidentRows view={view} incidents={own} isDated={false} isFull />
    </section>
  ));
}

/** Links to the months before and after the page's own. */
function MonthTurn({ view: { language, link }, months, at = NaN, pathOf }: MonthsProps) {
  const [later, earlier] = [months[at - 1], months[at + 1]];
  if (later === undefined && earlier === undefined) return null;
  const to = (one: IncidentMonth | undefined, key: "monthEarlier" | "monthLater") =>
    one !== undefined && (
      <a href={link(pathOf(one.month))}>
        {language.say(key, { MONTH: language.month(one.month) })}
      </a>
    );
  return (
    <p class="turn">
      {to(earlier, "monthEarlier")}
      {to(later, "monthLater")}
    </p>
  );
}

/** Links to all months, by year, with the number of incidents in each. */
function MonthList({ view: { language, link }, months, at = NaN, pathOf }: MonthsProps) {
  const filled = months.filter(({ count }) => count > 0);
  if (filled.every((one) => one === months[at])) return null;
  const years = Map.groupBy(filled, ({ month }) => month.slice(0, "YYYY".length));
  return (
    <section>
      <h2>{language.say("monthsAll")}</h2>
      {[...years].map(([year, own]) => (
        <section class="month-year">
          <h3>{year}</h3>
          <ul class="month-list">
            {own.map((one) => (
              <li>
                <a
                  href={link(pathOf(one.month))}
                  aria-current={one === months[at] ? "true" : undefined}
                >
                  {language.month(one.month)}
                </a>{" "}
                <span class="muted">{language.number(one.count)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
