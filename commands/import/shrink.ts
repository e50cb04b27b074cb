import { basename } from "node:path";
import { UPPTIME_CONFIG } from "../../lib/config/upptime/repository.ts";
import { Git } from "../../lib/git/git.ts";
import { BUILD_REFS } from "../../lib/git/left_behind.ts";
import {
  fetchMissing,
  findCommit,
  findPromisor,
  listBlobs,
  makeCommits,
  readContents,
} from "../../lib/git/objects.ts";
import type { Repository } from "../../lib/git/repository.ts";
import { UsageError } from "../../lib/text/arguments.ts";
import { SHRINK_MESSAGE } from "../../templates/commit_message.ts";

/** A smaller repository beside the old one. */
interface Shrunk {
  /** Its folder, as seen from the old one. */
  folder: string;
  commits: number;
  /** Bytes of all objects; absent for a partial clone, which lacks the old graphs. */
  before?: number;
  /** Bytes of all objects. */
  after: number;
}

/**
 * Makes a repository beside a clone that has the same commits without old graphs, which are most of the bytes of such
 * repositories; the present ones are in a commit of their own. The clone itself stays as it is.
 *
 * @throws {UsageError} If the import is not committed yet, or the folder exists.
 */
export async function shrink(
  { git, top, branch }: Repository,
  { graphs, time }: { graphs: string; time: Temporal.Instant },
): Promise<Shrunk> {
  const tracked = await listBlobs(git, "HEAD");
  if (tracked.has(UPPTIME_CONFIG)) {
    throw new UsageError("Cannot shrink yet: import first, and commit what it wrote");
  }
  const folder = `../${basename(top)}-small`;
  const inside = ["-C", folder];
  // Only git may look outside of the clone.
  if (await git.maybe([...inside, "version"]) !== undefined) {
    throw new UsageError(`Cannot shrink into ${folder}: it exists; move it away`);
  }
  await git.run(["init", "--quiet", `--initial-branch=${branch}`, folder]);
  const paths = [".", `:(exclude)${graphs}`];
  await fetchMissing(git, { revision: "HEAD", paths });
  const options = ["--signed-tags=strip", "--reencode=yes", `refs/heads/${branch}`, "--"];
  const exported = git.stream(["fast-export", ...options, ...paths]);
  for await (const _ of git.stream([...inside, "fast-import", "--quiet"], exported)) {
    // It prints nothing that counts.
  }
  const small = new Git(`${top}/${folder}`);
  const present = [...tracked].filter(([path]) => path.startsWith(`${graphs}/`));
  if (present.length > 0) {
    const contents = await readContents(git, present.map(([, blob]) => blob));
    const files = new Map(present.flatMap(([path], index) => {
      const content = contents[index];
      return content === undefined ? [] : [[path, content] as const];
    }));
    const author = { name: "Monitor Action", email: "monitor-action@users.noreply.github.com" };
    const parent = await findCommit(small, branch);
    const commit = { parent, files, message: SHRINK_MESSAGE };
    const own = `${top}/${folder}/.git`;
    const place = {
      git: small,
      ownFolder: `${own}/monitor`,
      buildFolder: `${own}/${BUILD_REFS}`,
    };
    const [name] = await makeCommits(place, [commit], { author, time, id: "shrink" });
    await small.run(["update-ref", `refs/heads/${branch}`, name!]);
  }
  await small.run(["gc", "--quiet", "--prune=now"]);
  await small.run(["reset", "--quiet", "--hard"]);
  const commits = Number(await small.text(["rev-list", "--count", "HEAD"]));
  const before = await findPromisor(git) === undefined ? await sizeOf(git) : undefined;
  return { folder, commits, before, after: await sizeOf(small) };
}

/** Bytes of the objects of a repository, packed or not. */
async function sizeOf(git: Git): Promise<number> {
  const counted = await git.text(["count-objects", "-v"]);
  const kibibytes = [...counted.matchAll(/^size(?:-pack)?: (\d+)$/gm)]
    .reduce((sum, [, size]) => sum + Number(size), 0);
  return 1024 * kibibytes;
}
