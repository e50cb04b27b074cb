import { placeKind } from "../../io/file_tree.ts";
import { EXPORT_FOLDER } from "../../config/page_path.ts";
import { foldersOf } from "./folders_of.ts";

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
