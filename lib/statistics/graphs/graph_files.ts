import { ignorePrefix } from "../../git/exclude.ts";
import {
  FILE_WINDOW_NAMES,
  type FileWindowName,
  inFileName,
  type WindowName,
} from "../../history/windows.ts";
import { Buffer } from "node:buffer";

export const GRAPHS_FOLDER = "graphs";

export type GraphTheme = "light" | "dark";

export type GraphFormat = "png" | "svg";

/**
 * The file of a graph.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const path = graphPath("shop", "day", "light", "png");
 * assertEquals(path, "graphs/shop/response-time-day.png");
 * assertEquals(graphPath("shop", "all", "dark", "svg"), "graphs/shop/response-time-dark.svg");
 * assertEquals([path, sparklinePath("shop", "dark")].map(findGraphSlug), ["shop", "shop"]);
 * ```
 */
export function graphPath(
  slug: string,
  window: WindowName,
  theme: GraphTheme,
  format: GraphFormat,
): string {
  const ofTheme = theme === "dark" ? "-dark" : "";
  return `${GRAPHS_FOLDER}/${slug}/response-time${inFileName(window)}${ofTheme}.${format}`;
}

/** The file of the sparkline of a site, which the README shows. */
export function sparklinePath(slug: string, theme: GraphTheme): string {
  const ofTheme = theme === "dark" ? "-dark" : "";
  return `${GRAPHS_FOLDER}/${slug}/response-time-sparkline${ofTheme}.svg`;
}

const GRAPH =
  /^graphs\/([^/]+)\/response-time(?:-(?:day|week|month|year|sparkline))?(?:-dark)?\.(?:png|svg)$/;

/** The slug of the site of a graph; `undefined` if the file is none of ours. */
export function findGraphSlug(path: string): string | undefined {
  return GRAPH.exec(path)?.[1];
}

/** True if a file, by its path from the top of a repository, is a graph of any monitored folder in it. */
export function isGraphOfAny(path: string): boolean {
  return findGraphSlug(path.split("/").slice(-3).join("/")) !== undefined;
}

/** Most sites of which all graphs are drawn. */
const MOST_DRAWN = 2500;

/**
 * Chooses the windows that graphs are drawn of: each picture takes ten milliseconds and ten kilobytes.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(chooseGraphWindows(2500).length, 5);
 * assertEquals(chooseGraphWindows(2501), ["week"]);
 * ```
 */
export function chooseGraphWindows(sites: number): readonly FileWindowName[] {
  return sites > MOST_DRAWN ? ["week"] : FILE_WINDOW_NAMES;
}

/** The line by which git ignores the graphs, but no other files, of a folder (`prefix`, from the top of the repository). */
export function ignoreLine(prefix: string): string {
  return `${ignorePrefix(prefix)}${GRAPHS_FOLDER}/**/response-time*.*`;
}

/** Drawn graphs, and the sites whose graphs are kept. */
export interface Drawn {
  files: ReadonlyMap<string, Uint8Array>;
  /** All configured slugs, absent if unknown: graphs of other sites are removed. */
  configured?: ReadonlySet<string>;
  /** Slugs of sites whose graphs must not be shown. */
  hidden?: ReadonlySet<string>;
  /** All slugs ever monitored here: graphs of others are foreign and stay. Absent if every graph is ours. */
  monitored?: ReadonlySet<string>;
}

/** Contents of files to write, by path; `null` for one to remove. */
export type GraphChanges = ReadonlyMap<string, Uint8Array | null>;

/**
 * Computes the changes that turn the existing graphs into the drawn ones.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
 * const [day, week] = ["graphs/shop/response-time-day.png", "graphs/shop/response-time-week.png"];
 * const changes = graphChanges(new Map([[day, one], [week, one]]), { files: new Map([[day, other]]) });
 * assertEquals(changes, new Map([[day, other], [week, null]]));
 * ```
 */
export function graphChanges(
  held: ReadonlyMap<string, Uint8Array>,
  { files, configured, hidden, monitored }: Drawn,
): GraphChanges {
  const sites = new Set([...files.keys()].map(findGraphSlug));
  const isStale = (slug: string) =>
    sites.has(slug) || hidden?.has(slug) ||
    configured !== undefined && !configured.has(slug) && (monitored?.has(slug) ?? true);
  const gone = [...held.keys()].filter((path) => {
    const slug = findGraphSlug(path);
    return slug !== undefined && !files.has(path) && isStale(slug);
  });
  const differing = [...files].filter(([path, content]) => {
    const before = held.get(path);
    return before === undefined || Buffer.compare(before, content) !== 0;
  });
  return new Map([...differing, ...gone.map((path): [string, null] => [path, null])]);
}
