import { WORKFLOW_KEYS, WORKFLOWS } from "../../config/workflows.ts";

/** An event of a repository that starts one of its workflows. */
export type DispatchEvent = typeof WORKFLOWS[keyof typeof WORKFLOWS]["event"];

/** The events of a repository that start its workflows, as each workflow listens to one of them. */
export const DISPATCH_EVENTS: readonly DispatchEvent[] = WORKFLOW_KEYS.map((key) =>
  WORKFLOWS[key].event
);
