import { branchTips, fetchBranch } from "../../git/fetch.ts";
import { readBlobs } from "../../git/objects.ts";
import { RemoteError } from "../../git/remote_error.ts";
import type { Repository } from "../../git/repository.ts";
import { PAGE_PATHS, PAGES_BRANCH } from "../../config/page_path.ts";
import { type KnownBuild, readBuild } from "./build_file.ts";

/**
 * The page that was published last; `undefined` where there is none, or the remote does not answer. A job
 * begins without the page of the job before it, and has to know whether anything differs.
 */
export async function publishedBuild(
  { git, remote }: Pick<Repository, "git" | "remote">,
): Promise<KnownBuild | undefined> {
  if (remote === undefined) return undefined;
  try {
    const tip = (await branchTips(git, remote)).get(PAGES_BRANCH);
    if (tip === undefined) return undefined;
    await fetchBranch(git, { ...remote, branch: PAGES_BRANCH }, { depth: 1 });
    const [text] = await readBlobs(git, [`${tip}:${PAGE_PATHS.build}`]);
    return text === undefined ? undefined : readBuild(text);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return undefined;
  }
}
