import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../shared/context.ts";
import type { Surroundings } from "../../lib/git/repository.ts";
import { GitHubError } from "../../lib/github/github_error.ts";
import { reachGitHub, whyNoGitHub } from "../shared/reach_github.ts";

/** What the page shows to whom, and why that is not what the configuration wants. */
export interface Visibility {
  /** Where the script of the page reads how sites are. */
  live: Config["pages"]["live"];
  /** Why that is elsewhere than the configuration says. */
  note?: string;
  /** Why the page must not be published. */
  hidden?: string;
}

/**
 * Who may see what. Visitors are sent to the repository only where everybody may read it, and the page of a
 * private one is published only where the configuration says so: whether it is private is asked each time,
 * once and where it matters, and what is not known counts as private.
 */
export async function visibilityOf(
  config: Config,
  { origin, prefix, isOfJob }: Surroundings & {
    /** Whether a job builds the page, and is about to publish it. */
    isOfJob: boolean;
  },
  context: Context,
): Promise<Visibility> {
  const { live } = config.pages;
  const pageAsks = isOfJob && !config["status-website"]?.publish;
  const scriptAsks = live === "repository";
  const notAtTop = scriptAsks && prefix !== ""
    ? "the configuration is not at the top of the repository"
    : undefined;
  const notPublic = pageAsks || (scriptAsks && notAtTop === undefined)
    ? await whyNotPublic(config, origin, context)
    : undefined;
  const hidden = pageAsks ? notPublic : undefined;
  const reason = scriptAsks ? notAtTop ?? notPublic : undefined;
  if (reason === undefined) return { live, hidden };
  return { live: "page", note: `pages.live is page and not repository here: ${reason}`, hidden };
}

/** Why not everybody may read the repository, or why that can't be told; `undefined` where everybody may. */
async function whyNotPublic(
  config: Config,
  origin: string | undefined,
  context: Context,
): Promise<string | undefined> {
  const github = reachGitHub({ config, origin }, context);
  if (github === undefined) return whyNoGitHub(context.environment);
  try {
    return await github.isPublic() ? undefined : "the repository is private";
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return error.message;
  }
}
