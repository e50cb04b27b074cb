import { PAGE_PATHS } from "../../../lib/config/page_path.ts";
import type { PageSettings } from "../../../lib/page/settings/page_settings.ts";

/** What robots are told: the owner's text, else that they may read all, and where all is. */
export function robotsTxt(
  { robotsText, address }: Pick<PageSettings, "robotsText" | "address">,
): string {
  if (robotsText !== undefined) return `${robotsText.trimEnd()}\n`;
  const map = address === undefined ? "" : `\nSitemap: ${address}/${PAGE_PATHS.sitemap}\n`;
  return `User-agent: *\nAllow: /\n${map}`;
}
