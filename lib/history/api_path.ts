import { inFileName, type WindowName } from "./windows.ts";

export const API_FOLDER = "api";

export const METRICS_PATH = `${API_FOLDER}/metrics.txt`;

/** Badges of all sites together. */
export const ALL_STATUS_PATH = `${API_FOLDER}/badge-status.svg`;
export const ALL_UPTIME_PATH = `${API_FOLDER}/badge-uptime.svg`;

/** A file of the status page, and only there, in the shape of the API of Atlassian Statuspage, such as `incidents/unresolved`. */
export function statusApiPath(name: string): string {
  return `${API_FOLDER}/v2/${name}.json`;
}

/** The SVG of the status badge of a group. */
export function groupBadgePath(slug: string): string {
  return `${API_FOLDER}/group/${slug}/badge-status.svg`;
}

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
  shown: "status" | "status-named" | "uptime" | "response-time",
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
  /^api\/([^/]+)\/(?:statistics\.json|badge-status(?:-named)?\.svg|(?:uptime|response-time)(?:-\w+)?\.json|badge-(?:uptime|response-time)(?:-\w+)?\.svg)$/;

/** Files of several sites. */
const SHARED_FILE =
  /^api\/(?:metrics\.txt|badge-(?:status|uptime)\.svg|group\/[^/]+\/badge-status\.svg)$/;

/** True if this program writes a path. */
export function isApiPath(path: string): boolean {
  return SITE_FILE.test(path) || SHARED_FILE.test(path);
}

/**
 * True if the files of the sites with these slugs leave no room for a file that concerns several sites.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * assert(isBlocked(METRICS_PATH, new Set(["metrics.txt"])));
 * assert(isBlocked(groupBadgePath("uptime.json"), new Set(["group"])));
 * assert(!isBlocked(groupBadgePath("shops"), new Set(["group"])));
 * ```
 */
export function isBlocked(path: string, slugs: ReadonlySet<string>): boolean {
  const [folder, slug = "", ...rest] = path.split("/");
  return slugs.has(slug) && (rest.length === 0 || SITE_FILE.test(`${folder}/${slug}/${rest[0]}`));
}

/**
 * The slug of the site of a file of ours; `undefined` if it is none, or concerns several sites.
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
