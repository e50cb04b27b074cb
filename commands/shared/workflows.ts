import type { Config } from "../../lib/config/config.ts";
import { GitHubClient, type GitHubOptions, PAGE } from "../../lib/github/client.ts";
import { GitHubError } from "../../lib/github/github.ts";
import { userAgent } from "../../lib/io/requests.ts";
import {
  actionReference,
  actionRepository,
  findFoldersOfChecks,
} from "../../lib/setup/workflow_settings.ts";
import { VERSION } from "../../lib/version.ts";
import { renderWorkflowFiles } from "../../templates/workflows/mod.ts";
import type { Context } from "./context.ts";

/** The action at what it is held at, else at its newest version, as far as that can be found out. */
export async function newestAction(
  held: string | undefined,
  { environment, clock, log }: Pick<Context, "environment" | "clock" | "log">,
): Promise<string> {
  const repository = actionRepository(environment);
  const { token, api } = environment;
  const known = { own: VERSION, held };
  if (held !== undefined || token === undefined) return actionReference(repository, known);
  const warn = (text: string) => log.warn(text);
  const options = { api, repository, token, userAgent: userAgent(undefined), clock, warn };
  try {
    return actionReference(repository, { ...known, released: await releaseTags(options) });
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.detail(`The newest version of the action is not known: ${error.message}`);
    return actionReference(repository, known);
  }
}

/** Tags of the newest hundred stable releases; optional for a run, so it waits for a few seconds only. */
function releaseTags(options: GitHubOptions): Promise<string[]> {
  const client = new GitHubClient(options, { isOptional: true });
  return client.request("read the releases of the action", async ({ rest }) => {
    const { data } = await rest.repos.listReleases({ ...client.place, per_page: PAGE });
    return data.filter(({ draft, prerelease }) => !draft && !prerelease)
      .map(({ tag_name }) => tag_name);
  }, { needs: "contents: read" });
}

/** A configuration with its source. */
interface WrittenConfig {
  config: Config;
  /** Name of its file. */
  file: string;
  /** Text of its file. */
  text: string;
}

/** The workflows of a configuration by their paths; `action` is as `uses:` names it. */
export async function madeWorkflows(
  { config, file, text }: WrittenConfig,
  action: string,
): Promise<Map<string, string>> {
  const folders = await findFoldersOfChecks(text);
  return renderWorkflowFiles({ config, action, configFile: file, folders });
}
