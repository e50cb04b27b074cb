import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { isPaged, listGroups, listNotUp, type SiteGroup } from "../../lib/page/groups.ts";
import { computeGroupOverall, OVERALL_STATES } from "../../lib/page/overall.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Language } from "./language.ts";
import { Layout } from "./layout.tsx";
import { BAR_WINDOWS, Shape, WindowChoice } from "./parts.tsx";
import { SiteRows } from "./site_rows.tsx";
import { describeStatuses } from "./status_counts.ts";
import type { Page, PageView } from "./view.ts";

/** The pages of groups, if the overview has too many sites for one page. */
export const groupPages: Page = function* ({ report }) {
  if (!isPaged(report)) return;
  for (const group of listGroups(report.sites)) {
    for (const [at, { path }] of group.pages.entries()) {
      yield [path, (view) => <GroupPage view={view} group={group} at={at} />];
    }
  }
};

interface GroupPageProps {
  view: PageView;
  group: SiteGroup;
  /** Index of the page in those of the group. */
  at: number;
}

function GroupPage(props: GroupPageProps) {
  const { view, group: { name, sites, pages }, at } = props;
  const { language, link, report } = view;
  const { say, number } = language;
  const overall = computeGroupOverall(sites, report);
  const [NAME, STATE] = [nameGroup(name, language), say(overall)];
  const title = pages.length === 1
    ? NAME
    : say("groupPage", { NAME, NUMBER: number(at + 1), COUNT: number(pages.length) });
  return (
    <Layout view={view} title={title} description={say("groupDescription", { NAME, STATE })}>
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{say("allSites")}</a>
      </p>
      <section class={`hero ${OVERALL_STATES[overall]}`}>
        <h1>
          <Shape of={OVERALL_STATES[overall]} />
          <span>
            <span class="called" dir="auto">{title}</span> <span class="word">{STATE}</span>
          </span>
        </h1>
        <p class="times">
          {describeStatuses(sites, view)}
        </p>
      </section>
      <section>
        <div class="bar">
          <h2>{say("liveStatus")}</h2>
          <WindowChoice language={language} of="window" names={BAR_WINDOWS} />
        </div>
        <SiteRows view={view} sites={pages[at]!.sites} />
      </section>
      <PageList view={view} paths={pages.map(({ path }) => path)} at={at} />
    </Layout>
  );
}

/** Links to all pages of a list; none if it has only one. */
export function PageList({ view: { language, link }, paths, at }: {
  view: PageView;
  paths: readonly string[];
  /** Index of the present page. */
  at: number;
}) {
  if (paths.length === 1) return null;
  return (
    <section>
      <h2>{language.say("groupPages")}</h2>
      <ul class="month-list">
        {paths.map((path, index) => (
          <li>
            <a href={link(path)} aria-current={index === at ? "page" : undefined}>
              {language.say("pageNumber", { NUMBER: language.number(index + 1) })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All groups with their overall status and the numbers of their sites. */
export function GroupRows({ view }: { view: PageView }) {
  const { language, link, report } = view;
  return (
    <section>
      <h2>{language.say("groups")}</h2>
      <ul class="sites card">
        {listGroups(report.sites).map(({ name, sites, pages }) => {
          const overall = computeGroupOverall(sites, report);
          const state = OVERALL_STATES[overall];
          return (
            <li class="site">
              <a class="name" href={link(pages[0]!.path)}>
                <span dir="auto">{nameGroup(name, language)}</span>
              </a>
              <span class={`state ${state}`}>
                <Shape of={state} /> <span class="word">{language.say(overall)}</span>
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

/** Most sites in the list of those that are not up. */
const MOST_NOT_UP = 200;

/** The sites that are neither up nor paused, the worst first. */
export function SitesNotUp({ view }: { view: PageView }) {
  const { language, report } = view;
  const sites = listNotUp(report);
  if (sites.length === 0) return null;
  const rest = sites.length - MOST_NOT_UP;
  return (
    <section>
      <div class="bar">
        <h2>{language.say("sitesNotUp")}</h2>
        <WindowChoice language={language} of="window" names={BAR_WINDOWS} />
      </div>
      <SiteRows view={view} sites={sites.slice(0, MOST_NOT_UP)} isBrief />
      {rest > 0 && <p class="muted">{language.say("andMore", { COUNT: language.number(rest) })}</p>}
    </section>
  );
}

function nameGroup(name: string | undefined, { say }: Language): string {
  return name === undefined ? say("otherSites") : plainText(name);
}
