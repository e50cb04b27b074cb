import type { Snapshot } from "../../history/store/store.ts";
import { WORKFLOW_FOLDER, WORKFLOW_KEYS, workflowPath } from "../../config/workflows.ts";

/** Workflows of Upptime that nothing here takes the place of, because Setup CI does it. */
const NEEDLESS = ["update-template.yml", "updates.yml"].map((name) => `${WORKFLOW_FOLDER}/${name}`);

/** Files that GitHub takes for further workflows, of names that ours have with another ending. */
const TWINS = WORKFLOW_KEYS.map((key) => workflowPath(key).replace(/\.yml$/, ".yaml"));

/** Paths of workflows that are there and do what ours do: Upptime's, and ours under another ending. */
export async function needlessWorkflows(snapshot: Pick<Snapshot, "read">): Promise<string[]> {
  const texts = await snapshot.read([...NEEDLESS, ...TWINS]);
  const isUpptimes = (text: string) => /uses:\s*["']?upptime\//.test(text);
  return [...texts].filter(([path, text]) => TWINS.includes(path) || isUpptimes(text))
    .map(([path]) => path);
}
