import { findCommit, listBlobs, makeCommits, readBlobs, readSizes } from "../../git/objects.ts";
import { LOCATION_REFS, peekLocations, pushLocation, retryPush } from "../../git/remote.ts";
import { openRepository, type Repository, RepositoryError } from "../../git/repository.ts";
import type { Author } from "../../git/objects.ts";
import type { Clock } from "../../io/clock.ts";
import { DAY } from "../../time.ts";
import { LARGEST_RESULTS } from "../location_results.ts";
import type { SentText } from "./store.ts";

/** Folder of a branch's texts, as in the pending ref, so that branches never read each other's texts. */
function toFolder({ prefix, branch, remote }: Repository): string {
  return `${remote?.branch ?? branch}/${prefix}`;
}

/** Reads the texts in the commits of locations, by the id of the location; those of other branches are left out. */
export async function readLocationTexts(
  repository: Repository,
  commits: ReadonlyMap<string, string> = new Map(),
): Promise<Map<string, readonly SentText[]>> {
  const { git } = repository;
  const folder = toFolder(repository);
  const texts = new Map<string, readonly SentText[]>();
  for (const [id, tip] of commits) {
    // Anybody who may push can point a ref to something else.
    const commit = await findCommit(git, tip);
    const blobs = commit === undefined
      ? new Map<string, string>()
      : await listBlobs(git, commit, folder, { isDeep: false });
    const names = [...blobs.values()];
    const sizes = await readSizes(git, names);
    const isSmall = (size = 0) => size <= LARGEST_RESULTS;
    const own = await readBlobs(git, names.filter((_, index) => isSmall(sizes[index])));
    const all = [...own, ...sizes.filter((size) => !isSmall(size))];
    texts.set(id, all.filter((text) => text !== undefined));
  }
  return texts;
}

/**
 * Sends the texts of a location to its ref, in a commit without a parent that replaces the one before. Returns the
 * place for people.
 *
 * @throws {RepositoryError} If there is no remote to send them to.
 * @throws {RemoteError} If the remote refuses, or does not answer.
 */
export async function sendLocationTexts(
  root: string,
  { id, texts, author, run, time, clock }: {
    id: string;
    /** By the name of the file. */
    texts: ReadonlyMap<string, string>;
    author: Author;
    run: string;
    time: Temporal.Instant;
    clock: Clock;
  },
): Promise<string> {
  const repository = await openRepository(root);
  const cure = "add a remote, or write the results into a file with --results";
  if (typeof repository === "string") {
    throw new RepositoryError(`Cannot send the results: ${repository}; ${cure}`);
  }
  const { git, remote } = repository;
  if (remote === undefined) {
    throw new RepositoryError(`Cannot send the results: the repository has no remote; ${cure}`);
  }
  const folder = toFolder(repository);
  const files = new Map([...texts].map(([name, text]) => [folder + name, text]));
  const message = `Results of run ${run} from ${id} [skip ci]`;
  const [commit] = await makeCommits(repository, [{ files, message }], { author, time, id: run });
  await retryPush(`push to ${remote.name}`, clock, async () => {
    await pushLocation(git, remote, { id, commit: commit! });
    return true;
  });
  return `${LOCATION_REFS}${id} at ${remote.name}`;
}

/** Milliseconds after its last results in which the ref of a removed location stays. */
const LEAVE = DAY;

/**
 * Removes the refs of locations that are not `known`, once their last results are a day old, and returns their ids.
 * Refs with files of other branches or folders stay: their configurations may know the location.
 *
 * @throws {RemoteError} If the remote refuses, or does not answer.
 */
export async function removeOldLocations(
  root: string,
  { known, now }: {
    /** Ids of the configured locations. */
    known: ReadonlySet<string>;
    now: Temporal.Instant;
  },
): Promise<string[]> {
  const repository = await openRepository(root);
  if (typeof repository === "string" || repository.remote === undefined) return [];
  const { git, remote } = repository;
  const isUnknown = (id: string) => /^[a-z\d-]+$/.test(id) && !known.has(id);
  const removed: string[] = [];
  for (const [id, tip] of await peekLocations(git, remote, isUnknown)) {
    if (!isUnknown(id) || await findCommit(git, tip) === undefined) continue;
    const [all, own] = await Promise.all([
      listBlobs(git, tip),
      listBlobs(git, tip, toFolder(repository), { isDeep: false }),
    ]);
    const committed = 1000 * Number(await git.text(["show", "-s", "--format=%ct", tip]));
    if (all.size > own.size || now.epochMilliseconds - committed <= LEAVE) continue;
    await pushLocation(git, remote, { id, from: tip });
    removed.push(id);
  }
  return removed;
}
