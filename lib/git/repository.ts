import { resolve } from "node:path";
import { findReason, Git, NoGitError, toText } from "./git.ts";

export interface RemoteBranch {
  name: string;
  branch: string;
}

export interface Repository {
  /** Runs at the top of the repository: paths of all commands start there. */
  git: Git;
  top: string;
  /** From the top of the repository to the folder, empty or ending in `/`. */
  prefix: string;
  /** The folder of this program among git's own files; it may not exist. */
  ownFolder: string;
  /** The folder of the refs that are there only while commits are made. */
  buildFolder: string;
  /** The lock that git holds while it deletes or packs refs. */
  packedRefsLock: string;
  branch: string;
  /** The branch to push to; absent if the repository has no remote. */
  remote?: RemoteBranch;
}

export type RemoteRepository = Repository & Required<Pick<Repository, "remote">>;

/** A state of the repository in which nothing can be recorded; the message says what to do. */
export class RepositoryError extends Error {
  override readonly name = "RepositoryError";
}

/** No branch is checked out, as in a job for a tag or a pull request. */
export class DetachedError extends RepositoryError {}

/**
 * Opens the repository that a folder belongs to, or returns the reason there is none, for people.
 *
 * @throws {RepositoryError} If it can't be used, has no work tree, or no branch is checked out.
 */
export async function openRepository(
  folder: string,
  ending?: AbortSignal,
): Promise<Repository | string> {
  const here = new Git(folder);
  try {
    if (!await isInWorkTree(here)) return NO_REPOSITORY;
  } catch (error) {
    if (error instanceof NoGitError) return NO_GIT;
    throw error;
  }
  const paths = ["monitor", "refs/monitor/build", "packed-refs.lock"];
  const questions = [
    "--show-prefix",
    "--show-toplevel",
    ...paths.flatMap((path) => ["--git-path", path]),
  ];
  const place = await here.text(["rev-parse", ...questions]);
  const [prefix, top, ...places] = place.split("\n") as [string, string, ...string[]];
  const [ownFolder, buildFolder, packedRefsLock] = places.map((path) => resolve(folder, path)) as [
    string,
    string,
    string,
  ];
  if (prefix !== "" && await here.maybe(["check-ignore", "-q", "."]) !== undefined) {
    return "the repository ignores this folder";
  }
  const git = new Git(top, ending);
  const branch = await git.maybe(["symbolic-ref", "--short", "-q", "HEAD"]);
  if (branch === undefined) {
    throw new DetachedError(
      "Cannot record anything: no branch is checked out (HEAD is detached); check one out first (in a workflow: actions/checkout with ref: ${{ github.ref_name }})",
    );
  }
  const own = { ownFolder, buildFolder, packedRefsLock };
  return { git, top, prefix, ...own, branch, remote: await findRemote(git, branch) };
}

export async function findRepository(folder: string): Promise<Repository | undefined> {
  const found = await openRepository(folder);
  return typeof found === "string" ? undefined : found;
}

export const NO_REPOSITORY = "the folder is not in a git repository";
export const NO_GIT = "git is not installed";

async function isInWorkTree(git: Git): Promise<boolean> {
  const result = await git.run(["rev-parse", "--is-inside-work-tree", "--is-bare-repository"], {
    accept: [128],
  });
  if (result.code === 0) {
    const [inside, bare] = toText(result).split("\n");
    if (inside === "true") return true;
    throw new RepositoryError(
      bare === "true"
        ? "Cannot record anything: this repository is bare, it has no work tree; clone it and work in the clone"
        : "Cannot record anything: this is the inside of a .git folder; work in the folder it belongs to",
    );
  }
  if (/not a git repository \(or any/.test(result.stderr)) return false;
  // git names the folder, which is not always that of the work tree.
  const allow = /git config .*safe\.directory .+/.exec(result.stderr)?.[0];
  throw new RepositoryError(
    allow === undefined
      ? `Cannot use the repository: ${findReason(result)}`
      : `Cannot use the repository: its folder belongs to another user; allow it with ${allow}`,
  );
}

async function findRemote(git: Git, branch: string): Promise<RemoteBranch | undefined> {
  const wanted = "^(remote\\..+\\.url|branch\\..+\\.(remote|merge))$";
  const output = await git.maybe(["config", "--null", "--get-regexp", wanted]) ?? "";
  const settings = new Map(
    output.split("\0").map((line) => line.split(/\n(.*)/s) as [string, string]),
  );
  const remotes = [...settings.keys()].flatMap((key) =>
    /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []
  );
  const configured = settings.get(`branch.${branch}.remote`);
  const name = [configured, "origin", ...remotes].find((one) =>
    one !== undefined && remotes.includes(one)
  );
  if (name === undefined) return undefined;
  const upstream = name === configured ? settings.get(`branch.${branch}.merge`) : undefined;
  return { name, branch: upstream?.replace(/^refs\/heads\//, "") ?? branch };
}

export interface RepositoryInfo {
  /** Address of the remote `origin`. */
  remoteUrl?: string;
  /** From the top of the repository to the folder, empty or ending in `/`. */
  prefix: string;
  /** The branch that is checked out. */
  branch?: string;
}

/** Reads the remote, the branch and the position of a folder, which may be outside of any repository. */
export async function readRepositoryInfo(folder: string): Promise<RepositoryInfo> {
  const git = new Git(folder);
  try {
    const [remoteUrl, prefix = "", branch] = await Promise.all([
      git.maybe(["config", "--get", "remote.origin.url"]),
      git.maybe(["rev-parse", "--show-prefix"]),
      git.maybe(["symbolic-ref", "--short", "-q", "HEAD"]),
    ]);
    return { remoteUrl, prefix, branch };
  } catch (error) {
    if (error instanceof NoGitError) return { prefix: "" };
    throw error;
  }
}

/** Reads the name of the person who commits in a folder; `undefined` if git knows none. */
export async function readUserName(folder: string): Promise<string | undefined> {
  try {
    return await new Git(folder).maybe(["config", "--get", "user.name"]);
  } catch (error) {
    if (error instanceof NoGitError) return undefined;
    throw error;
  }
}
