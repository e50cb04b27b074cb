import { type Layout, placeName, toBucket } from "../config/layout.ts";
import type { HistoryFiles } from "./store/store.ts";
import { inFileName, type WindowName } from "./windows.ts";

export const API_FOLDER = "api";

export const METRICS_PATH = `${API_FOLDER}/metrics.txt`;

const METRICS_FOLDER = `${API_FOLDER}/metrics`;

/** The parts of nested metrics, as targets for Prometheus. */
export const METRICS_TARGETS_PATH = `${METRICS_FOLDER}/targets.json`;

/** Name of the part of nested metrics that has those of a site. */
export function metricsPart(slug: string): string {
  return `${toBucket(slug)}.txt`;
}

export function metricsPartPath(part: string): string {
  return `${METRICS_FOLDER}/${part}`;
}

/** The endpoint of a figure, for badge services. */
export function endpointPath(
  slug: string,
  measure: "uptime" | "response-time",
  window: WindowName,
  layout: Layout = "flat",
): string {
  return apiPath(slug, `${measure}${inFileName(window)}.json`, layout);
}

/** The SVG of a badge; a status has no window. */
export function badgePath(
  slug: string,
  shown: "status" | "uptime" | "response-time",
  window: WindowName = "all",
  layout: Layout = "flat",
): string {
  return apiPath(slug, `badge-${shown}${inFileName(window)}.svg`, layout);
}

/**
 * The file of all statistics of a site.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * for (const layout of ["flat", "nested"] as const) {
 *   assertEquals(findApiSlug(statisticsPath("shop", layout)), "shop");
 * }
 * assertEquals(statisticsPath("shop", "nested"), "api/ee/shop/statistics.json");
 * ```
 */
export function statisticsPath(slug: string, layout: Layout = "flat"): string {
  return apiPath(slug, "statistics.json", layout);
}

/** Sites whose files tell the layout: one that is new has none. */
const ASKED = 8;

/** Finds the layout in which the first of some sites have their files; `chosen` if none has any, or some have both. */
export async function findAddresses(
  files: Pick<HistoryFiles, "read">,
  slugs: readonly string[],
  chosen: Layout,
): Promise<Layout> {
  const list = (layout: Layout) =>
    slugs.slice(0, ASKED).map((slug) => statisticsPath(slug, layout));
  const other = chosen === "flat" ? "nested" : "flat";
  const found = await files.read([...list(chosen), ...list(other)]);
  return list(chosen).every((path) => !found.has(path)) && found.size > 0 ? other : chosen;
}

function apiPath(slug: string, name: string, layout: Layout): string {
  return `${API_FOLDER}/${placeName(slug, layout)}/${name}`;
}

/** Files of a site that this program writes: a repository may have others in a folder of that name. */
const SITE_FILE =
  /^api\/(?:[\da-f]{2}\/)?([^/]+)\/(?:statistics\.json|badge-status\.svg|(?:uptime|response-time)(?:-\w+)?\.json|badge-(?:uptime|response-time)(?:-\w+)?\.svg)$/;

const METRICS_FILE = /^api\/metrics(?:\.txt|\/(?:[\da-f]{2}\.txt|targets\.json))$/;

/** True if this program writes a path. */
export function isApiPath(path: string): boolean {
  return isMetricsPath(path) || SITE_FILE.test(path);
}

export function isMetricsPath(path: string): boolean {
  return METRICS_FILE.test(path);
}

/** The slug of the site of a file of ours; `undefined` if it is none, or concerns all sites. */
export function findApiSlug(path: string): string | undefined {
  return SITE_FILE.exec(path)?.[1];
}
