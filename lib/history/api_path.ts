import { FILE_WINDOW_NAMES, inFileName, type WindowName } from "./windows.ts";

/** Folder of all files for other programs, with a folder for each site. */
export const API_FOLDER = "api";

/** The metrics of all sites. */
export const METRICS_PATH = `${API_FOLDER}/metrics.txt`;

/** Figures that have an endpoint for each window. */
const MEASURES = ["uptime", "response-time"] as const;

/** Badges that are drawn. */
const BADGES = ["status", ...MEASURES] as const;

/**
 * The endpoint of a figure, for badge services.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(endpointPath("shop", "uptime", "day"), "api/shop/uptime-day.json");
 * assertEquals(endpointPath("shop", "uptime", "all"), "api/shop/uptime.json");
 * ```
 */
export function endpointPath(
  slug: string,
  measure: typeof MEASURES[number],
  window: WindowName,
): string {
  return `${API_FOLDER}/${slug}/${measure}${inFileName(window)}.json`;
}

/**
 * The SVG of a badge; a status has no window.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(badgePath("shop", "uptime"), "api/shop/badge-uptime.svg");
 * assertEquals(badgePath("shop", "uptime", "day"), "api/shop/badge-uptime-day.svg");
 * ```
 */
export function badgePath(
  slug: string,
  shown: typeof BADGES[number],
  window: WindowName = "all",
): string {
  return `${API_FOLDER}/${slug}/badge-${shown}${inFileName(window)}.svg`;
}

/** The statistics of a site. */
export function statisticsPath(slug: string): string {
  return `${API_FOLDER}/${slug}/statistics.json`;
}

const PATHS_OF_ANY = new Set([
  ...MEASURES.flatMap((measure) =>
    FILE_WINDOW_NAMES.flatMap((
      name,
    ) => [endpointPath("", measure, name), badgePath("", measure, name)])
  ),
  ...BADGES.map((shown) => badgePath("", shown)),
  statisticsPath(""),
]);

/** True if this program writes a path: a repository may have other files in a folder of that name. */
export function isApiPath(path: string): boolean {
  if (path === METRICS_PATH) return true;
  const [folder, slug, name, ...more] = path.split("/");
  return slug !== "" && more.length === 0 && PATHS_OF_ANY.has(`${folder}//${name}`);
}

/** The slug of the site of a file of ours; `undefined` if it is none, or concerns all sites. */
export function slugOfApi(path: string): string | undefined {
  return path !== METRICS_PATH && isApiPath(path) ? path.split("/")[1] : undefined;
}
