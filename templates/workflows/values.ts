import type { Config } from "../../lib/config/config.ts";

/** What the workflows are made of. */
export interface WorkflowValues {
  config: Config;
  /** The action with its version, as `uses:` names it, and a comment where there is one to make. */
  action: string;
  /** Name of the configuration's file. */
  configFile: string;
  /** Folders of the repository that checks read files of; `all` where they can't be told. */
  folders: readonly string[] | "all";
}

/** What tells one workflow from the others. */
export interface WorkflowParts {
  /** Further events that start it, as lines under `on:`. */
  triggers?: readonly string[];
  /** When its job runs, as the lines of an expression, with the reason. */
  condition?: { expression: readonly string[]; why: string };
  /** What its token may do, with what for. */
  permissions: Readonly<Record<string, string>>;
  /** The checkout, as lines of a list. */
  checkout: readonly string[];
  /** The steps behind it, each as lines of a list. */
  steps: readonly (readonly string[])[];
}

/** Makes what tells a workflow from the others. */
export type WorkflowTemplate = (values: WorkflowValues) => WorkflowParts;
