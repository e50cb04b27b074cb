/** Where everything is kept that other programs are given: a folder for each site. */
export const API_FOLDER = "api";

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

const NAME =
  /^(?:badge-(?:status|uptime|response-time)\.svg|(?:uptime|response-time)(?:-(?:day|week|month|year))?\.json|statistics\.json)$/;

/** Whether a path is one of ours: a repository may keep something else in a folder of that name. */
export function isApiPath(path: string): boolean {
  const [folder, slug, name, ...rest] = path.split("/");
  if (path === METRICS_PATH) return true;
  return folder === API_FOLDER && slug !== "" && rest.length === 0 && NAME.test(name ?? "");
}
