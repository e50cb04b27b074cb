import {
  countProblems,
  countShownRows,
  foldSites,
  type GroupSummary,
  hasFilter,
  isOpenGroup,
  listGroups,
  MOST_SITES,
  type SiteGroup,
  summarizeGroup,
} from "../../lib/page/groups.ts";
import type { WindowName } from "../../lib/history/windows.ts";
import { findMonitoringStart, isBeyondMonitoring } from "../../lib/page/monitored.ts";
import { computeMeanUptime, type Report } from "../../lib/statistics/report/report.ts";
import { describeGroup, nameGroup } from "./group_words.tsx";
import type { Language } from "./language.ts";
import { BAR_WINDOWS, FIRST_WINDOW, Shape, WindowChoice } from "./parts.tsx";
import { formatFigures, formatUptime, perWidth, SiteRows } from "./site_rows.tsx";
import { StripDays } from "./strip_days.tsx";
import { StripEnds } from "./strip.tsx";
import type { PageView } from "./view.ts";

interface ServicesProps {
  view: PageView;
  sites: Report["sites"];
}

/** Sites by their groups. The script shows what has the attribute `hidden`. */
export function Services({ view, sites }: ServicesProps) {
  const { report } = view;
  const groups = listGroups({ groups: report.groups, sites });
  const hasBars = sites.length <= MOST_SITES;
  const isOpen = (group: SiteGroup) => isOpenGroup(summarizeGroup(group.sites, report), report);
  const isSplit = groups.length > 1;
  const most = countShownRows(isSplit ? groups.filter(isOpen).map((one) => one.sites) : [sites]);
  return (
    <section id="services">
      <Head view={view} sites={sites} />
      {hasBars && <Axis view={view} sites={sites} />}
      {isSplit
        ? groups.map((group) => (
          <Group
            {...{ view, group, hasBars }}
            {...isOpen(group)
              ? { isOpen: true, most }
              : { isOpen: false, most: group.sites.length }}
          />
        ))
        : (
          <div class="card">
            {sites === report.sites && <OnlyGroup group={groups[0]!} language={view.language} />}
            <Rows {...{ view, group: groups[0]!, hasBars, most }} />
          </div>
        )}
      {hasBars && (
        <>
          <Legend view={view} />
          <StripDays view={view} sites={sites} />
        </>
      )}
    </section>
  );
}

function Head({ view, sites }: ServicesProps) {
  const { language: { say }, language, report: { time, impacts } } = view;
  const problems = countProblems({ sites, impacts });
  const known = { first: findMonitoringStart(sites), now: time.epochMilliseconds };
  const isFiltered = hasFilter(sites);
  return (
    <div class="bar">
      <h2>{say("liveStatus")}</h2>
      {isFiltered && (
        <>
          <div class="chips" hidden>
            <button type="button" aria-pressed="true" data-only="">
              {say("allCount", { COUNT: sites.length })}
            </button>
            <button type="button" aria-pressed="false" data-only="problems" hidden={problems === 0}>
              {say("problemCount", { COUNT: problems })}
            </button>
          </div>
          <input
            class="find"
            type="search"
            placeholder={say("findService")}
            aria-label={say("findService")}
            aria-keyshortcuts="/"
            hidden
          />
        </>
      )}
      {known.first !== undefined && (
        <WindowChoice
          language={language}
          of="window"
          names={BAR_WINDOWS}
          isDisabled={(name) => name !== FIRST_WINDOW && isBeyondMonitoring(name, known)}
        />
      )}
      {isFiltered && <p class="found" role="status"></p>}
    </div>
  );
}

/** The ends of the bars and the names of the columns, once above all groups; columns without figures have none. */
function Axis({ view, sites }: ServicesProps) {
  const { say } = view.language;
  const hasFigures = sites.some(({ statistics }) => statistics.all.checks > 0);
  return (
    <div class="columns" aria-hidden="true">
      <StripEnds view={view} sites={sites} />
      <p>{hasFigures && say("lastWeek")}</p>
      <p>{hasFigures && say("response")}</p>
      <p>{hasFigures && say("uptime")}</p>
    </div>
  );
}

interface GroupProps {
  view: PageView;
  group: SiteGroup;
  hasBars: boolean;
  /** Most rows that are shown at first. */
  most: number;
}

function Group({ isOpen, ...props }: GroupProps & { isOpen: boolean }) {
  const { view, group } = props;
  const { language, report } = view;
  const { name, slug, sites } = group;
  const note = describeGroup(group, language);
  const summary = summarizeGroup(sites, report);
  const uptime = (window: WindowName) => formatUptime(computeMeanUptime(sites, window), language);
  return (
    <details class="group card" id={`g-${slug}`} open={isOpen}>
      <summary data-figures={formatFigures((window) => [uptime(window)])}>
        <h3 dir="auto">{nameGroup(name, language)}</h3>
        <Health summary={summary} language={language} />
        <span class="sum">
          <span class="wide">
            <bdi>{language.say("serviceCount", { COUNT: sites.length })}</bdi>
            {" ·"}
          </span>{" "}
          <b class="uptime">{perWidth(uptime)}</b>
        </span>
        {note.length > 0 && <span class="note">{note}</span>}
      </summary>
      <Rows {...props} />
    </details>
  );
}

/** The rows of a list; if it is long, those of its worst sites, and the others folded. */
function Rows({ view, group: { slug, sites }, hasBars, most }: GroupProps) {
  const { language: { say }, language, report } = view;
  const { shown, folded } = foldSites(sites, report, most);
  return (
    <>
      <SiteRows {...{ view, sites: shown, hasBars }} />
      {folded.length > 0 && (
        <details class="fold" id={`m-${slug}`}>
          <summary>
            {say("moreServices", { COUNT: folded.length })}
            <Health summary={summarizeGroup(folded, report)} language={language} />
          </summary>
          <SiteRows {...{ view, sites: folded, hasBars }} />
        </details>
      )}
    </>
  );
}

/** The heading of a group that all sites of the overview are in; absent if they are in none. */
function OnlyGroup({ group, language }: { group: SiteGroup; language: Language }) {
  if (group.name === undefined) return null;
  const note = describeGroup(group, language);
  return (
    <div class="only">
      <h3 dir="auto">{nameGroup(group.name, language)}</h3>
      {note.length > 0 && <p class="note">{note}</p>}
    </div>
  );
}

/** `4 of 6 operational`, on narrow windows `4 of 6`; a word if it holds for all sites, or there is one alone. */
function Health(
  { summary: { worst, up, total }, language: { say } }: {
    summary: GroupSummary;
    language: Language;
  },
) {
  const isPlain = total === 1 || worst === "up" || worst === "paused" ||
    (worst === "unknown" && up === 0);
  if (isPlain) {
    return (
      <span class={`health ${worst}`} data-group>
        <Shape of={worst} /> <span class="word">{say(worst)}</span>
      </span>
    );
  }
  const counts = { COUNT: up, TOTAL: total };
  return (
    <span class={`health pill ${worst}`} data-group>
      <span class="wide">{say("operationalCount", counts)}</span>
      <span class="narrow">{say("partCount", counts)}</span>
    </span>
  );
}

const LEGEND = ["up", "degraded", "down", "maintenance", "unknown"] as const;

/** The colors of the bars. */
function Legend({ view: { language: { say } } }: { view: PageView }) {
  return (
    <p class="legend">
      {LEGEND.map((state) => (
        <span>
          <i class={state}></i> {say(state === "up" ? "noIncidents" : state)}
        </span>
      ))}
      <span>{say("legendHeight")}</span>
    </p>
  );
}
