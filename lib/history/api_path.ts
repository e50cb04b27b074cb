import { FILE_WINDOW_NAMES, inFileName, type WindowName } from "./windows.ts";

/** Where everything is kept that other programs are given: a folder for each site. */
export const API_FOLDER = "api";

/** Where the metrics of all sites are kept. */
export const METRICS_PATH = `${API_FOLDER}/metrics.txt`;

/** What an endpoint of badges tells of a window. */
const MEASURES = ["uptime", "response-time"] as const;

/** What a picture of a badge shows. */
const BADGES = ["status", ...MEASURES] as const;

/**
 * Where an endpoint is kept that badge services read.
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
 * Where a picture of a badge is kept; a status has no window.
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

/** Where the statistics of a site are kept. */
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

/** Whether a path is one of ours: a repository may keep something else in a folder of that name. */
export function isApiPath(path: string): boolean {
  if (path === METRICS_PATH) return true;
  const [folder, slug, name, ...more] = path.split("/");
  return slug !== "" && more.length === 0 && PATHS_OF_ANY.has(`${folder}//${name}`);
}

/** The slug of the site that a file of ours is about; `undefined` where it is none, or about all. */
export function slugOfApi(path: string): string | undefined {
  return path !== METRICS_PATH && isApiPath(path) ? path.split("/")[1] : undefined;
}
