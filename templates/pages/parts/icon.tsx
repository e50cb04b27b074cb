import type { Site } from "../../../lib/config/config.ts";
import { homesOf, iconOf } from "../../../lib/page/icon.ts";
import { linkFrom } from "../../../lib/page/page_path.ts";
import type { View } from "../page.ts";

/** The icon of a site, where it has one that is the page's own. */
export function SiteIcon({ view, site, path }: { view: View; site: Site; path: string }) {
  const { assets, settings } = view;
  const icon = site.icon === undefined
    ? undefined
    : iconOf(site.icon, { assets, homes: homesOf(settings) });
  if (icon === undefined) return null;
  if ("sign" in icon) return <span class="icon" aria-hidden="true">{icon.sign}</span>;
  const source = "file" in icon ? linkFrom(path, icon.file) : icon.data;
  return <img class="icon" src={source} alt="" />;
}
