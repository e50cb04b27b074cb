import { CONFIG_FILES } from "../../lib/config/load.ts";
import { UPPTIME_CONFIG } from "../../lib/config/upptime/repository.ts";
import type { Repository } from "../../lib/git/repository.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Change, HistoryFiles, Published } from "../../lib/history/store/store.ts";
import type { ImportPlan } from "../../lib/import/plan_import.ts";
import { randomName } from "../../lib/io/clock.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import type { planMarkers } from "../../lib/setup/readme.ts";
import { type ImportedWorkflows, lacksWorkflowScope } from "../../lib/setup/workflow_files.ts";
import { commitAuthor, IMPORT_MESSAGE, WORKFLOWS_MESSAGE } from "../../templates/commit_message.ts";
import { type Context, storeOptions } from "../shared/context.ts";

export interface Planned {
  plan: ImportPlan;
  workflows: ImportedWorkflows;
  /** Graphs that `--move-graphs` removes. */
  graphs: readonly string[];
  /** The README with a place for the summary, if it had none, and what to know about it. */
  readme?: Awaited<ReturnType<typeof planMarkers>>;
}

const [OUR_CONFIG] = CONFIG_FILES;

/** Every file of an import in the order in which they are written, the configuration last. */
export function allFiles({ plan, workflows, graphs, readme }: Planned): Map<string, string | null> {
  const configs: readonly string[] = CONFIG_FILES;
  const isConfig = ([path]: [string, string | null]) => configs.includes(path);
  const files = [...plan.files];
  return new Map([
    ...files.filter((file) => !isConfig(file)),
    ...workflows.files,
    ...graphs.map((path): [string, null] => [path, null]),
    ...readme?.path === undefined || readme.content === undefined
      ? []
      : [[readme.path, readme.content] as const],
    ...files.filter(isConfig),
  ]);
}

export interface PublishedImport extends Published {
  /** False if the token may not write workflows. */
  hasWorkflows: boolean;
}

/**
 * Commits and pushes: first everything that needs no special token, then the workflows. Upptime's configuration goes
 * with its workflows, so that Upptime continues to monitor if the token may not write those.
 */
export async function publishImport(
  repository: Repository,
  planAt: (files: HistoryFiles, revision: string) => Promise<Planned>,
  context: Context,
): Promise<{ planned: Planned; published: PublishedImport }> {
  const { root, clock } = context;
  const { git, remote } = repository;
  const revision = remote === undefined ? "HEAD" : `refs/remotes/${remote.name}/${remote.branch}`;
  const findTip = () => git.maybe(["rev-parse", "--quiet", "--verify", revision]);
  const toChange = (
    { plan: { config } }: Planned,
    files: ReadonlyMap<string, string | null>,
    message: string,
  ): Change | undefined =>
    files.size === 0 ? undefined : {
      ...{ run: randomName(), time: clock.now(), files, message },
      author: commitAuthor(config),
    };
  const lock = await folderWorkspace(root).has(UPPTIME_CONFIG) ? UPPTIME_CONFIG : OUR_CONFIG;
  let first: Planned | undefined;
  let tip: string | undefined;
  const store = await openStore(root, storeOptions(context, lock));
  const published = await store.publish(async (snapshot) => {
    tip = await findTip();
    first = await planAt(snapshot, revision);
    return toChange(first, earlyFiles(first), IMPORT_MESSAGE);
  });
  if (published.refused !== undefined) throw published.refused;
  const planned = first!;
  const done = { ...published, hasWorkflows: true };
  const left = withoutKeys(allFiles(planned), earlyFiles(planned));
  if (left.size === 0) return { planned, published: done };
  try {
    const store = await openStore(root, storeOptions(context, OUR_CONFIG));
    const { refused, notes } = await store.publish(async (snapshot) => {
      if (!snapshot.capabilities.commits) return undefined;
      const isSame = await findTip() === (published.commit ?? tip);
      if (isSame) return toChange(planned, left, WORKFLOWS_MESSAGE);
      // Upptime has committed since.
      const newest = await planAt(snapshot, revision);
      return toChange(newest, allFiles(newest), WORKFLOWS_MESSAGE);
    });
    if (refused !== undefined) throw refused;
    done.notes.push(...notes);
  } catch (error) {
    if (!(error instanceof Error) || !lacksWorkflowScope(error.message)) throw error;
    done.hasWorkflows = false;
    done.notes.push(
      `the workflows were not replaced, because the token may not write them, so Upptime continues to monitor: save a token with the scopes repo and workflow as the secret HOST_PAT, and run Import CI again`,
    );
  }
  return { planned, published: done };
}

/** Files that any token may push, and that don't end Upptime's monitoring. */
function earlyFiles(planned: Planned): Map<string, string | null> {
  const { files } = planned.workflows;
  const late = files.size === 0 ? [] : [...files.keys(), UPPTIME_CONFIG];
  return withoutKeys(allFiles(planned), new Map(late.map((path) => [path, null])));
}

function withoutKeys<T>(files: ReadonlyMap<string, T>, others: ReadonlyMap<string, unknown>) {
  return new Map([...files].filter(([path]) => !others.has(path)));
}
