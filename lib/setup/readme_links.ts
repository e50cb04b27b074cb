import type { Repository } from "../git/repository.ts";
import { graphPath } from "../statistics/graphs/graph_files.ts";
import type { WindowName } from "../history/windows.ts";
import type { Config } from "../config/config.ts";
import { toRelativeLink } from "../config/page_path.ts";

/** Links of a README into its repository: always relative, so that they work in private repositories. */
export interface ReadmeLinks {
  /** To a file of the monitored folder. */
  file(path: string): string;
  /** To a page of the repository on GitHub, such as `issues/12`. */
  page(path: string): string;
  graph(slug: string, window: WindowName, theme: "light" | "dark"): string;
}

/**
 * Creates the links of the README of the monitored folder; `repository` is absent outside of one. GitHub
 * resolves them from `/owner/name/blob/branch/`, also on the
 * repository's front page.
 */
export function toReadmeLinks(
  repository: Pick<Repository, "prefix" | "branch" | "remote"> | undefined,
  graphs: Pick<Config["graphs"], "branch">,
): ReadmeLinks {
  const { prefix = "", branch = "", remote } = repository ?? {};
  const folders = (remote?.branch ?? branch).split("/").length + prefix.split("/").length - 1;
  const up = "../".repeat(1 + folders);
  const file = (path: string) =>
    toRelativeLink("", path).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const page = (path: string) => up + file(path);
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
