import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { listSlugs } from "../../lib/history/stored_incidents.ts";
import { listGroups, listNotUp, type SiteGroup } from "../../lib/page/groups.ts";
import { type ListedIncident, listOpenIncidents } from "../../lib/page/incidents.ts";
import {
  computeGroupOverall,
  findLeastRule,
  listImpacts,
  type Overall,
  OVERALL_STATES,
} from "../../lib/page/overall.ts";
import type { ENGLISH } from "../../lib/text/english.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { ActiveIncidents } from "./incident_lists.tsx";
import type { Language } from "./language.ts";
import { Layout } from "./layout.tsx";
import { BAR_WINDOWS, ChecksUpTo, Shape, WindowChoice } from "./parts.tsx";
import { SiteRows } from "./site_rows.tsx";
import { describeStatuses } from "./status_counts.ts";
import type { Page, PageView } from "./view.ts";

export const groupPages: Page = function* ({ report, incidents }) {
  const open = listOpenIncidents(incidents, report.time);
  for (const group of listGroups(report.sites)) {
    yield [group.path, (view) => <GroupPage view={view} group={group} open={open} />];
  }
};

function GroupPage({ view, group: { name, sites }, open }: {
  view: PageView;
  group: SiteGroup;
  open: readonly ListedIncident[];
}) {
  const { language, link, report } = view;
  const { say } = language;
  const overall = computeGroupOverall(sites, report);
  const [NAME, STATE] = [nameGroup(name, language), say(overallWord(overall))];
  const slugs = new Set(sites.map(({ site }) => site.slug));
  const incidents = open.filter(([, one]) => listSlugs(one).some((slug) => slugs.has(slug)));
  return (
    <Layout view={view} title={NAME} description={say("groupDescription", { NAME, STATE })}>
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{say("allSites")}</a>
      </p>
      <section
        class={`hero ${OVERALL_STATES[overall]}`}
        data-overall={hasOverall(overall)}
        data-least={findLeastRule(listImpacts(sites, report))}
      >
        <h1>
          <Shape of={OVERALL_STATES[overall]} />
          <span>
            <span class="called" dir="auto">{NAME}</span> <span class="word">{STATE}</span>
          </span>
        </h1>
        <ChecksUpTo view={view} />
      </section>
      <ActiveIncidents view={view} incidents={incidents} />
      <section>
        <div class="bar">
          <h2>{say("liveStatus")}</h2>
          <WindowChoice language={language} of="window" names={BAR_WINDOWS} />
        </div>
        <SiteRows view={view} sites={sites} />
      </section>
    </Layout>
  );
}

/** All groups with their overall status and the numbers of their sites. */
export function GroupRows({ view }: { view: PageView }) {
  const { language, link, report } = view;
  return (
    <section>
      <h2>{language.say("groups")}</h2>
      <ul class="sites card">
        {listGroups(report.sites).map(({ name, sites, path }) => {
          const overall = computeGroupOverall(sites, report);
          const state = OVERALL_STATES[overall];
          return (
            <li class="site">
              <a class="name" href={link(path)}>
                <span dir="auto">{nameGroup(name, language)}</span>
              </a>
              <span class={`state ${state}`}>
                <Shape of={state} />{" "}
                <span class="word">
                  {language.say(state === "up" ? "up" : overallWord(overall))}
                </span>
              </span>
              <span class="figures">
                {describeStatuses(sites, view)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The sites that are neither up nor paused, the worst first. */
export function SitesNotUp({ view }: { view: PageView }) {
  const { language, report } = view;
  const sites = listNotUp(report);
  if (sites.length === 0) return null;
  return (
    <section>
      <div class="bar">
        <h2>{language.say("sitesNotUp")}</h2>
        <WindowChoice language={language} of="window" names={BAR_WINDOWS} />
      </div>
      <SiteRows view={view} sites={sites} />
    </section>
  );
}

/** The word for the overall status of a group, whose sites may all be paused. */
export function overallWord(overall: Overall): keyof typeof ENGLISH {
  return overall === "nothingMonitored" ? "paused" : overall;
}

/** True if the overall status of a group follows its sites; absent if all are paused. */
export function hasOverall(overall: Overall): true | undefined {
  return overall === "nothingMonitored" ? undefined : true;
}

export function nameGroup(name: string | undefined, { say }: Language): string {
  return name === undefined ? say("otherSites") : plainText(name);
}
