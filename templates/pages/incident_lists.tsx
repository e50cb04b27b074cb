import { incidentPagePath, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { findEnd, listSlugs, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import { currentReason } from "../../lib/incidents/plan_incident.ts";
import type {
  IncidentMonth,
  ListedIncident,
  ListedWindow,
  Series,
} from "../../lib/page/incidents.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { isBefore } from "../../lib/time.ts";
import { describeIncident, LONGEST_NAME, PHASE_WORDS } from "./incident_words.ts";
import type { Language } from "./language.ts";
import { toExcerpt } from "./markdown.tsx";
import { Period, Shape, SiteLinks, Time } from "./parts.tsx";
import type { PageView } from "./view.ts";

/** Incidents as cards; `isDated` adds the day of the start, and `showsNewest` the last update. */
interface CardsProps {
  view: PageView;
  incidents: readonly ListedIncident[];
  isDated?: boolean;
  showsNewest?: boolean;
}

/** Incidents that are open: the first `most`, and the number of the others. */
export function ActiveIncidents(
  { view, incidents, most = Infinity }: Omit<CardsProps, "isDated" | "showsNewest"> & {
    most?: number;
  },
) {
  if (incidents.length === 0) return null;
  const { language, link } = view;
  const rest = incidents.length - most;
  return (
    <section class="active">
      <h2>{language.say("activeIncidents")}</h2>
      <IncidentCards view={view} incidents={incidents.slice(0, most)} showsNewest />
      {rest > 0 && (
        <p>
          <a href={link(PAGE_PATHS.incidents)}>
            {language.say("andMore", { COUNT: language.number(rest) })}
          </a>
        </p>
      )}
    </section>
  );
}

export function IncidentCards({ incidents, ...props }: CardsProps) {
  return (
    <ul class="incidents">
      {incidents.map(([id, incident]) => <IncidentCard id={id} incident={incident} {...props} />)}
    </ul>
  );
}

/** Most characters of errors and updates. */
const LONGEST_TEXT = 200;

function IncidentCard({ id, incident, view, isDated = true, showsNewest = false }: {
  id: string;
  incident: StoredIncident;
} & Omit<CardsProps, "incidents">) {
  const { language, link } = view;
  const words = describeIncident(incident, view);
  const error = "error" in incident
    ? plainText(incident.end === undefined ? currentReason(incident).error : incident.error)
    : "";
  const slugs = listSlugs(incident);
  const newest = showsNewest ? incident.updates.at(-1) : undefined;
  const excerpt = newest === undefined ? "" : toExcerpt(newest.text, LONGEST_TEXT);
  const of = "slug" in incident && words.stage === "open" ? incident.slug : undefined;
  return (
    <li class={`incident ${words.stage}`} data-incident={of && id} data-of={of}>
      <p class="what">
        <Shape of={words.state} />
        <a class="name" dir={words.direction} href={link(incidentPagePath(id))}>
          {words.title}
        </a>
        <span class="standing">{words.standing}</span>
      </p>
      <p class="muted">
        {words.kind}
        {slugs.length > 0 && [" · ", <SiteLinks slugs={slugs} view={view} />]}
        {" · "}
        <Period
          from={incident.start}
          to={findEnd(incident)}
          language={language}
          isDated={isDated}
        />
        <span class="length">
          {" · "}
          <bdi>{words.length}</bdi>
        </span>
        {updatesText(incident.updates, language)}
      </p>
      {"cause" in incident && incident.cause !== undefined && (
        <p class="muted">
          {language.say("becauseOf")} <Cause cause={incident.cause} view={view} />
        </p>
      )}
      {error !== "" && <p class="muted" dir="auto">{shorten(error, LONGEST_TEXT)}</p>}
      {newest !== undefined && excerpt !== "" && (
        <p>
          <Time at={newest.at} language={language} />
          {" · "}
          <span dir="auto">{excerpt}</span>
        </p>
      )}
    </li>
  );
}

function updatesText(updates: StoredIncident["updates"], { say, number }: Language): string {
  if (updates.length === 0) return "";
  const phase = updates.findLast((one) => one.phase !== undefined)?.phase;
  const COUNT = number(updates.length);
  const count = say(updates.length === 1 ? "updatesOne" : "updates", { COUNT });
  return `${phase === undefined ? "" : ` · ${say(PHASE_WORDS[phase])}`} · ${count}`;
}

/** The root cause of an incident: a link to another one, or an address. */
export function Cause({ cause, view }: { view: PageView; cause: string }) {
  const other = view.incidents.get(cause);
  if (other === undefined) return <span dir="auto">{plainText(cause)}</span>;
  const target = view.link(incidentPagePath(cause));
  return <a href={target}>{describeIncident(other, view).title}</a>;
}

export function PlannedWindows(
  { windows, view }: { windows: readonly ListedWindow[]; view: PageView },
) {
  return (
    <ul class="incidents">
      {windows.map((one) => <PlannedCard {...one} view={view} />)}
    </ul>
  );
}

/** Planned maintenance: the next windows of each series, and the number of later ones. */
export function PlannedSeries({ series, view }: { view: PageView; series: readonly Series[] }) {
  const { language } = view;
  return series.map(({ next, more, last }) => (
    <div class="series">
      <PlannedWindows windows={next} view={view} />
      {more > 0 && (
        <p class="muted">
          {language.say("repeats", {
            COUNT: language.number(more),
            DAY: language.day(language.dateOf(last.start)),
          })}
        </p>
      )}
    </div>
  ));
}

function PlannedCard({ window, id, view }: ListedWindow & { view: PageView }) {
  const { language, report, link } = view;
  const { start, until, sites } = window;
  const name = shorten(plainText(window.name), LONGEST_NAME) || language.say("maintenance");
  const isAhead = isBefore(report.time, start);
  return (
    <li class={`incident ${isAhead ? "ahead" : "open"}`}>
      <p class="what">
        <Shape of="maintenance" />
        {id === undefined
          ? <b class="name" dir="auto">{name}</b>
          : <a class="name" dir="auto" href={link(incidentPagePath(id))}>{name}</a>}
        <span class="standing">
          {language.say(isAhead ? "incidentScheduled" : "incidentOngoing")}
        </span>
      </p>
      <p class="muted">
        <Period from={start} to={until} language={language} /> ·{" "}
        <bdi>{language.duration(until.since(start).total("seconds"))}</bdi>
      </p>
      {sites.size > 0 && (
        <p class="muted">
          <SiteLinks slugs={[...sites.keys()]} view={view} />
        </p>
      )}
    </li>
  );
}

export function MonthDays(
  { days, view }: { view: PageView; days: IncidentMonth["days"] },
) {
  return [...days].map(([date, own]) => (
    <section class="day" id={date}>
      <h2>
        <time datetime={date}>{view.language.day(date)}</time>
      </h2>
      <IncidentCards view={view} incidents={own} isDated={false} />
    </section>
  ));
}

/** Months with pages, the newest first; `at` is the index of the page's own. */
interface MonthsProps {
  view: PageView;
  months: readonly IncidentMonth[];
  at?: number;
  pathOf(month: string): string;
}

/** Links to the months before and after the page's own. */
export function MonthTurn({ view: { language, link }, months, at = NaN, pathOf }: MonthsProps) {
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
export function MonthList({ view: { language, link }, months, at = NaN, pathOf }: MonthsProps) {
  if (months.length === 0) return null;
  const years = Map.groupBy(months, ({ month }) => month.slice(0, "YYYY".length));
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
