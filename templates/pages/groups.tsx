import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { listSlugs } from "../../lib/history/stored_incidents.ts";
import { hasNames, listGroups, type SiteGroup } from "../../lib/page/groups.ts";
import { groupBySite, type ListedIncident, listOpenIncidents } from "../../lib/page/incidents.ts";
import { findLeastRule, listImpacts } from "../../lib/page/overall.ts";
import { describeOverall } from "./describe_overall.tsx";
import { describeGroup, nameGroup } from "./group_words.tsx";
import { Headline } from "./headline.tsx";
import { ActiveIncidents } from "./incident_cards.tsx";
import { Layout } from "./layout.tsx";
import { PastIncidents } from "./past_incidents.tsx";
import { NextMaintenance } from "./planned.tsx";
import { Services } from "./services.tsx";
import type { Page, PageView } from "./view.ts";

export const groupPages: Page = function* ({ report, incidents }) {
  const open = listOpenIncidents(incidents, report);
  const groups = listGroups(report);
  const hasFeeds = hasNames(groups);
  for (const group of groups) {
    yield [group.path, (view) => <GroupPage {...{ view, group, open, hasFeeds }} />];
  }
};

function GroupPage({ view, group, open, hasFeeds }: {
  view: PageView;
  group: SiteGroup;
  hasFeeds: boolean;
  open: readonly ListedIncident[];
}) {
  const { language, link, report } = view;
  const { name, sites } = group;
  const { say } = language;
  const words = describeOverall(view, sites);
  const [NAME, STATE] = [nameGroup(name, language), words.sentence];
  const note = describeGroup(group, language);
  const slugs = new Set(sites.map(({ site }) => site.slug));
  const past = new Map(
    sites.flatMap(({ site }) => groupBySite(view.incidents).get(site.slug) ?? []),
  );
  const incidents = open.filter(([, one]) => listSlugs(one).some((slug) => slugs.has(slug)));
  return (
    <Layout
      view={view}
      title={NAME}
      description={say("groupDescription", { NAME, STATE })}
      feeds={hasFeeds ? { page: group.path, title: NAME } : undefined}
    >
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{say("allSites")}</a>
      </p>
      <Headline
        view={view}
        words={words}
        least={findLeastRule(listImpacts(sites, report))}
        called={NAME}
      />
      {note.length > 0 && <p class="muted">{note}</p>}
      <ActiveIncidents view={view} incidents={incidents} />
      <NextMaintenance view={view} slugs={slugs} />
      <Services view={view} sites={sites} />
      <PastIncidents view={view} incidents={[...past]} />
    </Layout>
  );
}
