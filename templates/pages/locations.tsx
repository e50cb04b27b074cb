import type { LocationReport } from "../../lib/statistics/report/location_reports.ts";
import { sortWorstFirst } from "../../lib/statistics/report/location_reports.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { NOTHING } from "../words.ts";
import type { Language } from "./language.ts";
import { FIRST_WINDOW, PerWindow, Shape, Time } from "./parts.tsx";
import type { View } from "./view.ts";

const LONGEST_NAME = 80;
const LONGEST_LINE_NAME = 40;
const LONGEST_ERROR = 120;

/** The name of a line, also as the head of a column. */
export function LineName({ name }: { name: string }) {
  return <bdi>{shorten(name, LONGEST_LINE_NAME)}</bdi>;
}

/** Locations of a site, the worst first, with their figures in the chosen window. */
export function Locations({ view, report }: { view: View; report: SiteReport }) {
  const { language } = view;
  if (report.locations === undefined) return null;
  const titles = ["location", "status", "uptime", "mean", "p95", "lastResult"] as const;
  return (
    <section>
      <h2>{language.say("locations")}</h2>
      <div class="card scroll" role="group" tabindex={0} aria-label={language.say("locations")}>
        <table class="locations">
          <thead>
            <tr>{titles.map((title) => <th scope="col">{language.say(title)}</th>)}</tr>
          </thead>
          <tbody>
            {sortWorstFirst(report.locations, FIRST_WINDOW).map((one) => (
              <LocationRow slug={report.site.slug} location={one} language={language} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function LocationRow(
  { slug, location, language }: { slug: string; location: LocationReport; language: Language },
) {
  const { name, state, statistics } = location;
  // Narrow windows have no heads of columns.
  const head = (key: "uptime" | "mean" | "p95" | "lastResult") => [
    <span class="narrow">{language.say(key)}</span>,
    " ",
  ];
  const time = (figure: "mean" | "p95") => (
    <PerWindow statistics={statistics}>
      {({ responseTimes }) =>
        responseTimes ? language.milliseconds(responseTimes[figure]) : NOTHING}
    </PerWindow>
  );
  return (
    <tr>
      <th scope="row">
        <bdi>{shorten(name, LONGEST_NAME)}</bdi>
      </th>
      <td>
        <span class={state} data-of={slug} data-location={name}>
          <Shape of={state} /> <span class="word">{language.say(state)}</span>
        </span>
      </td>
      <td>
        {head("uptime")}
        <PerWindow statistics={statistics}>
          {({ uptime }) => uptime === undefined ? NOTHING : language.share(uptime)}
        </PerWindow>
      </td>
      <td>
        {head("mean")}
        {time("mean")}
      </td>
      <td>
        {head("p95")}
        {time("p95")}
      </td>
      <td>
        {hasResult(location) && head("lastResult")}
        <LastResult location={location} language={language} />
      </td>
    </tr>
  );
}

/** False if its last result is too old to say how it is, or there is none. */
function hasResult({ state, last }: LocationReport): boolean {
  return last !== undefined && (state !== "unknown" || last.state === "unknown");
}

function LastResult({ location, language }: { location: LocationReport; language: Language }) {
  const { last } = location;
  if (last === undefined) return <>{language.say("noResultYet")}</>;
  const TIME = <Time at={last.time} language={language} />;
  if (!hasResult(location)) return <>{language.sayElements("noResultSince", { TIME })}</>;
  const error = plainText(last.error ?? "");
  return (
    <>
      {TIME}
      {error !== "" && (
        <span class="muted">
          <bdi>{shorten(error, LONGEST_ERROR)}</bdi>
        </span>
      )}
    </>
  );
}
