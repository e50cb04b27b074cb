import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { listOpenIncidents } from "../../lib/page/incidents.ts";
import { findLeastRule } from "../../lib/page/overall.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { describeOverall } from "./describe_overall.tsx";
import { Headline } from "./headline.tsx";
import { ActiveIncidents } from "./incident_cards.tsx";
import { Layout } from "./layout.tsx";
import { Markdown } from "./markdown.tsx";
import { NextMaintenance } from "./planned.tsx";
import { RecentIncidents } from "./recent_incidents.tsx";
import { Services } from "./services.tsx";
import type { Page, PageView } from "./view.ts";

/** Most active incidents: the sites below them should stay in reach. */
const MOST_ACTIVE = 30;

export const overview: Page = () => [[PAGE_PATHS.overview, Overview]];

function Overview(view: PageView) {
  const { report, incidents } = view;
  const words = describeOverall(view);
  const { overall, sentence, line } = words;
  const title = overall === "allSystemsOperational" ? undefined : sentence;
  const description = `${view.language.say("sentence", { TEXT: sentence })} ${line}`.trim();
  return (
    <Layout {...{ view, title, description }}>
      <Headline view={view} words={words} least={findLeastRule(report.impacts?.all)} />
      <ActiveIncidents
        view={view}
        incidents={listOpenIncidents(incidents, report)}
        most={MOST_ACTIVE}
      />
      <Intro view={view} />
      <NextMaintenance view={view} />
      {report.sites.length > 0 && <Services view={view} sites={report.sites} />}
      <RecentIncidents view={view} />
    </Layout>
  );
}

function Intro({ view }: { view: PageView }) {
  const { introTitle, introMessage = "" } = view.settings;
  const title = introTitle === undefined ? "" : `# ${plainText(introTitle)}\n\n`;
  const text = title + introMessage;
  if (text === "") return null;
  return (
    <section class="intro">
      <Markdown {...{ text, under: 1, prefix: "intro-", view }} />
    </section>
  );
}
