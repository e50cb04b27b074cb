import { type FileTree, listFolders, openTree, placeKind } from "../io/file_tree.ts";
import { EXPORT_FOLDER, PAGE_PATHS } from "../config/page_path.ts";
import { API_FOLDER } from "../history/api_path.ts";
import { configFiles } from "../config/load.ts";
import { HISTORY_FOLDER } from "../config/record_path.ts";

/** The folder of the owner's files, which are copied to the top of the page. */
export const ASSETS_FOLDER = "assets";

/** Files that git and file managers create. */
const IGNORED = /(?:^|\/)(?:\.git[^/]*|\.DS_Store|Thumbs\.db)(?:\/|$)/;

/** Files of the page that the owner may replace. */
const REPLACEABLE: ReadonlySet<string> = new Set([
  PAGE_PATHS.robots,
  PAGE_PATHS.icon,
  PAGE_PATHS.domain,
]);

/** The owner's files by their paths, and notes on those that are left out. */
export interface Assets {
  paths: ReadonlySet<string>;
  notes: readonly string[];
  read: FileTree["read"];
}

export function openAssets(root: string): Assets {
  const { read, names } = openTree(root, ASSETS_FOLDER);
  const kind = placeKind(root, ASSETS_FOLDER);
  if (kind !== "folder") {
    const notes = kind !== "nothing"
      ? [`${ASSETS_FOLDER} is left out: it is a link, or no folder`]
      : [];
    return { paths: new Set(), notes, read };
  }
  const { files, others } = names();
  const paths = files.filter((path) => !IGNORED.test(path)).sort();
  const notes = others.sort().map((path) =>
    `${ASSETS_FOLDER}/${path} is left out: it is a link, or no file`
  );
  return { paths: new Set(paths), notes, read };
}

export function isReplaced(path: string, { paths }: Pick<Assets, "paths">): boolean {
  return REPLACEABLE.has(path) && paths.has(path);
}

/**
 * True if a file of the owner's conflicts with a file of the page, or with its folder.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ours = collectPlaces(["index.html", "history/shop/index.html"]);
 * const paths = ["index.html", "history", "index.html/a.png", "history/logo.svg", "logo.svg"];
 * assertEquals(paths.filter((path) => isInConflict(path, ours)), ["index.html", "history", "index.html/a.png"]);
 * ```
 */
export function isInConflict(path: string, { files, folders }: Places): boolean {
  return files.has(path) || folders.has(path) || listFolders(path).some((one) => files.has(one));
}

/** Paths of files and of their folders. */
interface Places {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
}

export function collectPlaces(paths: Iterable<string>): Places {
  const files = new Set(paths);
  return { files, folders: new Set([...files].flatMap(listFolders)) };
}

/**
 * Makes sure that the folder of the page is not behind a link.
 *
 * @throws {Error} If it is.
 */
export function assertOwnFolder(root: string): void {
  for (const folder of [...listFolders(EXPORT_FOLDER), EXPORT_FOLDER]) {
    if (placeKind(root, folder) === "link") {
      throw new Error(
        `Cannot build the page into ${EXPORT_FOLDER}: ${folder} is a link, and what it leads to is not the page's; remove it`,
      );
    }
  }
}

/** Returns a test for the sources of the page: configuration, history, assets, and refs of the repository. */
export function pageSources(root: string, config: string | undefined): (path: string) => boolean {
  const sources = [HISTORY_FOLDER, API_FOLDER, ASSETS_FOLDER, ...configFiles(root, config)];
  const refs = [".git/HEAD", ".git/packed-refs", ".git/refs", ".git/reftable"];
  const all = [...sources, ...refs];
  return (path) => all.some((one) => path === one || path.startsWith(`${one}/`));
}
