import { UsageError } from "../lib/arguments.ts";
import { reaches } from "../lib/checks/canary.ts";
import { warmUp } from "../lib/checks/warm_up.ts";
import type { Site } from "../lib/config/config.ts";
import { findSite, listSites, whyNoSite } from "../lib/config/find_site.ts";
import { homePage } from "../lib/config/home_page.ts";
import { loadConfig } from "../lib/config/load.ts";
import type { Command } from "../lib/context.ts";
import { random } from "../lib/doors/chance.ts";
import { surroundingsOf } from "../lib/doors/git/repository.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import { userAgent } from "../lib/user_agent.ts";
import { Canaries } from "../lib/verdict/canaries.ts";
import { checkSites } from "../lib/verdict/check_sites.ts";
import { checkJson, checkText } from "../templates/terminal/check_report.ts";

/** Looks at one site once, and shows what is seen. Nothing is written. */
export const check: Command = async (context) => {
  const { root, clock, log, secrets, json, environment } = context;
  const { config, problems, file } = await loadConfig(folderWorkspace(root), root, context.config);
  const site = config && findSite(config.sites, context.words.join(" "));
  if (site === undefined) {
    for (const problem of problems) log.problem(problem, file);
    throw new UsageError(whyNot(config?.sites ?? [], context.words.join(" ")));
  }
  log.progress(`looking at ${site.name}`);
  const { origin } = await surroundingsOf(root);
  await warmUp([site]);
  // One look is asked for: a failure is not confirmed.
  const once = { ...site, retry: { ...site.retry, delays: [] } };
  const [result] = await checkSites({ ...config!, sites: [once] }, {
    clock,
    random,
    secrets,
    root,
    userAgent: userAgent(homePage(config!, environment, origin)),
    detailed: true,
    canaries: new Canaries({ addresses: [], reaches, distrusted: false }),
    knownDown: () => false,
    onVerdict() {},
  });
  log.endProgress();
  log.line(checkText(result!, clock.now()));
  if (json) log.data(checkJson(result!));
  return result!.state === "unknown" ? 2 : 0;
};

function whyNot(sites: readonly Site[], wanted: string): string {
  return wanted === ""
    ? `Cannot check a site without its name: ${listSites(sites)}`
    : whyNoSite(sites, wanted);
}
