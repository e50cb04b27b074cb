import type { Billing } from "../billing/billing.ts";
import type { Config } from "../../config/config.ts";
import type { PagesFacts, RepositoryFacts } from "../../github/repository_settings.ts";
import type { WorkflowState } from "../../github/repository_settings.ts";
import type { RecentRuns } from "../../pipeline/recent_runs.ts";
import type { UnsupportedService } from "../../config/upptime/unsupported_services.ts";
import type { PlannedWorkflow } from "../workflows/plan_workflows.ts";

/** Something that was looked for: what is known of it, or why nothing is. */
export type Known<T> = { value: T; why?: undefined; isWrong?: undefined } | {
  value?: undefined;
  why: string;
  /** Whether a person has to change something before it can be known. */
  isWrong: boolean;
};

/** Why nothing is known of a repository that is not shown; the reason stands with the token. */
export const NOT_SEEN = "GitHub does not show the repository";

/** What GitHub says of the repository; what it was asked for first counts for everything where it refuses that. */
export interface GitHubFacts {
  repository: Known<RepositoryFacts>;
  hasActions: Known<boolean>;
  jobsMay: Known<"read" | "write">;
  workflows: Known<readonly WorkflowState[]>;
  /** How many runs of Uptime CI the schedule started since {@linkcode Facts.since}. */
  scheduledRuns: Known<number>;
  pages: Known<PagesFacts | undefined>;
  secrets: Known<readonly string[]>;
  rules: Known<readonly string[]>;
  isProtected: Known<boolean>;
}

/** Everything that examinations judge by. */
export interface Facts extends GitHubFacts {
  now: Temporal.Instant;
  /** Begin of what is called the last week. */
  since: Temporal.Instant;
  /** Name of the configuration's file. */
  file: string;
  /** Absent where there is none, or nothing of it can be used. */
  config?: Config;
  /** How many errors it has. */
  errors: number;
  billing?: Billing;
  /** The workflows as the configuration wants them, beside those in the folder; none where there is no configuration. */
  files: readonly PlannedWorkflow[];
  /** Names of secrets that are given here; absent where none are. */
  given?: readonly string[];
  /** Services that Upptime's secrets set up and this program does not notify. */
  unsupported: readonly UnsupportedService[];
  /** When checks were made since {@linkcode Facts.since}. */
  runs: Known<RecentRuns>;
}
