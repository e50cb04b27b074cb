import { type PageSettings, toPageSettings } from "../../lib/page/settings.ts";
import { configOf, type Keys } from "./sites.ts";

/** The page of the usual repository. */
export const REPOSITORY = "https://github.com/acme/status";

/** The settings of the page that a configuration makes, given its keys at the top; there must be no error in it. */
export async function settingsWith(
  keys: Keys = {},
  { repository }: { repository?: string } = { repository: REPOSITORY },
): Promise<PageSettings> {
  return await toPageSettings(await configOf([], keys), { repository });
}
