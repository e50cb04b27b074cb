import type { Clock } from "../../io/clock.ts";
import {
  branchTips,
  fetchBranch,
  push,
  type PushAnswer,
  RemoteError,
  retryPush,
} from "../../git/remote.ts";
import { makeCommits, readContents } from "../../git/objects.ts";
import { commitOf, type RemoteRepository } from "../../git/repository.ts";
import { packObjects } from "../../git/work_tree.ts";
import type { Change } from "../../history/store/store.ts";
import { assertOurName, ownBlobs } from "./graphs_branch.ts";
import { type Drawn, graphChanges } from "./graph_changes.ts";
import { slugOfGraph } from "./graph_files.ts";

/** What a commit of graphs carries beside them. */
export type GraphsCommit = Omit<Change, "files" | "pending">;

/** Where graphs are published to, and how. */
export interface PublishOptions {
  /** The branch that holds nothing else. */
  branch: string;
  commit: GraphsCommit;
  clock: Clock;
}

/**
 * Replaces the one commit of the graphs' own branch by one that holds what was drawn, and what the branch
 * holds of other folders of the repository. A remote without a branch stays as it is: the first it gets
 * becomes its main one.
 *
 * @throws {RepositoryError} Where the branch is not for graphs alone.
 * @throws {RemoteError} Where the remote does not answer, or refuses.
 */
export async function publishApart(
  repository: RemoteRepository,
  drawn: Drawn,
  options: PublishOptions,
): Promise<"published" | "unchanged" | "unborn"> {
  const { branch, clock } = options;
  const place = `${branch} at ${repository.remote.name}`;
  return await retryPush(`publish graphs to ${place}`, clock, async () => {
    const answer = await publishOnce(repository, drawn, options);
    if (typeof answer === "string") return answer;
    if (answer.kind === "refused") {
      throw new RemoteError(
        `Cannot publish graphs to ${place}: the remote refused ${answer.reason}; let this token replace that branch there, or set graphs.branch to another name or to same`,
        false,
      );
    }
    if (answer.kind === "done") await packObjects(repository.git);
    return answer.kind === "done" ? "published" : "overtaken";
  });
}

/** One attempt to publish. */
async function publishOnce(
  repository: RemoteRepository,
  drawn: Drawn,
  { branch, commit }: PublishOptions,
): Promise<PushAnswer | "unchanged" | "unborn"> {
  const { git, prefix } = repository;
  const remote = { name: repository.remote.name, branch };
  const tips = await branchTips(git, remote);
  assertOurName(branch, { repository, others: [...tips.keys()] });
  if (tips.size === 0) return "unborn";
  const from = tips.get(branch);
  if (from !== undefined && await commitOf(git, from) === undefined) {
    await fetchBranch(git, remote);
    if (await commitOf(git, from) === undefined) return { kind: "overtaken" };
  }
  const blobs = await ownBlobs(git, from, remote);
  const held = [...blobs].flatMap(([path, blob]) => {
    const own = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    return slugOfGraph(own) === undefined ? [] : [{ own, blob }];
  });
  const contents = await readContents(git, held.map(({ blob }) => blob));
  const changes = graphChanges(
    new Map(held.map(({ own }, index) => [own, contents[index]!])),
    // The branch is known to be ours, so a graph of any slug is.
    { ...drawn, monitored: undefined },
  );
  if (changes.size === 0) return "unchanged";
  const files = new Map([...changes].map(([path, content]) => [prefix + path, content]));
  const { run: id, time, author, message } = commit;
  const [made] = await makeCommits(git, [{ blobs, files, message }], { id, time, author });
  return await push(git, remote, { branch: made!, replaced: { from } });
}
