import { excludeGenerated, ignorePrefix } from "../git/exclude.ts";
import { readBlobs } from "../git/objects.ts";
import { branchTips, fetchBranch, RemoteError } from "../git/remote.ts";
import { DetachedError, openRepository, type Repository } from "../git/repository.ts";
import type { FileTree } from "../io/file_tree.ts";
import { EXPORT_FOLDER, PAGE_PATHS, PAGES_BRANCH } from "../config/page_path.ts";
import { type Build, parseBuild } from "./export.ts";
import { type FeedState, parseFeedState } from "./feed_state.ts";

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

/** The page before, with which a build compares itself, and the content of its feeds. */
export interface PageBefore {
  build?: Build;
  said: FeedState;
}

/** Reads a page that was built here before; `undefined` if there is none. */
export function readBuiltPage(tree: Pick<FileTree, "read">): PageBefore | undefined {
  const [build, said] = KEPT.map((path) => new TextDecoder().decode(tree.read(path)));
  const parsed = parseBuild(build!);
  return parsed && { build: parsed, said: parseFeedState(said!) };
}

const KEPT = [PAGE_PATHS.build, PAGE_PATHS.feedState] as const;

/** Reads the published page; `undefined` if there is none or the remote fails. */
export async function readPublishedPage(
  { git, remote }: Pick<Repository, "git" | "remote">,
): Promise<PageBefore | undefined> {
  if (remote === undefined) return undefined;
  try {
    const tip = (await branchTips(git, remote)).get(PAGES_BRANCH);
    if (tip === undefined) return undefined;
    await fetchBranch(git, { ...remote, branch: PAGES_BRANCH });
    const [build = "", said = ""] = await readBlobs(git, KEPT.map((path) => `${tip}:${path}`));
    return { build: parseBuild(build), said: parseFeedState(said) };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return undefined;
  }
}
