import { windowCalendarPath } from "../../lib/config/page_path.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { PHASE_KEYS } from "../../lib/incidents/phase_words.ts";
import { sortUpdates } from "../../lib/page/incident_cards.ts";
import { type ListedWindow, type Series, splitMaintenance } from "../../lib/page/incidents.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { isBefore } from "../../lib/time.ts";
import { CardFrame, Said, titleLink } from "./incident_cards.tsx";
import { LONGEST_NAME } from "./incident_words.ts";
import { DOT, Period, SiteLinks } from "./parts.tsx";
import type { PageView } from "./view.ts";

const MOST_PLANNED = 3;

/** Ongoing maintenance, and the next windows of some series; if they are given, of some sites. */
export function NextMaintenance(
  { view, slugs }: { view: PageView; slugs?: ReadonlySet<string> },
) {
  const { report: { maintenance, time }, incidents, language } = view;
  const split = splitMaintenance(maintenance, incidents, time);
  const isShown = ({ window: { sites } }: ListedWindow) =>
    slugs === undefined || [...sites.keys()].some((slug) => slugs.has(slug));
  const going = split.going.filter(isShown);
  const next = split.ahead.flatMap((series) => series.next.slice(0, 1)).filter(isShown);
  const windows = [...going, ...next.slice(0, MOST_PLANNED)];
  if (windows.length === 0) return null;
  return (
    <section>
      <h2>{language.say(going.length > 0 ? "maintenance" : "scheduledMaintenance")}</h2>
      <PlannedWindows windows={windows} view={view} />
    </section>
  );
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
            COUNT: more,
            DAY: language.day(language.dateOf(last.start)),
          })}
        </p>
      )}
    </div>
  ));
}

/** The calendar of one planned window. */
export function CalendarLink({ uid, view }: { uid: string; view: PageView }) {
  return <a href={view.link(windowCalendarPath(uid))}>{view.language.say("addToCalendar")}</a>;
}

function PlannedCard({ window, id, uid, view }: ListedWindow & { view: PageView }) {
  const { language, report, incidents } = view;
  const { start, until, sites } = window;
  const title = shorten(plainText(window.name), LONGEST_NAME) || language.say("maintenance");
  const isAhead = isBefore(report.time, start);
  const stored: StoredIncident | undefined = id === undefined ? undefined : incidents.get(id);
  const phase = stored?.updates.findLast((one) => one.phase !== undefined)?.phase;
  const standing = isAhead
    ? language.say("startsIn", { TIME: language.duration(secondsUntil(start, report.time)) })
    : language.say("maintenanceNow");
  return (
    <CardFrame
      state="maintenance"
      title={id === undefined
        ? <span dir="auto">{title}</span>
        : titleLink(id, { title, direction: "auto" }, view)}
      pill={{
        text: phase === undefined ? standing : language.say(PHASE_KEYS[phase]),
        state: "maintenance",
        starts: phase === undefined && isAhead ? start : undefined,
      }}
    >
      <p class="muted">
        <Period from={start} to={until} language={language} />
        {DOT}
        <bdi>{language.duration(until.since(start).total("seconds"))}</bdi>
        {sites.size > 0 && [DOT, <SiteLinks slugs={[...sites.keys()]} view={view} />]}
        {DOT}
        <CalendarLink uid={uid} view={view} />
      </p>
      {id !== undefined && stored !== undefined && (
        <Said view={view} id={id} updates={sortUpdates([[id, stored]])} />
      )}
    </CardFrame>
  );
}

/** Whole minutes in seconds, rounded up: what starts in 90 seconds doesn't start "in 1 min". */
function secondsUntil(start: Temporal.Instant, now: Temporal.Instant): number {
  return 60 * Math.ceil(start.since(now).total("minutes"));
}
