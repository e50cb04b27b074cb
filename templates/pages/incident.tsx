import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { incidentPagePath, linksOf, PAGE_PATHS } from "../../lib/config/page_path.ts";
import { incidentWords } from "./incident_words.ts";
import type { Page, View } from "./page.ts";
import { Course } from "./incident/course.tsx";
import { IncidentFacts } from "./incident/incident_facts.tsx";
import type { IncidentProps } from "./incident/incident_props.ts";
import { Layout } from "./layout/layout.tsx";
import { Markdown } from "./parts/markdown.tsx";
import { Shape } from "./parts/shape.tsx";
import { Updates } from "./incident/updates.tsx";

/** A page for everything that stands among the incidents. */
export const incident: Page = {
  *files(view) {
    for (const [id, one] of view.incidents) {
      const path = incidentPagePath(id);
      yield [path, <IncidentPage view={view} path={path} id={id} incident={one} />];
    }
  },
};

function IncidentPage(
  { view, path, id, incident }: Omit<IncidentProps, "link"> & { path: string },
) {
  const { language, settings } = view;
  const words = incidentWords(incident, view);
  const { title, direction, kind, state, stage, standing } = words;
  const link = linksOf(path, settings.base);
  const source = issueAddress(incident, view);
  const text = "text" in incident ? incident.text : "";
  const isMaintenance = incident.kind === "maintenance";
  const parts = { view, id, incident, link };
  const writing = { under: 2, view, link, source };
  return (
    <Layout view={view} path={path} title={title} description={`${title} (${standing})`}>
      <section class={`hero ${stage === "over" ? "past" : state}`}>
        <h1>
          <Shape of={state} /> <span dir={direction}>{title}</span>
        </h1>
        <p class="times">{kind} · {standing}</p>
      </section>
      <section>
        <h2>{language.say("incidentWords")}</h2>
        <IncidentFacts {...parts} words={words} source={source} />
      </section>
      {text !== "" && (
        <section>
          <h2>{language.say("incidentDetails")}</h2>
          <div class="card">
            <Markdown {...writing} text={text} prefix="d-" />
          </div>
        </section>
      )}
      <Course {...parts} />
      <Updates {...parts} source={source} />
      <p class="all">
        <a href={link(isMaintenance ? PAGE_PATHS.maintenance : PAGE_PATHS.incidents)}>
          {language.say(isMaintenance ? "maintenanceBack" : "incidentBack")}
        </a>
      </p>
    </Layout>
  );
}

/** Where people discuss an incident; absent where nobody knows. */
function issueAddress(
  { issue }: StoredIncident,
  { settings: { repository } }: Pick<View, "settings">,
): string | undefined {
  return issue === undefined || repository === undefined
    ? undefined
    : `${repository}/issues/${issue}`;
}
