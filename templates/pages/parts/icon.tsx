import type { Site } from "../../../lib/config/config.ts";
import { iconOf } from "../../../lib/page/icon.ts";
import type { Link } from "../../../lib/config/page_path.ts";
import type { View } from "../page.ts";

/** The icon of a site, where it has one that is the page's own. */
export function SiteIcon({ view, site, link }: { view: View; site: Site; link: Link }) {
  const { assets, settings } = view;
  const icon = site.icon === undefined ? undefined : iconOf(site.icon, { assets, home: settings });
  if (icon === undefined) return null;
  if ("sign" in icon) return <span class="icon" aria-hidden="true">{icon.sign}</span>;
  return <img class="icon" src={"file" in icon ? link(icon.file) : icon.data} alt="" />;
}
