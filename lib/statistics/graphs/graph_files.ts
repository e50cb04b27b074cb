import { ignorePrefix } from "../../git/exclude.ts";
import { FILE_WINDOW_NAMES, inFileName, type WindowName } from "../../history/windows.ts";

/** The folder of all graphs, in which each site has one of its own. */
export const GRAPHS_FOLDER = "graphs";

const THEMES = ["light", "dark"] as const;
/** Which pages a graph is drawn for. */
export type GraphTheme = typeof THEMES[number];

const FORMATS = ["png", "svg"] as const;
/** How a graph is written. */
export type GraphFormat = typeof FORMATS[number];

/**
 * The file with the graph of a site.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const path = graphPath("shop", "day", "light", "png");
 * assertEquals(path, "graphs/shop/response-time-day.png");
 * assertEquals(graphPath("shop", "all", "dark", "svg"), "graphs/shop/response-time-dark.svg");
 * assertEquals(slugOfGraph(path), "shop");
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

const ENDINGS = new Set(
  FILE_WINDOW_NAMES.flatMap((window) =>
    THEMES.flatMap((theme) => FORMATS.map((format) => graphPath("", window, theme, format)))
  ).map((path) => path.slice(GRAPHS_FOLDER.length + 1)),
);

/** The site whose graph a file is; `undefined` where it is no file of ours. */
export function slugOfGraph(path: string): string | undefined {
  const [folder, slug, name, ...more] = path.split("/");
  const isOurs = folder === GRAPHS_FOLDER && more.length === 0 && ENDINGS.has(`/${name}`);
  return isOurs && slug !== "" ? slug : undefined;
}

/** Whether a file, by its path from the top of a repository, is a graph of any monitored folder in it. */
export function isGraphOfAny(path: string): boolean {
  return slugOfGraph(path.split("/").slice(-3).join("/")) !== undefined;
}

/** The line by which git ignores the graphs of a folder, given from the top of the repository as `prefix`; what else stands beside them it does not. */
export function ignoreLine(prefix: string): string {
  return `${ignorePrefix(prefix)}${GRAPHS_FOLDER}/*/response-time*.*`;
}
