import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../shared/context.ts";
import { GitHubError } from "../../lib/github/github_error.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { type FilledAbout, missingAbout, wantedAbout } from "../../lib/setup/about.ts";
import { reachGitHub } from "../shared/reach_github.ts";

/** Fills in description, homepage and topics of the repository where they are empty, and where there is a token. */
export async function fillAbout(
  config: Config,
  settings: PageSettings,
  origin: string | undefined,
  context: Context,
): Promise<FilledAbout> {
  const wanted = wantedAbout(config, settings);
  const github = reachGitHub({ config, origin }, context);
  if (github === undefined || Object.keys(wanted).length === 0) return { filled: {} };
  let isRead = false;
  try {
    const missing = missingAbout(await github.about(), wanted);
    isRead = true;
    if (Object.keys(missing).length === 0) return { filled: {} };
    if (!context.dryRun) await github.describe(missing);
    return { filled: missing };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const keys = "skipDescriptionUpdate, skipHomepageUpdate and skipTopicsUpdate";
    const wayOut = isRead && error.kind === "misconfigured"
      ? `; or fill in description, website and topics by hand, or set ${keys} to true`
      : "";
    return { filled: {}, note: `${error.message}${wayOut}` };
  }
}
