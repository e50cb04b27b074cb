import { incidentPagePath, type Link } from "../../../lib/config/page_path.ts";
import type { ListedWindow, Series } from "../../../lib/page/incidents/planned_maintenance.ts";
import { plainText, shorten } from "../../../lib/text/plain_text.ts";
import { isBefore } from "../../../lib/time.ts";
import type { View } from "../page.ts";
import { LONGEST_NAME } from "../incident_words.ts";
import { Period } from "./period.tsx";
import { Shape } from "./shape.tsx";
import { SiteLinks } from "./site_links.tsx";

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
