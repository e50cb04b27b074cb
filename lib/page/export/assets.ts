import { type FileTree, openTree, placeKind } from "../../io/file_tree.ts";
import { foldersOf } from "./folders_of.ts";
import { PAGE_PATHS } from "../../config/page_path.ts";

/** The folder of the owner's files, which come to the top of the page. */
export const ASSETS_FOLDER = "assets";

/** What git and file managers leave in folders. */
const NOT_MEANT = /(?:^|\/)(?:\.git[^/]*|\.DS_Store|Thumbs\.db)(?:\/|$)/;

/** Files of ours in place of which the owner may have another. */
const MAY_REPLACE: ReadonlySet<string> = new Set([
  PAGE_PATHS.robots,
  PAGE_PATHS.icon,
  PAGE_PATHS.domain,
]);

/** The owner's files. */
export interface Assets {
  /** From the top of the page. */
  paths: ReadonlySet<string>;
  /** Why something of the repository's is left out, for people. */
  notes: readonly string[];
  read: FileTree["read"];
}

/** What there is of the owner's files; links are not followed. */
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
  const paths = files.filter((path) => !NOT_MEANT.test(path)).sort();
  const notes = others.sort().map((path) =>
    `${ASSETS_FOLDER}/${path} is left out: it is a link, or no file`
  );
  return { paths: new Set(paths), notes, read };
}

/** Whether a file of ours gives way to one of the owner's. */
export function isReplaced(path: string, { paths }: Pick<Assets, "paths">): boolean {
  return MAY_REPLACE.has(path) && paths.has(path);
}

/**
 * Whether a file of the owner's would stand in the way of one of ours: in its place, in that of its
 * folder, or in a folder in its place.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const ours = placesOf(["index.html", "history/shop/index.html"]);
 * const paths = ["index.html", "history", "index.html/a.png", "history/logo.svg", "logo.svg"];
 * assertEquals(paths.filter((path) => isInTheWay(path, ours)), ["index.html", "history", "index.html/a.png"]);
 * ```
 */
export function isInTheWay(path: string, { files, folders }: Places): boolean {
  return files.has(path) || folders.has(path) || foldersOf(path).some((one) => files.has(one));
}

/** Where files are. */
export interface Places {
  files: ReadonlySet<string>;
  /** The folders that they lie in. */
  folders: ReadonlySet<string>;
}

/** Where some files are. */
export function placesOf(paths: Iterable<string>): Places {
  const files = new Set(paths);
  return { files, folders: new Set([...files].flatMap(foldersOf)) };
}
