import { type FileTree, openTree, placeKind } from "../io/file_tree.ts";
import { foldersOf } from "./export.ts";
import { EXPORT_FOLDER, PAGE_PATHS } from "../config/page_path.ts";
import { basename, dirname, join, resolve } from "node:path";
import { API_FOLDER } from "../history/api_path.ts";
import { configFiles } from "../config/load.ts";
import { Git, NoGitError } from "../git/git.ts";
import type { Watched } from "../io/watch.ts";
import { HISTORY_FOLDER } from "../history/record.ts";

/** The folder of the owner's files, which come to the top of the page. */
export const ASSETS_FOLDER = "assets";

const NOT_MEANT = /(?:^|\/)(?:\.git[^/]*|\.DS_Store|Thumbs\.db)(?:\/|$)/;

/** Files of ours in place of which the owner may have another. */
const MAY_REPLACE: ReadonlySet<string> = new Set([
  PAGE_PATHS.robots,
  PAGE_PATHS.icon,
  PAGE_PATHS.domain,
]);

/** The owner's files. */
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
  const paths = files.filter((path) => !NOT_MEANT.test(path)).sort();
  const notes = others.sort().map((path) =>
    `${ASSETS_FOLDER}/${path} is left out: it is a link, or no file`
  );
  return { paths: new Set(paths), notes, read };
}

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

interface Places {
  files: ReadonlySet<string>;
  /** The folders that they lie in. */
  folders: ReadonlySet<string>;
}

export function placesOf(paths: Iterable<string>): Places {
  const files = new Set(paths);
  return { files, folders: new Set([...files].flatMap(foldersOf)) };
}

/**
 * Makes sure that the page is built inside of a folder of the user's, and takes nothing that a
 * link leads to for a part of it.
 *
 * @throws {Error} Where a link is in the way.
 */
export function assertOwnFolder(root: string): void {
  for (const folder of [...foldersOf(EXPORT_FOLDER), EXPORT_FOLDER]) {
    if (placeKind(root, folder) === "link") {
      throw new Error(
        `Cannot build the page into ${EXPORT_FOLDER}: ${folder} is a link, and what it leads to is not the page's; remove it`,
      );
    }
  }
}

export async function watchedPlaces(root: string, config: string | undefined): Promise<Watched> {
  const folders = [HISTORY_FOLDER, API_FOLDER, ASSETS_FOLDER];
  const names = new Map([[root, new Set(folders)]]);
  for (const file of configFiles(root, config)) {
    const folder = dirname(join(root, file));
    names.set(folder, (names.get(folder) ?? new Set()).add(basename(file)));
  }
  const repository = await repositoryOf(root);
  for (const own of repository) names.set(own, new Set(["HEAD", "packed-refs"]));
  const refs = repository.flatMap((own) => [join(own, "refs"), join(own, "reftable")]);
  return { names, folders: [...folders.map((name) => join(root, name)), ...refs] };
}

/** The folders that git keeps its own in; two for one of several work trees. */
async function repositoryOf(root: string): Promise<string[]> {
  try {
    const found = await new Git(root).maybe(["rev-parse", "--git-dir", "--git-common-dir"]);
    const folders = (found ?? "").split("\n").filter((own) => own !== "");
    return [...new Set(folders.map((own) => resolve(root, own)))];
  } catch (error) {
    if (error instanceof NoGitError) return [];
    throw error;
  }
}
