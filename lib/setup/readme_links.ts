import type { Repository } from "../git/repository.ts";
import { graphPath } from "../statistics/graphs/graph_files.ts";
import type { WindowName } from "../history/windows.ts";
import type { Config } from "../config/config.ts";
import { linkFrom } from "../config/page_path.ts";

/** Links of a README into its repository: always relative, so that they work in private repositories. */
export interface ReadmeLinks {
  /** To a file of the monitored folder. */
  file(path: string): string;
  /** To a page of the repository on GitHub, such as `issues/12`. */
  page(path: string): string;
  /** To the graph of a site. */
  graph(slug: string, window: WindowName, theme: "light" | "dark"): string;
}

/** Position of a README. */
export interface LinkPlace {
  /** Path of the README in the monitored folder. */
  readme: string;
  /** Absent outside of a repository. */
  repository?: Pick<Repository, "prefix" | "branch" | "remote">;
  graphs: Pick<Config["graphs"], "branch">;
}

/**
 * Creates the links of a README. GitHub resolves them from `/owner/name/blob/branch/`, also on the
 * repository's front page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const remote = { name: "origin", branch: "main" };
 * const repository = { prefix: "", branch: "main", remote };
 * const links = toReadmeLinks({ readme: "README.md", repository, graphs: { branch: "monitor-graphs" } });
 * assertEquals(links.file("history/größe.yml"), "history/gr%C3%B6%C3%9Fe.yml");
 * assertEquals(links.page("issues/12"), "../../issues/12");
 * assertEquals(
 *   links.graph("shop", "week", "light"),
 *   "../../raw/monitor-graphs/graphs/shop/response-time-week.png",
 * );
 * ```
 */
export function toReadmeLinks({ readme, repository, graphs }: LinkPlace): ReadmeLinks {
  const { prefix = "", branch = "", remote } = repository ?? {};
  const folders = (prefix + readme).split("/").length - 1;
  const up = "../".repeat(1 + (remote?.branch ?? branch).split("/").length + folders);
  const link = (from: string, path: string) =>
    linkFrom(from, path).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const file = (path: string) => link(readme, path);
  const page = (path: string) => up + link("", path);
  const isApart = remote !== undefined && graphs.branch !== "same";
  return {
    file,
    page,
    graph(slug, window, theme) {
      const path = graphPath(slug, window, theme, "png");
      return isApart ? page(`raw/${graphs.branch}/${prefix}${path}`) : file(path);
    },
  };
}
