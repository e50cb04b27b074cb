import type { Snapshot } from "../../history/store/store.ts";
import { type Workflow, WORKFLOW_FOLDER, WORKFLOWS } from "../../config/workflows.ts";

/** Those of our workflows that a folder has. */
export async function heldWorkflows(snapshot: Pick<Snapshot, "list">): Promise<Workflow[]> {
  const names = await snapshot.list(WORKFLOW_FOLDER);
  return Object.values(WORKFLOWS).filter(({ file }) => names.includes(file));
}
