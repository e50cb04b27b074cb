import { type Clock, random } from "../io/clock.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import { findCommit } from "./objects.ts";
import { ENDED, findReason, type Git, GitError, type GitResult, toText } from "./git.ts";
import type { RemoteBranch } from "./repository.ts";

/** Holds rows that are not flushed to the branch yet, and the run state; clones don't fetch it by themselves. */
export const PENDING_REF = "refs/monitor/pending";

/** Start of the refs with the results of locations, each written by that location alone. */
export const LOCATION_REFS = "refs/monitor/locations/";

/** Commits of a remote; a missing one means that the remote does not have the ref. */
export interface Tips {
  branch?: string;
  pending?: string;
  /** Commits by the id of the location; absent if they were not fetched. */
  locations?: ReadonlyMap<string, string>;
}

export class RemoteError extends Error {
  override readonly name = "RemoteError";
  /** `temporary` is true if the same may succeed at once: the remote could not be reached, but did not hang. */
  constructor(message: string, readonly temporary: boolean, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Milliseconds that a remote has for its answer. */
const ANSWER_LIMIT = 45_000;

/** A glob, because git fails if a ref that is named is missing. */
const PENDING_SPEC = `+${PENDING_REF}*:${PENDING_REF}*`;
const LOCATIONS_SPEC = `+${LOCATION_REFS}*:${LOCATION_REFS}*`;

/**
 * Fetches the remote's branch and its {@linkcode PENDING_REF}, and if wanted the {@linkcode LOCATION_REFS}. A
 * shallow clone stays as shallow as it is.
 *
 * @throws {RemoteError} If the remote does not answer.
 */
export async function fetchTips(
  git: Git,
  remote: RemoteBranch,
  { withLocations = false } = {},
): Promise<Tips> {
  const branch = `+refs/heads/${remote.branch}:${trackingRef(remote)}`;
  const specs = [PENDING_SPEC, ...withLocations ? [LOCATIONS_SPEC] : []];
  const hasBranch = await fetchRefs(git, remote, [branch, ...specs]);
  if (!hasBranch) await fetchRefs(git, remote, specs);
  const { branch: tip, ...others } = await knownTips(git, remote, { withLocations });
  return { ...hasBranch ? { branch: tip } : {}, ...others };
}

function toLocations(refs: Iterable<[ref: string, tip: string]>): Map<string, string> {
  return new Map(
    [...refs].filter(([ref]) => ref.startsWith(LOCATION_REFS))
      .map(([ref, tip]) => [ref.slice(LOCATION_REFS.length), tip]),
  );
}

/**
 * Commits of the refs of all locations, by the id of the location. Only the objects of those that are `wanted` are
 * fetched, and no ref moves.
 *
 * @throws {RemoteError} If the remote does not answer.
 */
export async function peekLocations(
  git: Git,
  remote: RemoteBranch,
  wanted: (id: string) => boolean,
): Promise<Map<string, string>> {
  const all = toLocations(await listRefs(git, remote, [`${LOCATION_REFS}*`]));
  const ids = [...all.keys()].filter(wanted);
  if (ids.length > 0) await fetchRefs(git, remote, ids.map((id) => LOCATION_REFS + id));
  return all;
}

/**
 * Fetches the objects of the tips, without moving any ref.
 *
 * @throws {RemoteError} If the remote does not answer.
 */
export async function peekTips(
  git: Git,
  remote: RemoteBranch,
  { withLocations = false } = {},
): Promise<Tips> {
  const branch = `refs/heads/${remote.branch}`;
  const others = withLocations ? [`${LOCATION_REFS}*`] : [];
  const refs = await listRefs(git, remote, [branch, PENDING_REF, ...others]);
  const missing: string[] = [];
  for (const [ref, tip] of refs) if (await findCommit(git, tip) === undefined) missing.push(ref);
  if (missing.length > 0) await fetchRefs(git, remote, missing);
  return toTips(refs, branch, withLocations);
}

/** The remote's tips as of the last fetch. */
export async function knownTips(
  git: Git,
  remote: RemoteBranch,
  { withLocations = false } = {},
): Promise<Tips> {
  const tracking = trackingRef(remote);
  const format = "--format=%(refname) %(objectname)";
  const lines = await git.text(["for-each-ref", format, tracking, PENDING_REF, LOCATION_REFS]);
  const refs = new Map(lines.split("\n").map((line) => line.split(" ") as [string, string]));
  return toTips(refs, tracking, withLocations);
}

function toTips(refs: ReadonlyMap<string, string>, branch: string, withLocations: boolean): Tips {
  return {
    branch: refs.get(branch),
    pending: refs.get(PENDING_REF),
    ...withLocations ? { locations: toLocations(refs) } : {},
  };
}

/**
 * Commits of all branches of a remote, by branch.
 *
 * @throws {RemoteError} If the remote does not answer.
 */
export async function branchTips(
  git: Git,
  remote: Pick<RemoteBranch, "name">,
): Promise<Map<string, string>> {
  const refs = await listRefs(git, remote, ["refs/heads/*"]);
  return new Map([...refs].map(([ref, tip]) => [ref.slice("refs/heads/".length), tip]));
}

async function listRefs(
  git: Git,
  { name }: Pick<RemoteBranch, "name">,
  patterns: readonly string[],
): Promise<Map<string, string>> {
  const result = await git.run(["ls-remote", "--quiet", "--refs", name, ...patterns], {
    accept: [128, ENDED],
    limit: ANSWER_LIMIT,
  });
  if (result.code !== 0) throw noAnswer(name, result);
  const lines = toText(result).split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => line.split("\t").reverse() as [string, string]));
}

/**
 * Fetches the objects of a branch without moving any ref; nothing if the branch is gone. A shallow clone gets
 * the last commit alone; a full clone is never made shallow.
 *
 * @throws {RemoteError} If the remote does not answer.
 */
export async function fetchBranch(
  git: Git,
  { name, branch }: RemoteBranch,
): Promise<void> {
  const isShallow = await git.text(["rev-parse", "--is-shallow-repository"]) === "true";
  await fetchRefs(git, { name }, [`refs/heads/${branch}`], isShallow ? ["--depth=1"] : []);
}

/** Fetches refs; returns `false` if the remote lacks one of them. */
async function fetchRefs(
  git: Git,
  { name }: Pick<RemoteBranch, "name">,
  refs: readonly string[],
  options: readonly string[] = [],
): Promise<boolean> {
  const flags = ["--quiet", "--no-tags", "--prune", "--no-recurse-submodules"];
  flags.push("--no-write-fetch-head", "--no-auto-maintenance", "--refmap=");
  try {
    await git.run(["fetch", ...options, ...flags, name, ...refs], { limit: ANSWER_LIMIT });
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (/couldn't find remote ref/.test(error.result.stderr)) return false;
    throw noAnswer(name, error.result, error);
  }
}

function trackingRef({ name, branch }: RemoteBranch): string {
  return `refs/remotes/${name}/${branch}`;
}

function noAnswer(name: string, result: GitResult, cause?: GitError): RemoteError {
  const message = `Cannot fetch from ${name}: ${findReason(result)}`;
  return new RemoteError(message, result.code !== ENDED, { cause });
}

/** A change of refs at a remote: of the branch, of the pending ref, or of both at once. */
interface Push {
  /** The new tip of the branch. An unchanged tip makes sure that nobody else has moved it. */
  branch?: string;
  /** The tip that the branch loses if it may be replaced; `from` is absent if the branch must not exist yet. */
  replaced?: { from: string | undefined };
  /** The new commit of the pending ref, and the one that it replaces. */
  pending?: { from: string | undefined; to: string };
}

/**
 * Pushes the results of a location, and overwrites its ref. Without `commit` the ref is removed, if it still is at
 * `from`.
 *
 * @throws {RemoteError} If the remote refuses, or does not answer.
 */
export async function pushLocation(
  git: Git,
  { name }: Pick<RemoteBranch, "name">,
  { id, commit = "", from }: { id: string; commit?: string; from?: string },
): Promise<void> {
  const target = LOCATION_REFS + id;
  const result = await git.run([
    ...["push", "--porcelain"],
    from === undefined ? "--force" : `--force-with-lease=${target}:${from}`,
    ...["--no-verify", "--no-signed", "--no-follow-tags", "--no-recurse-submodules"],
    name,
    `${commit}:${target}`,
  ], { accept: [1, 128, ENDED], limit: ANSWER_LIMIT });
  if (result.code === 0) return;
  const [refusal] = parseRefusals(result);
  if (refusal === undefined) {
    throw new RemoteError(`Cannot push to ${name}: ${findReason(result)}`, true);
  }
  const [ref, reason] = refusal;
  const words = remoteMessages(result);
  throw new RemoteError(
    `Cannot push to ${ref} at ${name}: the remote refused (${reason})${words && `: ${words}`}`,
    false,
  );
}

/** The answer of a remote to a push; `overtaken` if another push was faster. */
export type PushAnswer =
  | { kind: "done" | "overtaken" }
  /** `ref` is the one that the remote refuses, `both` if it refuses each. */
  | { kind: "refused"; ref: "branch" | "pending" | "both"; reason: string };

/**
 * Pushes to a remote: branch and pending ref atomically, or the branch first if the remote can't do that.
 *
 * @throws {RemoteError} If the remote does not answer.
 */
export async function push(git: Git, remote: RemoteBranch, change: Push): Promise<PushAnswer> {
  const { name, branch } = remote;
  const { branch: tip, replaced, pending } = change;
  const target = `refs/heads/${branch}`;
  const lease = (ref: string, from = "") => `--force-with-lease=${ref}:${from}`;
  const refs = [
    ...tip === undefined ? [] : [`${tip}:${target}`],
    ...pending === undefined ? [] : [`${pending.to}:${PENDING_REF}`],
  ];
  const result = await git.run([
    ...["push", "--porcelain", ...refs.length > 1 ? ["--atomic"] : []],
    ...["--no-verify", "--no-signed", "--no-follow-tags", "--no-recurse-submodules"],
    ...replaced === undefined ? [] : [lease(target, replaced.from)],
    ...pending === undefined ? [] : [lease(PENDING_REF, pending.from)],
    name,
    ...refs,
  ], { accept: [1, 128, ENDED], limit: ANSWER_LIMIT });
  if (result.code === 0) return { kind: "done" };
  if (/does not support --atomic/.test(result.stderr)) {
    const first = await push(git, remote, { branch: tip, replaced });
    return first.kind === "done" ? await push(git, remote, { pending }) : first;
  }
  const refusals = parseRefusals(result);
  if (refusals.size === 0) {
    throw new RemoteError(`Cannot push to ${name}: ${findReason(result)}`, result.code !== ENDED);
  }
  const own = [...refusals].filter(([, reason]) => !TAKEN_ALONG.test(reason));
  const isRace = (reason: string) =>
    RACE.test(reason) && !(replaced !== undefined && reason === "non-fast-forward");
  if (own.length === 0 || own.some(([, reason]) => isRace(reason))) return { kind: "overtaken" };
  const [[ref, reason]] = own as [[string, string]];
  const words = remoteMessages(result);
  return {
    kind: "refused",
    ref: own.length > 1 ? "both" : ref === target ? "branch" : "pending",
    reason: `(${reason})${words && `: ${words}`}`,
  };
}

/** Answers to a push that came second, from git's own check and from the remote's locks. */
const RACE =
  /fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref|failed to lock|incorrect old value|already exists/;

/** The answer for a ref that failed only because another one of the same push did. */
const TAKEN_ALONG = /atomic (?:push failed|push failure|transaction failed)/;

function parseRefusals({ stdout }: GitResult): Map<string, string> {
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("!"));
  return new Map(lines.map((line) => {
    const [, refs = "", status = ""] = line.split("\t");
    const reason = status.replace(/^\[(?:remote )?rejected\]\s*/, "").replace(/^\(|\)$/g, "");
    return [refs.slice(refs.indexOf(":") + 1), reason];
  }));
}

/** Messages of the remote itself on one line, such as the rule that a push breaks. */
function remoteMessages({ stderr }: GitResult): string {
  const lines = stderr.split("\n").filter((line) => line.startsWith("remote:"));
  return shorten(plainText(lines.map((line) => line.slice("remote:".length)).join(" ")), 500);
}

/** Attempts at a push before a run gives up, if others are faster each time. */
const RACES = 10;
/** Waits after attempts that the remote did not answer, in milliseconds. */
const SILENCES = [500, 2_000, 4_000];

/**
 * Repeats an attempt to publish with jittered waits while others are faster or the remote does not answer; at
 * once after a refusal that the next attempt works around.
 *
 * @throws {RemoteError} If it gives up, or the remote refuses.
 */
export async function retryPush<T>(
  what: string,
  clock: Clock,
  attempt: () => Promise<T | "overtaken" | "refused">,
): Promise<T> {
  let silences = 0;
  for (let count = 1; count <= RACES; count++) {
    let wait = Math.min(5_000, 100 * 2 ** count) * (0.2 + 0.8 * random());
    try {
      const result = await attempt();
      if (result !== "overtaken" && result !== "refused") return result;
      if (result === "refused") wait = 0;
    } catch (error) {
      const silence = SILENCES[silences++];
      const isTemporary = error instanceof RemoteError && error.temporary;
      if (!isTemporary || silence === undefined) throw error;
      wait = silence * (0.8 + 0.4 * random());
    }
    if (wait > 0) await clock.wait(wait);
  }
  throw new RemoteError(`Cannot ${what}: others were faster ${RACES} times`, true);
}
