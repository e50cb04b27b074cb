import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { listSlugs } from "../../lib/history/stored_incidents.ts";
import { listGroups, type SiteGroup } from "../../lib/page/groups.ts";
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
import { ChecksUpTo, Shape } from "./parts.tsx";
import { Services } from "./services.tsx";
import type { Page, PageView } from "./view.ts";

export const groupPages: Page = function* ({ report, incidents }) {
  const open = listOpenIncidents(incidents, report.time);
  for (const group of listGroups(report)) {
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
      <Services view={view} sites={sites} />
    </Layout>
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
