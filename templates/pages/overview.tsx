import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { listOpenIncidents, splitMaintenance } from "../../lib/page/incidents.ts";
import { findLeastRule } from "../../lib/page/overall.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { describeOverall } from "./describe_overall.tsx";
import { Headline } from "./headline.tsx";
import { ActiveIncidents, PlannedWindows } from "./incident_cards.tsx";
import { Layout } from "./layout.tsx";
import { Markdown } from "./markdown.tsx";
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
      <Maintenance view={view} />
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

const MOST_PLANNED = 3;

/** Ongoing maintenance, and the next windows of some series. */
function Maintenance({ view }: { view: PageView }) {
  const { report: { maintenance, time }, incidents, language } = view;
  const { going, ahead } = splitMaintenance(maintenance, incidents, time);
  const next = ahead.flatMap((series) => series.next.slice(0, 1)).slice(0, MOST_PLANNED);
  const windows = [...going, ...next];
  if (windows.length === 0) return null;
  return (
    <section>
      <h2>{language.say(going.length > 0 ? "maintenance" : "scheduledMaintenance")}</h2>
      <PlannedWindows windows={windows} view={view} />
    </section>
  );
}
