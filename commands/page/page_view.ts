import { homePage } from "../../lib/config/repository.ts";
import type { Context } from "../shared/context.ts";
import type { RepositoryInfo } from "../../lib/git/repository.ts";
import type { Incident } from "../../lib/history/incident.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import { collectImpacts } from "../../lib/incidents/impact.ts";
import { toPageSettings } from "../../lib/page/settings.ts";
import type { OpenedReport } from "../shared/open_report.ts";
import { createLanguage } from "../../templates/pages/language.ts";
import type { View } from "../../templates/pages/view.ts";

export function collectView(
  { config, report }: Pick<OpenedReport, "config" | "report">,
  incidents: ReadonlyMap<string, StoredIncident>,
  repositoryInfo: RepositoryInfo,
  assets: ReadonlySet<string>,
  { environment, clock }: Context,
): View {
  const now = clock.now();
  const repository = homePage(config, environment, repositoryInfo.remoteUrl);
  const settings = toPageSettings(config, { repository });
  const sites = report.sites.map((one) => ({
    ...one,
    history: { ...one.history, incidents: withTimelines(one.history.incidents, incidents) },
  }));
  return {
    report: {
      ...report,
      sites,
      impacts: collectImpacts(incidents.values(), report.time),
    },
    checks: report.lastCheck,
    // A page can't have these names.
    incidents: new Map([...incidents].filter(([id]) => !/^\.{0,2}$/.test(id))),
    assets,
    settings,
    language: createLanguage(settings.messages, settings.lang, settings.timezone),
    built: now,
  };
}

function withTimelines(
  own: ReadonlyMap<string, Incident>,
  brought: ReadonlyMap<string, StoredIncident>,
): Map<string, Incident> {
  return new Map([...own].map(([id, incident]) => {
    const now = brought.get(id);
    return [id, now !== undefined && "slug" in now ? now : incident];
  }));
}
