import type { Client } from "./octokit.ts";
import { PAGE, seconds } from "./tagged_reads.ts";

/** A workflow, as GitHub knows it. */
export interface WorkflowState {
  /** Path of its file. */
  path: string;
  /** `active`, `disabled_manually`, `disabled_inactivity`, `disabled_fork` or `deleted`. */
  state: string;
}

/** What the workflows of a repository are set up with. */
export interface WorkflowSettings {
  /** Whether workflows may run at all. */
  hasActions(): Promise<boolean>;
  /** What the token of a job may do where its workflow says nothing. */
  jobsMay(): Promise<"read" | "write">;
  workflows(): Promise<WorkflowState[]>;
  /** How many runs of a workflow its schedule has started since a moment. */
  scheduledRuns(file: string, since: Temporal.Instant): Promise<number>;
}

/** What looks at settings are made with. */
export interface Look {
  /** Asks for something; `needs` is the permission that it takes. */
  ask<T>(what: string, needs: string, work: (client: Client) => Promise<T>): Promise<T>;
  place: { owner: string; repo: string };
}

/** The part of the settings that is about workflows. */
export function workflowSettingsOf({ ask, place }: Look): WorkflowSettings {
  return {
    hasActions: () =>
      ask("whether workflows may run", "administration: read", async ({ rest }) => {
        const { data } = await rest.actions.getGithubActionsPermissionsRepository(place);
        return data.enabled;
      }),

    jobsMay: () =>
      ask("what jobs may do", "administration: read", async ({ rest }) => {
        const { data } = await rest.actions
          .getGithubActionsDefaultWorkflowPermissionsRepository(place);
        return data.default_workflow_permissions;
      }),

    workflows: () =>
      ask("the workflows", "actions: read", async ({ paginate, rest }) => {
        const wish = { ...place, per_page: PAGE };
        const found = await paginate(rest.actions.listRepoWorkflows, wish);
        return found.map(({ path, state }) => ({ path, state }));
      }),

    scheduledRuns: (file, since) =>
      ask("how often the schedule started checks", "actions: read", async ({ rest }) => {
        const { data } = await rest.actions.listWorkflowRuns({
          ...{ ...place, workflow_id: file, event: "schedule" },
          ...{ created: `>=${seconds(since)}`, per_page: 1 },
        });
        return data.total_count;
      }),
  };
}
