import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../shared/context.ts";
import { PlatformError } from "../../lib/github/platform_error.ts";
import type { PageSettings } from "../../lib/page/settings/page_settings.ts";
import type { FilledAbout } from "../../lib/setup/readme/filled_about.ts";
import { missingAbout, wantedAbout } from "../../lib/setup/readme/missing_about.ts";
import { reachPlatform } from "../shared/reach_platform.ts";

/** Fills in description, homepage and topics of the repository where they are empty, and where there is a token. */
export async function fillAbout(
  config: Config,
  settings: PageSettings,
  origin: string | undefined,
  context: Context,
): Promise<FilledAbout> {
  const wanted = wantedAbout(config, settings);
  const platform = reachPlatform({ config, origin }, context);
  if (platform === undefined || Object.keys(wanted).length === 0) return { filled: {} };
  let isRead = false;
  try {
    const missing = missingAbout(await platform.about(), wanted);
    isRead = true;
    if (Object.keys(missing).length === 0) return { filled: {} };
    if (!context.dryRun) await platform.describe(missing);
    return { filled: missing };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const keys = "skipDescriptionUpdate, skipHomepageUpdate and skipTopicsUpdate";
    const wayOut = isRead && error.kind === "setting"
      ? `; or fill in description, website and topics by hand, or set ${keys} to true`
      : "";
    return { filled: {}, note: `${error.message}${wayOut}` };
  }
}
