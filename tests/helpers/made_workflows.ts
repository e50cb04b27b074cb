import { loadLanguage } from "../../lib/text/languages.ts";
import { parse } from "@std/yaml";
import type { Config } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { type WorkflowKey, workflowPath } from "../../lib/config/workflows.ts";
import { renderWorkflowFiles } from "../../templates/workflows/mod.ts";
import type { Keys } from "./sites.ts";

/** A step of a workflow, as GitHub reads it. */
export interface ReadStep {
  id?: string;
  name: string;
  uses?: string;
  run?: string;
  if?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
  "continue-on-error"?: boolean;
}

/** A workflow, as GitHub reads it. */
export interface ReadWorkflow {
  name: string;
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  /** Of the whole workflow, if it has several jobs. */
  concurrency?: { group: string; "cancel-in-progress": boolean };
  jobs: Record<string, {
    name?: string;
    needs?: string[];
    if?: string;
    strategy?: { "fail-fast": boolean; matrix: Record<string, unknown[]> };
    permissions?: Record<string, string>;
    "runs-on": string | string[];
    "timeout-minutes": number;
    concurrency: { group: string; "cancel-in-progress": boolean };
    steps: ReadStep[];
  }>;
}

/** The action that {@linkcode madeWorkflows} names. */
export const ACTION = "monitor-action/monitor-action@v1.41.0";

/** The workflows of a configuration; its invalid keys are left out. */
export async function madeWorkflows(
  top: Keys = {},
  { action = ACTION, folders = [], configFile = ".monitorrc.yml", shards }: {
    action?: string;
    folders?: readonly string[] | "all";
    configFile?: string;
    /** @default The configured number, or 1 for `auto` */
    shards?: number;
  } = {},
): Promise<{ config: Config; files: Map<string, string> }> {
  const sites = [{ name: "A", url: "https://a.example" }];
  const { config } = await parseConfig(JSON.stringify({ sites, ...top }));
  const configured = config!.shards === "auto" ? 1 : config!.shards;
  const language = await loadLanguage(config!);
  const values = { action, folders, configFile, shards: shards ?? configured, language };
  return { config: config!, files: renderWorkflowFiles({ config: config!, ...values }) };
}

/** One of the workflows of a configuration, read back. */
export async function madeWorkflow(
  key: WorkflowKey,
  ...given: Parameters<typeof madeWorkflows>
): Promise<ReadWorkflow> {
  const { files } = await madeWorkflows(...given);
  return readWorkflow(files.get(workflowPath(key))!);
}

/** Reads a workflow as GitHub does. */
export function readWorkflow(text: string): ReadWorkflow {
  return parse(text, { schema: "core" }) as ReadWorkflow;
}

/** The one job of a workflow. */
export function jobOf({ jobs }: ReadWorkflow): ReadWorkflow["jobs"][string] {
  return Object.values(jobs)[0]!;
}
