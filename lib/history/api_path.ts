import { inFileName, type WindowName } from "./windows.ts";

export const API_FOLDER = "api";

export const METRICS_PATH = `${API_FOLDER}/metrics.txt`;

/** The endpoint of a figure, for badge services. */
export function endpointPath(
  slug: string,
  measure: "uptime" | "response-time",
  window: WindowName,
): string {
  return apiPath(slug, `${measure}${inFileName(window)}.json`);
}

/** The SVG of a badge; a status has no window. */
export function badgePath(
  slug: string,
  shown: "status" | "uptime" | "response-time",
  window: WindowName = "all",
): string {
  return apiPath(slug, `badge-${shown}${inFileName(window)}.svg`);
}

/** The file of all statistics of a site. */
export function statisticsPath(slug: string): string {
  return apiPath(slug, "statistics.json");
}

function apiPath(slug: string, name: string): string {
  return `${API_FOLDER}/${slug}/${name}`;
}

/** Files of a site that this program writes: a repository may have others in a folder of that name. */
const SITE_FILE =
  /^api\/([^/]+)\/(?:statistics\.json|badge-status\.svg|(?:uptime|response-time)(?:-\w+)?\.json|badge-(?:uptime|response-time)(?:-\w+)?\.svg)$/;

/** True if this program writes a path. */
export function isApiPath(path: string): boolean {
  return path === METRICS_PATH || SITE_FILE.test(path);
}

/**
 * The slug of the site of a file of ours; `undefined` if it is none, or concerns all sites.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(statisticsPath("shop"), "api/shop/statistics.json");
 * assertEquals(findApiSlug(statisticsPath("shop")), "shop");
 * assertEquals(findApiSlug(METRICS_PATH), undefined);
 * ```
 */
export function findApiSlug(path: string): string | undefined {
  return SITE_FILE.exec(path)?.[1];
}
