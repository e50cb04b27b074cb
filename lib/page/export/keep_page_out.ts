import { DetachedError } from "../../git/repository.ts";
import { findRepository } from "../../history/store/find_repository.ts";
import { ignoredFrom } from "../../history/store/ignored_from.ts";
import { keepOut } from "../../history/store/keep_out.ts";
import { EXPORT_FOLDER, PAGE_PATHS } from "../../config/page_path.ts";

/** Keeps the built page out of the commits that the user makes in this clone. Returns what to know of that. */
export async function keepPageOut(root: string): Promise<string[]> {
  try {
    const repository = await findRepository(root);
    if (typeof repository === "string") return [];
    const { prefix } = repository;
    return await keepOut(repository, {
      line: `${ignoredFrom(prefix)}${EXPORT_FOLDER}/**`,
      path: `${prefix}${EXPORT_FOLDER}/${PAGE_PATHS.overview}`,
      name: "the status page",
      tracked:
        `the status page is built anew each time, and your branch holds files of it; to keep them out of it: git rm -r -q --cached ${EXPORT_FOLDER}`,
    });
  } catch (error) {
    // Nobody commits there.
    if (error instanceof DetachedError) return [];
    throw error;
  }
}
