/** Where everything is kept that other programs are given: a folder for each site. */
const API_FOLDER = "api";

/** Where a file about a site is kept, by its name. */
export function apiPath(slug: string, name: string): string {
  return `${API_FOLDER}/${slug}/${name}`;
}

/** Where the metrics of all sites are kept. */
export const METRICS_PATH = `${API_FOLDER}/metrics.txt`;

/** Where the badge is kept that shows how a site is. */
export function statusBadgePath(slug: string): string {
  return apiPath(slug, "badge-status.svg");
}
