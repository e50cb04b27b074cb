import { ENDED, type Git, GitError, type GitResult, reasonOf } from "./git.ts";
import { PATIENCE, RemoteError } from "./remote_error.ts";
import { commitOf, type Repository } from "./repository.ts";

/** Holds what runs remember between commits to the branch; clones don't fetch it by themselves. */
export const PENDING_REF = "refs/monitor/pending";

/** What a remote has: names of commits, each missing where the remote does not have the ref. */
export interface Tips {
  branch?: string;
  pending?: string;
}

const BRANCHES = "refs/heads/";

type Remote = NonNullable<Repository["remote"]>;

/** A glob, because a ref that is named and not there would be an error. */
const PENDING_SPEC = `+${PENDING_REF}*:${PENDING_REF}*`;

/**
 * Brings what is known of the remote's branch and its {@linkcode PENDING_REF} up to date. A shallow clone
 * stays as shallow as it is. Where refs are locked, they stay as they are, and the tips are right all the same.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function fetchTips(git: Git, remote: Remote): Promise<Tips> {
  try {
    return await fetchAll(git, remote);
  } catch (error) {
    if (!(error instanceof RemoteError && isLock(error.cause))) throw error;
    return await peekTips(git, remote);
  }
}

function isLock(cause: unknown): boolean {
  return cause instanceof GitError && cause.locked;
}

async function fetchAll(git: Git, remote: Remote): Promise<Tips> {
  const branch = `+refs/heads/${remote.branch}:${trackingRef(remote)}`;
  if (await fetchRefs(git, remote, [branch, PENDING_SPEC])) return await knownTips(git, remote);
  await fetchRefs(git, remote, [PENDING_SPEC]);
  return { pending: (await knownTips(git, remote)).pending };
}

/** What the remote had when it was last asked. */
export async function knownTips(git: Git, remote: Remote): Promise<Tips> {
  const tracking = trackingRef(remote);
  const lines = await git.text([
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    tracking,
    PENDING_REF,
  ]);
  const refs = new Map(lines.split("\n").map((line) => line.split(" ") as [string, string]));
  return { branch: refs.get(tracking), pending: refs.get(PENDING_REF) };
}

/**
 * The tips as {@linkcode fetchTips} gives them, but no ref is moved: all that comes is objects.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function peekTips(git: Git, remote: Remote): Promise<Tips> {
  const ref = `refs/heads/${remote.branch}`;
  const there = await remoteRefs(git, remote, [ref, PENDING_REF]);
  const tips = { branch: there.get(ref), pending: there.get(PENDING_REF) };
  const missing: string[] = [];
  for (const [name, tip] of there) if (await commitOf(git, tip) === undefined) missing.push(name);
  if (missing.length > 0) await fetchRefs(git, remote, missing);
  return tips;
}

/** Names of the remote's branches. */
export async function remoteBranches(git: Git, remote: Remote): Promise<string[]> {
  return [...(await branchTips(git, remote)).keys()];
}

/**
 * Names of the commits that the remote's branches are at, by branch.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function branchTips(
  git: Git,
  remote: Pick<Remote, "name">,
): Promise<Map<string, string>> {
  const refs = await remoteRefs(git, remote, [`${BRANCHES}*`]);
  return new Map([...refs].map(([ref, tip]) => [ref.slice(BRANCHES.length), tip]));
}

/**
 * Brings what a branch of the remote holds here, and moves no ref; nothing comes where it is gone. In a
 * shallow clone `depth` limits how many of its commits come; another one is never made shallow.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function fetchBranch(
  git: Git,
  { name, branch }: Remote,
  { depth }: { depth?: number } = {},
): Promise<void> {
  const isLimited = depth !== undefined &&
    await git.text(["rev-parse", "--is-shallow-repository"]) === "true";
  const options = isLimited ? [`--depth=${depth}`] : [];
  await fetchRefs(git, { name }, [`${BRANCHES}${branch}`], options);
}

async function remoteRefs(
  git: Git,
  { name }: Pick<Remote, "name">,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const result = await git.run(["ls-remote", "--quiet", "--refs", name, ...patterns], {
    accept: [128, ENDED],
    limit: PATIENCE,
  });
  if (result.code !== 0) throw noAnswer(name, result);
  const lines = new TextDecoder().decode(result.stdout).split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => line.split("\t").reverse() as [string, string]));
}

/** Fetches refs; `false` where the remote lacks one that is named. */
async function fetchRefs(
  git: Git,
  { name }: Pick<Remote, "name">,
  refs: readonly string[],
  options: readonly string[] = [],
): Promise<boolean> {
  try {
    await git.run([
      "fetch",
      ...options,
      "--quiet",
      "--no-tags",
      "--prune",
      "--no-recurse-submodules",
      "--no-write-fetch-head",
      "--refmap=",
      name,
      ...refs,
    ], { limit: PATIENCE });
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/couldn't find remote ref/.test(error.result.stderr)) return false;
    throw noAnswer(name, error.result, error);
  }
}

function trackingRef({ name, branch }: Remote): string {
  return `refs/remotes/${name}/${branch}`;
}

function noAnswer(name: string, result: GitResult, cause?: GitError): RemoteError {
  return new RemoteError(`Cannot fetch from ${name}: ${reasonOf(result)}`, true, { cause });
}
