import { UsageError } from "../lib/text/arguments.ts";
import { isReachable } from "../lib/checks/connection.ts";
import { warmUp } from "../lib/checks/warm_up.ts";
import { findSite, listSites, type Site, whyNoSite } from "../lib/config/config.ts";
import { reachedFrom, sitesAmong } from "../lib/config/dependency.ts";
import { homePage } from "../lib/config/repository.ts";
import { loadConfig } from "../lib/config/load.ts";
import type { Command } from "./shared/context.ts";
import { random } from "../lib/io/clock.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { userAgent } from "../lib/io/requests.ts";
import { Canaries } from "../lib/evaluation/canaries.ts";
import { checkSites } from "../lib/evaluation/check_sites.ts";
import { checkJson, checkText } from "../templates/terminal/check.ts";

/** Looks at one site once, and shows what is seen. Nothing is written. */
export const check: Command = async (context) => {
  const { root, clock, log, secrets, json, environment } = context;
  const { config, problems, file } = await loadConfig(folderWorkspace(root), context);
  const site = config && findSite(config.sites, context.words.join(" "));
  if (site === undefined) {
    for (const problem of problems) log.problem(problem, file);
    throw new UsageError(whyNot(config?.sites ?? [], context.words.join(" ")));
  }
  log.progress(`looking at ${site.name}`);
  const { remoteUrl } = await readRepositoryInfo(root);
  await warmUp([site]);
  const lookOnce = (sites: readonly Site[]) =>
    // A single check: failures are not confirmed.
    checkSites({ ...config!, sites: sites.map(withoutRetries) }, {
      clock,
      random,
      secrets,
      root,
      userAgent: userAgent(homePage(config!, environment, remoteUrl)),
      detailed: true,
      canaries: new Canaries({ addresses: [], reaches: isReachable, distrusted: false }),
      reaches: isReachable,
      isKnownDown: () => false,
      onResult() {},
    });
  const [result] = await lookOnce([site]);
  const isWell = result!.state !== "down" && result!.state !== "degraded";
  const needed = isWell ? [] : await lookOnce(neededSites(site, config!.sites));
  log.endProgress();
  const failing = [
    ...needed.filter(({ state }) => state === "down").map(({ site }) => site.name),
    ...[...result!.addresses ?? []].flatMap(([address, isThere]) => isThere ? [] : [address]),
  ];
  log.line(checkText(result!, clock.now(), failing));
  if (json) log.data(checkJson(result!, failing));
  return result!.state === "unknown" ? 2 : 0;
};

function withoutRetries(site: Site): Site {
  return { ...site, retry: { ...site.retry, delays: [] } };
}

/** The sites that a site depends on, directly or indirectly, that can be checked. */
function neededSites({ dependsOn: own }: Site, sites: readonly Site[]): Site[] {
  const graph = new Map(sites.map(({ slug, dependsOn }) => [slug, dependsOn]));
  const wanted = reachedFrom(sitesAmong(own), graph);
  return sites.filter(({ slug, paused }) => wanted.has(slug) && !paused);
}

function whyNot(sites: readonly Site[], wanted: string): string {
  return wanted === ""
    ? `Cannot check a site without its name: ${listSites(sites)}`
    : whyNoSite(sites, wanted);
}
