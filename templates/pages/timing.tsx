import type { Phases as PhaseTimes } from "../../lib/checks/observation.ts";
import { NO_TIMES } from "../../lib/history/older_times.ts";
import { TIMING_NAMES } from "../../lib/history/site_history.ts";
import { computeWeekHours, type WeekHours } from "../../lib/statistics/medians.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { DAY } from "../../lib/time.ts";
import type { Language } from "./language.ts";
import type { View } from "./view.ts";

/** When a site is slow, and in which part of a check, side by side. */
export function Timing({ view, report }: { view: View; report: SiteReport }) {
  const { language, olderTimes, settings: { timezone } } = view;
  const hours = computeWeekHours(report, olderTimes.get(report.site.slug) ?? NO_TIMES, timezone);
  const { timings } = report;
  if (hours === undefined && timings === undefined) return null;
  return (
    <div class="two">
      {hours && <WeekByHour hours={hours} language={language} />}
      {timings && <Phases timings={timings} language={language} />}
    </div>
  );
}

const STEPS = 5;

/** The darkest of five steps is that of the slowest hours. */
function toStep(median: number | undefined, { low, high }: WeekHours): string | undefined {
  if (median === undefined) return undefined;
  const share = high === low ? 0 : (median - low) / (high - low);
  return `h${Math.min(STEPS - 1, Math.max(0, Math.floor(STEPS * share)))}`;
}

/** 5 January 1970, a Monday. */
const MONDAY = 4 * DAY;

function WeekByHour({ hours, language }: { hours: WeekHours; language: Language }) {
  const cells = hours.medians.flatMap((medians, day) =>
    medians.flatMap((median, hour) => median === undefined ? [] : [{ day, hour, median }])
  ).sort((one, other) => one.median - other.median);
  const weekday = (day: number) => language.weekday(MONDAY + day * DAY);
  const describe = ({ day, hour, median }: typeof cells[number]) =>
    language.say("weekHour", {
      DAY: weekday(day).long,
      FROM: language.number(hour),
      TO: language.number(hour + 1),
      TIME: language.milliseconds(median),
    });
  const [fastest, slowest] = [cells[0], cells.at(-1)];
  const words = slowest && fastest
    ? language.say("weekHoursOf", { SLOWEST: describe(slowest), FASTEST: describe(fastest) })
    : language.say("noTimes");
  return (
    <section>
      <h2>{language.say("weekHours")}</h2>
      <div class="card">
        <div class="hours" role="img" aria-label={words}>
          {hours.medians.map((_, index) => (language.firstDay - 1 + index) % 7).flatMap((day) => [
            <b>{weekday(day).short}</b>,
            ...hours.medians[day]!.map((median) => <i class={toStep(median, hours)} />),
          ])}
          <b />
          {[0, 6, 12, 18].map((hour) => <b class="hour">{String(hour).padStart(2, "0")}</b>)}
        </div>
        <p class="muted" aria-hidden="true">{words}</p>
      </div>
    </section>
  );
}

const WORDS = {
  dns: "phaseDns",
  connect: "phaseConnect",
  tls: "phaseTls",
  ttfb: "phaseTtfb",
  download: "phaseDownload",
} as const satisfies Record<keyof PhaseTimes, MessageKey>;

function Phases({ timings, language }: { timings: PhaseTimes; language: Language }) {
  const whole = TIMING_NAMES.reduce((sum, name) => sum + timings[name], 0);
  const percent = (part: number) => whole === 0 ? "0" : `${Math.round(part / whole * 1000) / 10}%`;
  let start = 0;
  return (
    <section>
      <h2>{language.say("phases")}</h2>
      <div class="card">
        <svg class="phases" aria-hidden="true">
          {TIMING_NAMES.map((name) => {
            const x = percent(start);
            start += timings[name];
            return <rect class={name} x={x} width={percent(timings[name])} height="14" />;
          })}
        </svg>
        <table>
          <tbody>
            {TIMING_NAMES.map((name) => (
              <tr>
                <th scope="row">
                  <svg class="phases" aria-hidden="true">
                    <rect class={name} width="100%" height="14" />
                  </svg>
                  {language.say(WORDS[name])}
                </th>
                <td>{language.milliseconds(timings[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="muted">{language.say("phasesOf")}</p>
      </div>
    </section>
  );
}
