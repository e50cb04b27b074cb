import { isUpptimeWorkflow } from "../config/upptime/repository.ts";
import { IMPORT_WORKFLOW, WORKFLOW_FOLDER } from "../config/workflows.ts";
import type { Workspace } from "../io/workspace.ts";
import { isWritten, needlessWorkflows, planWorkflows } from "./workflow_files.ts";

/** The workflows of a repository that moves here, by paths. */
export interface ImportedWorkflows {
  /** Whole texts; `null` removes a file. */
  files: Map<string, string | null>;
  /** Workflows that run a part of Upptime under a name of their own: they stay, and someone has to look at them. */
  foreign: string[];
  /** Upptime's workflows with steps of the owner's, which are replaced or removed as well. */
  edited: string[];
  /** The owner's files under a name that this program uses: they stay. */
  occupied: string[];
}

/** A step with a command; Upptime's workflows have none. */
const OWN_STEP = /^\s*(?:-\s+)?run:/m;

/**
 * Plans to replace Upptime's workflows: a file is Upptime's if it has one of its names and runs a part of it. Those
 * without a counterpart are removed, and so is the workflow that imports.
 */
export async function planImportedWorkflows(
  made: ReadonlyMap<string, string>,
  files: Pick<Workspace, "read" | "list">,
): Promise<ImportedWorkflows> {
  const present = new Map<string, string>();
  for (const name of await files.list(WORKFLOW_FOLDER)) {
    if (!/\.ya?ml$/.test(name)) continue;
    const path = `${WORKFLOW_FOLDER}/${name}`;
    present.set(path, await files.read(path) ?? "");
  }
  const read = (paths: readonly string[]) =>
    Promise.resolve(
      new Map(paths.flatMap((path) => {
        const text = present.get(path);
        return text === undefined ? [] : [[path, text] as const];
      })),
    );
  const own = new Map([...present].filter(([, text]) => !isUpptimeWorkflow(text)));
  const planned = planWorkflows(made, own, { force: false });
  const removed = (await needlessWorkflows({ read })).filter((path) =>
    isUpptimeWorkflow(present.get(path)!)
  );
  const changes = new Map<string, string | null>([
    ...planned.filter(isWritten).map(({ path, text }) => [path, text] as const),
    ...removed.map((path) => [path, null] as const),
    ...present.has(IMPORT_WORKFLOW) ? [[IMPORT_WORKFLOW, null] as const] : [],
  ]);
  return {
    files: changes,
    edited: [...present].filter(([path, text]) =>
      changes.has(path) && isUpptimeWorkflow(text) && OWN_STEP.test(text)
    ).map(([path]) => path),
    foreign: [...present].filter(([path, text]) => isUpptimeWorkflow(text) && !changes.has(path))
      .map(([path]) => path),
    occupied: planned.filter(({ fate }) => fate === "foreign").map(({ path }) => path),
  };
}
