import { UsageError } from "../lib/text/arguments.ts";
import { isReachable } from "../lib/checks/connection.ts";
import { warmUp } from "../lib/checks/warm_up.ts";
import {
  type Config,
  findReachable,
  findSite,
  listSites,
  selectSlugs,
  type Site,
  whyNoSite,
} from "../lib/config/config.ts";
import { homePage } from "../lib/config/repository.ts";
import {
  AddressError,
  type FirstSite,
  firstSite,
  withoutPassword,
} from "../lib/config/first_site.ts";
import { loadConfigIfAny } from "../lib/config/load.ts";
import { parseConfig } from "../lib/config/parse.ts";
import type { Command, Context } from "./shared/context.ts";
import { random } from "../lib/io/clock.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { userAgent } from "../lib/io/requests.ts";
import { Canaries } from "../lib/evaluation/canaries.ts";
import { checkSites } from "../lib/evaluation/check_sites.ts";
import { checkJson, checkText } from "../templates/terminal/check.ts";
import { formatCommand } from "../lib/text/invocation.ts";

export const check: Command = async (context) => {
  const { root, clock, log, secrets, json, environment } = context;
  const { config, site } = await findWanted(context);
  log.progress(`looking at ${site.name}`);
  const { remoteUrl } = await readRepositoryInfo(root);
  await warmUp([site]);
  const lookOnce = (sites: readonly Site[]) =>
    // A single check: failures are not confirmed.
    checkSites({ ...config, sites: sites.map(withoutRetries) }, {
      clock,
      random,
      secrets,
      root,
      userAgent: userAgent(homePage(config, environment, remoteUrl)),
      detailed: true,
      // Nothing is stored, but anybody may read the log of a job.
      quotesAnswers: !environment.onGitHub,
      readVariable: environment.readBeats,
      earlier: Promise.resolve({
        canaries: new Canaries({ addresses: [], reaches: isReachable, distrusted: false }),
        isKnownDown: () => false,
      }),
      reaches: isReachable,
      onResult() {},
    });
  const [result] = await lookOnce([site]);
  const isWell = result!.state !== "down" && result!.state !== "degraded";
  const needed = isWell ? [] : await lookOnce(neededSites(site, config.sites));
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
  const wanted = findReachable(selectSlugs(own), graph);
  return sites.filter(({ slug, paused }) => wanted.has(slug) && !paused);
}

/** Finds the site that the words name: by its name, or an address, which needs no configuration. */
async function findWanted(context: Context): Promise<{ config: Config; site: Site }> {
  const { log, root, secrets } = context;
  const wanted = context.words.join(" ");
  const loaded = await loadConfigIfAny(folderWorkspace(root), context);
  const { config, problems = [], file = "" } = loaded ?? {};
  const sites = config?.sites ?? [];
  const site = config && findSite(sites, wanted);
  if (config !== undefined && site !== undefined) return { config, site };
  const first = toSite(wanted);
  if (first !== undefined) {
    const parsed = await parseConfig(JSON.stringify({ canaries: [], sites: [first] }));
    for (const value of parsed.credentials) secrets.derive(value);
    const [site] = parsed.config?.sites ?? [];
    if (site !== undefined) return { config: parsed.config!, site };
  }
  for (const problem of problems) log.problem(problem, file);
  if (loaded !== undefined) {
    throw new UsageError(
      wanted === ""
        ? `Cannot check a site without its name: ${listSites(sites)}`
        : whyNoSite(sites, wanted),
    );
  }
  throw new UsageError(
    wanted === ""
      ? `Cannot check without an address: try "${formatCommand("check https://example.com")}"`
      : `Cannot check "${
        withoutPassword(wanted)
      }": it is not an address, and a name needs a .monitorrc.yml, which "${
        formatCommand("init")
      }" writes`,
  );
}

function toSite(address: string): FirstSite | undefined {
  if (/^https?:/i.test(address) && URL.canParse(address)) {
    const { host, pathname } = new URL(address);
    return { name: host + pathname.replace(/\/$/, ""), url: address };
  }
  try {
    return firstSite(address);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return undefined;
  }
}
