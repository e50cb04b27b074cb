import type { Repository } from "../git/repository.ts";
import { graphPath } from "../statistics/graphs/graph_files.ts";
import type { WindowName } from "../history/windows.ts";
import type { Config } from "../config/config.ts";
import { linkFrom } from "../config/page_path.ts";

/** How a README refers to what is in its repository: never by a whole address, so that private ones work. */
export interface ReadmeLinks {
  /** To a file of the monitored folder. */
  file(path: string): string;
  /** To something of the repository that is no file, such as `issues/12`, as GitHub's pages have it. */
  page(path: string): string;
  /** To the graph of a site. */
  graph(slug: string, window: WindowName, theme: "light" | "dark"): string;
}

/** What links depend on. */
export interface LinkPlace {
  /** Path of the README in the monitored folder. */
  readme: string;
  /** Where that folder is; absent outside of a repository. */
  repository?: Pick<Repository, "prefix" | "branch" | "remote">;
  graphs: Pick<Config["graphs"], "branch">;
}

/**
 * The links of a README. GitHub shows it below `/owner/name/blob/branch/`, also where it stands on
 * the front page, and reads links from there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const remote = { name: "origin", branch: "main" };
 * const repository = { prefix: "", branch: "main", remote };
 * const links = linksOfReadme({ readme: "README.md", repository, graphs: { branch: "monitor-graphs" } });
 * assertEquals(links.file("history/größe.yml"), "history/gr%C3%B6%C3%9Fe.yml");
 * assertEquals(links.page("issues/12"), "../../issues/12");
 * assertEquals(
 *   links.graph("shop", "week", "light"),
 *   "../../raw/monitor-graphs/graphs/shop/response-time-week.png",
 * );
 * ```
 */
export function linksOfReadme({ readme, repository, graphs }: LinkPlace): ReadmeLinks {
  const { prefix = "", branch = "", remote } = repository ?? {};
  const folders = (prefix + readme).split("/").length - 1;
  const up = "../".repeat(1 + (remote?.branch ?? branch).split("/").length + folders);
  const file = (path: string) => linkFrom(readme, path).replace(/[!'()*]/g, percentEncoded);
  const page = (path: string) => up + linkFrom("", path).replace(/[!'()*]/g, percentEncoded);
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

/** Of signs that addresses may hold, and that mean something around them. */
function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
