import { excludeGenerated, ignorePrefix } from "../git/exclude.ts";
import { readBlobs } from "../git/objects.ts";
import { branchTips, fetchBranch, RemoteError } from "../git/remote.ts";
import { DetachedError, openRepository, type Repository } from "../git/repository.ts";
import { EXPORT_FOLDER, PAGE_PATHS, PAGES_BRANCH } from "../config/page_path.ts";
import { type Build, parseBuild } from "./export.ts";

/** Excludes the built page from commits made in this clone. Returns notes for the user. */
export async function keepPageOut(root: string): Promise<string[]> {
  try {
    const repository = await openRepository(root);
    if (typeof repository === "string") return [];
    const { prefix } = repository;
    return await excludeGenerated(repository, {
      line: `${ignorePrefix(prefix)}${EXPORT_FOLDER}/**`,
      path: `${prefix}${EXPORT_FOLDER}/${PAGE_PATHS.overview}`,
      name: "the status page",
      tracked:
        `the status page is built anew each time, and your branch holds files of it; to keep them out of it: git rm -r -q --cached ${EXPORT_FOLDER}`,
    });
  } catch (error) {
    if (error instanceof DetachedError) return [];
    throw error;
  }
}

/** Reads the build of the published page, to compare with; `undefined` if there is none or the remote fails. */
export async function publishedBuild(
  { git, remote }: Pick<Repository, "git" | "remote">,
): Promise<Build | undefined> {
  if (remote === undefined) return undefined;
  try {
    const tip = (await branchTips(git, remote)).get(PAGES_BRANCH);
    if (tip === undefined) return undefined;
    await fetchBranch(git, { ...remote, branch: PAGES_BRANCH });
    const [text] = await readBlobs(git, [`${tip}:${PAGE_PATHS.build}`]);
    return text === undefined ? undefined : parseBuild(text);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return undefined;
  }
}
