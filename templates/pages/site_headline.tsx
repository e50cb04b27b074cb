import { shownAddress } from "../../lib/config/config.ts";
import { findResponseTime } from "../../lib/history/record.ts";
import { findLeastState } from "../../lib/incidents/impact.ts";
import { computeDisplayStatus, type DisplayStatus } from "../../lib/page/overall.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { STATES } from "../../lib/state.ts";
import { DAY, earliest, isBefore } from "../../lib/time.ts";
import { siteName } from "../words.ts";
import type { Content } from "./html.ts";
import { ErrorText } from "./incident_cards.tsx";
import { DOT, type Fact, Facts, Shape, SiteIcon, SiteLink, Time } from "./parts.tsx";
import type { PageView, View } from "./view.ts";

interface Props {
  view: PageView;
  report: SiteReport;
}

const SENTENCES = {
  up: "isUp",
  degraded: "isDegraded",
  down: "isDown",
  maintenance: "isInMaintenance",
  unknown: "isUnknown",
  paused: "isPaused",
} as const satisfies Record<DisplayStatus, MessageKey>;

/** How a site is, for how long, and why. */
export function SiteHeadline({ view, report }: Props) {
  const { language } = view;
  const { site } = report;
  const shown = computeDisplayStatus(report, view);
  const name = siteName(site.slug, [site]);
  const say = (status: DisplayStatus) =>
    language.say(SENTENCES[status], { NAME: language.isolate(name) });
  const isWaiting = report.record === undefined && report.statistics.all.checks === 0;
  const sentence = isWaiting && shown === "unknown"
    ? language.say("labeled", { NAME: language.isolate(name), VALUE: language.say("noChecks") })
    : say(shown);
  // The script shows that of a newer state.
  const sentences = Object.fromEntries(STATES.map((state) => [state, say(state)]));
  return (
    <section
      class={`hero ${shown}`}
      data-slug={site.slug}
      data-least={findLeastState(site.slug, view.report.impacts)}
      data-sentences={JSON.stringify(sentences)}
    >
      <h1>
        <Shape of={shown} />
        <span>
          <SiteIcon view={view} site={site} />{" "}
          <span class="word" dir={language.sentenceDirection}>{sentence}</span>
        </span>
      </h1>
      <Since view={view} report={report} shown={shown} />
      {site.description !== undefined && (
        <p class="about" dir="auto">{plainText(site.description)}</p>
      )}
      <LastCheck view={view} report={report} />
    </section>
  );
}

const LONGEST_ERROR = 200;

const UNTIL = {
  up: "upUntil",
  degraded: "degradedUntil",
  down: "downUntil",
} as const;

/** For how long it is in the shown state, and what the monitor saw. */
function Since({ view, report, shown }: Props & { shown: DisplayStatus }) {
  const { language, incidents, report: { time } } = view;
  const { record, condition, knownUntil, lastCheck } = report;
  if (record === undefined) return null;
  if (shown === "unknown" && condition !== undefined && knownUntil !== undefined) {
    const covered = Temporal.Instant.fromEpochMilliseconds(knownUntil);
    // The overview says when it was checked last, not how long that counts.
    const TIME = <Time at={earliest(covered, lastCheck ?? covered)} language={language} />;
    return <Line>{language.sayElements(UNTIL[condition], { TIME })}</Line>;
  }
  if (shown === "maintenance") {
    const until = view.report.maintenance
      .filter(({ start, sites }) => sites.has(report.site.slug) && !isBefore(time, start))
      .map((window) => window.until).sort(Temporal.Instant.compare).at(-1);
    if (until !== undefined) {
      const TIME = <Time at={until} language={language} />;
      return <Line>{language.sayElements("maintenanceUntil", { TIME })}</Line>;
    }
  }
  if (shown !== condition) return null;
  // The page's time is a second after the last check.
  const seconds = Math.max(1, (time.epochMilliseconds - record.since.epochMilliseconds) / 1000);
  const day = DAY / 1000;
  const unit = seconds >= 2 * day ? day : seconds >= 60 ? 60 : 1;
  const TIME = language.duration(seconds - seconds % unit);
  if (shown === "up") return <Line>{language.say("upFor", { TIME })}</Line>;
  const isToday = language.dateOf(record.since) === language.dateOf(time);
  const incident = record.incident === undefined ? undefined : incidents.get(record.incident);
  return (
    <Line>
      {language.sayElements("forSince", {
        TIME: <span data-lasts={`${Math.floor(seconds)} $TIME`}>{TIME}</span>,
        START: <Time at={record.since} language={language} of={isToday ? "clock" : "moment"} />,
      })}
      {incident !== undefined && "attempts" in incident && [
        language.gap,
        language.sayElements("confirmedAfter", {
          COUNT: incident.attempts,
          ERROR: (
            <ErrorText
              error={plainText(incident.reasons.at(-1)?.error ?? incident.error)}
              view={view}
              most={LONGEST_ERROR}
            />
          ),
        }),
      ]}
    </Line>
  );
}

/** The line below the headline; it is wrong once the script shows another state. */
function Line({ children }: { children: Content }) {
  return (
    <p class="line since">
      <bdi>{children}</bdi>
    </p>
  );
}

/** When it was checked last and what it answered, and its address. */
function LastCheck({ view, report }: Props) {
  const { language } = view;
  const { site, record, lastCheck } = report;
  const address = shownAddress(site);
  const parts: Content[][] = [];
  if (record !== undefined) {
    const { lastUpdated, code } = record;
    const time = findResponseTime(record);
    // A check during maintenance doesn't change the record.
    const isLast = lastCheck === undefined || Temporal.Instant.compare(lastCheck, lastUpdated) <= 0;
    const TIME = <Time at={lastCheck ?? lastUpdated} language={language} />;
    parts.push(language.sayElements("checksUpTo", { TIME }));
    if (isLast && site.check === "http" && code > 0) {
      parts.push([<span class="whole">{language.say("codeOf", { CODE: String(code) })}</span>]);
    }
    if (isLast && time !== undefined) {
      parts.push([<span class="whole">{language.milliseconds(time)}</span>]);
    }
  }
  if (address) parts.push([<Address text={address} />]);
  if (parts.length === 0) return null;
  return <p class="times">{parts.flatMap((part, index) => index === 0 ? part : [DOT, part])}</p>;
}

const LONGEST_ADDRESS = 100;

function Address({ text }: { text: string }) {
  const shown = shorten(plainText(text), LONGEST_ADDRESS);
  return /^https?:\/\//i.test(text) && !/\$[A-Za-z_]/.test(text) && URL.canParse(text)
    ? <a href={text} rel="noopener" dir="ltr">{shown.replace(/^https:\/\/([^/]+)\/?$/i, "$1")}</a>
    : <bdi dir="ltr">{shown}</bdi>;
}

/** Known facts other than states and numbers, in a row. */
export function SiteFacts({ view, report }: Props) {
  const { language } = view;
  const { site, record, lastBeat } = report;
  const name = (text: string) => <bdi>{plainText(text)}</bdi>;
  const dependencies = site.dependsOn.flatMap((one): Content[] => {
    if ("slug" in one) return [<SiteLink slug={one.slug} view={view} />];
    const own = shownAddress({ url: one.address, hideUrl: false });
    return own === undefined ? [] : [name(own)];
  });
  const facts: Fact[] = [
    [language.say("lastBeat"), lastBeat && <Time at={lastBeat} language={language} />],
    [language.say("dependsOn"), dependencies.length > 0 && language.clauses(dependencies)],
    [language.say("tags"), site.tags.length > 0 && language.clauses(site.tags.map(name))],
    [
      language.say("certificate"),
      record?.certificate && <CertificateExpiry until={record.certificate} view={view} />,
    ],
  ];
  if (facts.every(([, content]) => !content)) return null;
  return <Facts facts={facts} className="facts" />;
}

/** Remaining validity of a certificate that needs attention. */
const EXPIRES_SOON = 14 * DAY;

function CertificateExpiry(
  { until, view: { language, report: { time } } }: { until: Temporal.Instant; view: View },
) {
  const date = language.day(language.dateOf(until));
  const left = until.epochMilliseconds - time.epochMilliseconds;
  const rest = left < DAY ? left : Math.floor(left / DAY) * DAY;
  const words = isBefore(time, until)
    ? language.say("certificateValid", { DAY: date, TIME: language.duration(rest / 1000) })
    : language.say("certificateExpired", { DAY: date });
  if (left >= EXPIRES_SOON) return words;
  const state = isBefore(time, until) ? "degraded" : "down";
  return (
    <span class={state}>
      <Shape of={state} /> {words}
    </span>
  );
}
