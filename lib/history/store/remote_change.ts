import type { Tips } from "../../git/fetch.ts";
import { makeCommits } from "../../git/objects.ts";
import { push, type PushAnswer } from "../../git/push.ts";
import type { RemoteRepository } from "../../git/repository.ts";
import { commitOnto } from "./git_snapshot.ts";
import { assertNoneInTheWay } from "./in_the_way.ts";
import { pendingCommit, type PendingTree } from "./pending_tree.ts";
import type { Change, Ways } from "./store.ts";

/** Makes the commits of a change, for the branch and for the ref beside it; nothing refers to them yet. */
export async function makeRemoteChange(
  repository: RemoteRepository,
  { tips, tree, change }: { tips: Tips; tree: PendingTree; change: Change },
): Promise<Tips> {
  const { run: id, time, author, files, pending } = change;
  const onBranch = files.size > 0 ? [commitOnto(repository, tips.branch, change)] : [];
  for (const { files: own } of onBranch) {
    await assertNoneInTheWay(repository.git, tips.branch, [...own.keys()]);
  }
  const beside = pending === undefined ? [] : [pendingCommit(repository, tree, change)];
  const commits = [...onBranch, ...beside];
  const names = await makeCommits(repository.git, commits, { author, time, id });
  return {
    ...onBranch.length > 0 ? { branch: names[0] } : {},
    ...beside.length > 0 ? { pending: names.at(-1) } : {},
  };
}

/**
 * Pushes what was made. Where branch and ref can't be changed at once, the ref comes first: it holds
 * whatever the branch may come to lack.
 */
export async function pushRemoteChange(
  { git, remote }: RemoteRepository,
  { tips, made, ways }: { tips: Tips; made: Tips; ways: Ways },
): Promise<PushAnswer> {
  const pending = made.pending === undefined ? undefined : { from: tips.pending, to: made.pending };
  if (ways.atomic) return await push(git, remote, { branch: made.branch ?? tips.branch, pending });
  if (pending !== undefined) {
    const answer = await push(git, remote, { pending });
    if (answer.kind !== "done" || made.branch === undefined) return answer;
  }
  return await push(git, remote, { branch: made.branch });
}
