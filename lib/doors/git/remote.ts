import { plainText, shorten } from "../../plain_text.ts";
import { ENDED, type Git, GitError, type GitResult, reasonOf } from "./git.ts";
import { commitOf, type Repository } from "./repository.ts";

/** A remote that could not be used, in words. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** Whether the same push may succeed later: the remote did not answer. */
  constructor(message: string, readonly temporary: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Milliseconds that a remote has for its answer. */
const PATIENCE = 45_000;

type Remote = NonNullable<Repository["remote"]>;

/**
 * Brings the remote's branch up to date and returns its tip; `undefined` where the remote has no such
 * branch. A shallow clone stays as shallow as it is.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function fetchTip(git: Git, remote: Remote): Promise<string | undefined> {
  const { name, branch } = remote;
  const tracking = `refs/remotes/${name}/${branch}`;
  const there = await fetchRef(git, remote, `+refs/heads/${branch}:${tracking}`);
  return there ? await commitOf(git, tracking) : undefined;
}

/**
 * The tip of the remote's branch as {@linkcode fetchTip} gives it, but no ref is moved: all that comes
 * is objects.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function peekTip(git: Git, remote: Remote): Promise<string | undefined> {
  const { name, branch } = remote;
  const ref = `refs/heads/${branch}`;
  const result = await git.run(["ls-remote", "--quiet", name, ref], {
    accept: [128, ENDED],
    limit: PATIENCE,
  });
  if (result.code !== 0) throw noAnswer(name, result);
  const lines = new TextDecoder().decode(result.stdout).split("\n");
  const tip = lines.find((line) => line.endsWith(`\t${ref}`))?.split("\t")[0];
  if (tip !== undefined && await commitOf(git, tip) === undefined) await fetchRef(git, remote, ref);
  return tip;
}

/** Fetches one thing; `false` where the remote does not have it. */
async function fetchRef(git: Git, { name }: Remote, what: string): Promise<boolean> {
  try {
    await git.run([
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-recurse-submodules",
      "--no-write-fetch-head",
      "--refmap=",
      name,
      what,
    ], { limit: PATIENCE });
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/couldn't find remote ref/.test(error.result.stderr)) return false;
    throw noAnswer(name, error.result);
  }
}

function noAnswer(name: string, result: GitResult): RemoteError {
  return new RemoteError(`Cannot fetch from ${name}: ${reasonOf(result)}`, true);
}

/**
 * Pushes a commit to the remote's branch; `false` where somebody else was faster.
 *
 * @throws {RemoteError} Where the remote refuses, or does not answer.
 */
export async function pushCommit(
  git: Git,
  { name, branch }: Remote,
  commit: string,
): Promise<boolean> {
  const target = `refs/heads/${branch}`;
  const result = await git.run([
    "push",
    "--porcelain",
    "--no-verify",
    "--no-signed",
    "--no-follow-tags",
    "--no-recurse-submodules",
    name,
    `${commit}:${target}`,
  ], { accept: [1, 128, ENDED], limit: PATIENCE });
  if (result.code === 0) return true;
  const refusal = refusalOf(result);
  if (refusal === undefined) {
    throw new RemoteError(`Cannot push to ${name}: ${reasonOf(result)}`, true);
  }
  if (RACE.test(refusal)) return false;
  const words = wordsOf(result);
  throw new RemoteError(
    `Cannot push to ${branch} at ${name}: the remote refused (${refusal})${words && `: ${words}`}`,
    false,
  );
}

/** Answers to a push that came second, of git's own check and of the remote's lock. */
const RACE =
  /fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|failed to lock|incorrect old value|already exists|reference already exists/;

function refusalOf({ stdout }: GitResult): string | undefined {
  const line = new TextDecoder().decode(stdout).split("\n").find((one) => one.startsWith("!"));
  return line?.split("\t")[2]?.replace(/^\[(?:remote )?rejected\]\s*/, "").replace(/^\(|\)$/g, "");
}

/** What the remote itself has to say, on one line: the rule that was broken stands there. */
function wordsOf({ stderr }: GitResult): string {
  const said = stderr.split("\n").filter((line) => line.startsWith("remote:"));
  return shorten(plainText(said.map((line) => line.slice("remote:".length)).join(" ")), 500);
}
