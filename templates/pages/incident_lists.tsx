import { currentReason } from "../../lib/incidents/reason.ts";
import { endOf } from "../../lib/history/stage_of.ts";
import { slugsOf, type StoredIncident } from "../../lib/history/stored_incidents.ts";
import type {
  IncidentMonth,
  ListedIncident,
  ListedWindow,
  Series,
} from "../../lib/page/incidents.ts";
import { incidentPagePath, type Link } from "../../lib/config/page_path.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { incidentWords, LONGEST_NAME, PHASE_WORDS } from "./incident_words.ts";
import type { View } from "./view.ts";
import { Period, Shape, SiteLinks, Time } from "./parts.tsx";
import { excerptOf } from "./markdown.tsx";
import { isBefore } from "../../lib/time.ts";
import type { Language } from "./language.ts";

interface IncidentListProps {
  view: View;
  incidents: readonly ListedIncident[];
  link: Link;
  isDated?: boolean;
  tellsNewest?: boolean;
}

/** Incidents below each other, each of which leads to its page. */
export function IncidentCards({ incidents, ...props }: IncidentListProps) {
  return (
    <ul class="incidents">
      {incidents.map(([id, incident]) => <IncidentCard id={id} incident={incident} {...props} />)}
    </ul>
  );
}

/** More characters of an error, or of what people wrote, than these no list shows. */
const LONGEST_TEXT = 200;

function IncidentCard({ id, incident, view, link, isDated = true, tellsNewest = false }: {
  id: string;
  incident: StoredIncident;
} & Omit<IncidentListProps, "incidents">) {
  const { language } = view;
  const words = incidentWords(incident, view);
  const { title, direction, kind, state, stage, standing, length } = words;
  const error = "error" in incident
    ? plainText(incident.end === undefined ? currentReason(incident).error : incident.error)
    : "";
  const slugs = slugsOf(incident);
  const newest = tellsNewest ? incident.updates.at(-1) : undefined;
  const excerpt = newest === undefined ? "" : excerptOf(newest.text, LONGEST_TEXT);
  const of = "slug" in incident && stage === "open" ? incident.slug : undefined;
  return (
    <li class={`incident ${stage}`} data-incident={of && id} data-of={of}>
      <p class="what">
        <Shape of={state} />
        <a class="name" dir={direction} href={link(incidentPagePath(id))}>{title}</a>
        <span class="standing">{standing}</span>
      </p>
      <p class="muted">
        {kind}
        {slugs.length > 0 && [" · ", <SiteLinks slugs={slugs} view={view} link={link} />]}
        {" · "}
        <Period from={incident.start} to={endOf(incident)} language={language} isDated={isDated} />
        <span class="length">
          {" · "}
          <bdi>{length}</bdi>
        </span>
        <Updates updates={incident.updates} view={view} />
      </p>
      {"cause" in incident && incident.cause !== undefined && (
        <p class="muted">
          {language.say("becauseOf")} <Cause cause={incident.cause} view={view} link={link} />
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

/** The phase of the newest update that names one, and how many updates there are. */
function Updates(
  { updates, view: { language } }: { updates: StoredIncident["updates"]; view: View },
) {
  if (updates.length === 0) return null;
  const phase = updates.findLast((one) => one.phase !== undefined)?.phase;
  return [
    phase !== undefined && ` · ${language.say(PHASE_WORDS[phase])}`,
    " · ",
    language.say(updates.length === 1 ? "updatesOne" : "updates", {
      COUNT: language.number(updates.length),
    }),
  ];
}

/** Incidents that go on, with what was last written on each; nothing where there are none. */
export function ActiveIncidents({ view, incidents, link }: {
  view: View;
  incidents: readonly ListedIncident[];
  link: Link;
}) {
  if (incidents.length === 0) return null;
  return (
    <section class="active">
      <h2>{view.language.say("activeIncidents")}</h2>
      <IncidentCards view={view} incidents={incidents} link={link} tellsNewest />
    </section>
  );
}

interface PlannedProps {
  view: View;
  link: Link;
}

/** Maintenance that goes on or is ahead, in the order given. */
export function PlannedWindows(
  { windows, ...props }: PlannedProps & { windows: readonly ListedWindow[] },
) {
  return (
    <ul class="incidents">
      {windows.map((one) => <Planned {...one} {...props} />)}
    </ul>
  );
}

/** Maintenance that is ahead: of what comes again and again the next ones, and how many follow. */
export function PlannedSeries(
  { series, view, link }: PlannedProps & { series: readonly Series[] },
) {
  const { language } = view;
  return series.map(({ next, more, last }) => (
    <div class="series">
      <PlannedWindows windows={next} view={view} link={link} />
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

function Planned({ window, id, view, link }: ListedWindow & PlannedProps) {
  const { language, report } = view;
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
          <SiteLinks slugs={[...sites.keys()]} view={view} link={link} />
        </p>
      )}
    </li>
  );
}

/** The days of a month that have incidents. */
export function MonthDays(
  { month: { days }, view, link }: {
    month: IncidentMonth;
    view: View;
    link: Link;
  },
) {
  return [...days].map(([date, own]) => (
    <section class="day" id={date}>
      <h2>
        <time datetime={date}>{view.language.day(date)}</time>
      </h2>
      <IncidentCards view={view} incidents={own} link={link} isDated={false} />
    </section>
  ));
}

export function MonthList({ language, months, at, linkTo }: MonthsProps) {
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
                  href={linkTo(one.month)}
                  aria-current={at !== undefined && one === months[at] ? "true" : undefined}
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

/** Months that have pages. */
interface MonthsProps {
  language: Language;
  /** The newest first. */
  months: readonly IncidentMonth[];
  at?: number;
  /** The address of the page of one. */
  linkTo(month: string): string;
}

/** To the months beside the one that is shown. */
export function MonthTurn({ language, months, at = NaN, linkTo }: MonthsProps) {
  const [later, earlier] = [months[at - 1], months[at + 1]];
  if (later === undefined && earlier === undefined) return null;
  const to = (one: IncidentMonth | undefined, key: "monthEarlier" | "monthLater") =>
    one !== undefined && (
      <a href={linkTo(one.month)}>
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

export function Cause({ cause, view, link }: { cause: string; view: View; link: Link }) {
  const other = view.incidents.get(cause);
  if (other === undefined) return <span dir="auto">{plainText(cause)}</span>;
  return <a href={link(incidentPagePath(cause))}>{incidentWords(other, view).title}</a>;
}
