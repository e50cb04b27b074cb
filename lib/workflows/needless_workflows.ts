import type { Snapshot } from "../store/store.ts";
import { WORKFLOW_FOLDER } from "./workflows.ts";

/** Workflows of Upptime that nothing here takes the place of, because Setup CI does it. */
const NEEDLESS = ["update-template.yml", "updates.yml"];

/** Paths of workflows of Upptime's that are there and no longer needed. */
export async function needlessWorkflows(snapshot: Pick<Snapshot, "read">): Promise<string[]> {
  const texts = await snapshot.read(NEEDLESS.map((name) => `${WORKFLOW_FOLDER}/${name}`));
  return [...texts].filter(([, text]) => /uses:\s*["']?upptime\//.test(text)).map(([path]) => path);
}
