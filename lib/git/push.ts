import { plainText, shorten } from "../text/plain_text.ts";
import { PENDING_REF } from "./fetch.ts";
import { ENDED, type Git, type GitResult, reasonOf } from "./git.ts";
import { PATIENCE, RemoteError } from "./remote_error.ts";
import type { Repository } from "./repository.ts";

/** What is to be published: the branch, the pending ref, or both of them or neither. */
export interface Push {
  /**
   * The commit that the branch shall be at. The one it is known to be at makes sure that it has not
   * moved.
   */
  branch?: string;
  /** The commit that the branch loses for it; `from` is absent where it must not be there yet. */
  replaced?: { from: string | undefined };
  /** The commit that the pending ref shall be at, in place of the one it is known to be at. */
  pending?: { from: string | undefined; to: string };
}

/** What a remote answered to a push. */
export type PushAnswer =
  | { kind: "done" }
  /** Somebody else was faster; or a lock that is held there is in the way, which is told with its cure. */
  | { kind: "overtaken"; lock?: string }
  /** It can't take two refs at once. */
  | { kind: "not atomic" }
  /** It does not take a ref, or does not say which one. */
  | { kind: "refused"; ref: "branch" | "pending" | "unnamed"; words: string };

/**
 * Pushes to a remote.
 *
 * @throws {RemoteError} Where the remote does not answer.
 */
export async function push(
  git: Git,
  { name, branch }: NonNullable<Repository["remote"]>,
  { branch: commit, replaced, pending }: Push,
): Promise<PushAnswer> {
  const target = `refs/heads/${branch}`;
  const leases = [
    ...replaced === undefined ? [] : [leaseOf(target, replaced)],
    ...pending === undefined ? [] : [leaseOf(PENDING_REF, pending)],
  ];
  const refs = [
    ...commit === undefined ? [] : [`${commit}:${target}`],
    ...pending === undefined ? [] : [`${pending.to}:${PENDING_REF}`],
  ];
  const result = await git.run([
    "push",
    "--porcelain",
    ...refs.length > 1 ? ["--atomic"] : [],
    "--no-verify",
    "--no-signed",
    "--no-follow-tags",
    "--no-recurse-submodules",
    ...leases,
    name,
    ...refs,
  ], { accept: [1, 128, ENDED], limit: PATIENCE });
  if (result.code === 0) return { kind: "done" };
  if (/does not support --atomic/.test(result.stderr)) return { kind: "not atomic" };
  const refusals = refusalsOf(result);
  const lock = remoteLock(result);
  if (lock !== undefined) return { kind: "overtaken", lock };
  if (refusals.size === 0) {
    throw new RemoteError(`Cannot push to ${name}: ${reasonOf(result)}`, true);
  }
  return answerOf(refusals, { target, isReplaced: replaced !== undefined }, wordsOf(result));
}

function leaseOf(ref: string, { from }: { from: string | undefined }): string {
  return `--force-with-lease=${ref}:${from ?? ""}`;
}

/** Answers to a push that came second, of git's own check and of the remote's lock. */
const RACE =
  /fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|failed to lock|incorrect old value|already exists|reference already exists/;

/** What a remote says that lets no branch be replaced; where none is, it is the answer to a push that came second. */
const FORBIDDEN = "non-fast-forward";

/** What is said of a ref that went down with another one. */
const TAKEN_ALONG = /atomic (?:push failed|push failure|transaction failed)/;

function answerOf(
  refusals: ReadonlyMap<string, string>,
  { target, isReplaced }: { target: string; isReplaced: boolean },
  words: string,
): PushAnswer {
  const own = [...refusals].filter(([, reason]) => !TAKEN_ALONG.test(reason));
  const isRace = (reason: string) => RACE.test(reason) && !(isReplaced && reason === FORBIDDEN);
  if (own.length === 0 || own.some(([, reason]) => isRace(reason))) return { kind: "overtaken" };
  const [[ref, reason]] = own as [[string, string]];
  const which = own.length > 1 ? "unnamed" : ref === target ? "branch" : "pending";
  return { kind: "refused", ref: which, words: `(${reason})${words && `: ${words}`}` };
}

/** Why refs were refused, by ref. */
function refusalsOf({ stdout }: GitResult): Map<string, string> {
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("!"));
  return new Map(lines.map((line) => {
    const [, refs = "", status = ""] = line.split("\t");
    const reason = status.replace(/^\[(?:remote )?rejected\]\s*/, "").replace(/^\(|\)$/g, "");
    return [refs.slice(refs.indexOf(":") + 1), reason];
  }));
}

/** What the remote says of a lock that is in the way, where it does. */
function remoteLock({ stderr }: GitResult): string | undefined {
  const said = /^remote: error: (.*\.lock': File exists)/m.exec(stderr)?.[1];
  if (said === undefined) return undefined;
  return `${shorten(plainText(said), 500)} (where no other git is at work there, remove that file)`;
}

/** What the remote itself has to say, on one line: the rule that was broken stands there. */
function wordsOf({ stderr }: GitResult): string {
  const said = stderr.split("\n").filter((line) => line.startsWith("remote:"));
  return shorten(plainText(said.map((line) => line.slice("remote:".length)).join(" ")), 500);
}
