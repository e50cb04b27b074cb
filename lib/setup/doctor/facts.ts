import type { Config } from "../../config/config.ts";
import type { UnsupportedService } from "../../config/upptime/unsupported_services.ts";
import type { Known, RepositorySettings } from "../../github/repository_settings.ts";
import type { RunGaps } from "../../statistics/run_gaps.ts";
import type { Billing } from "../billing.ts";
import type { PlannedWorkflow } from "../workflow_files.ts";

/** Everything that the examinations use. */
export interface Facts extends RepositorySettings {
  now: Temporal.Instant;
  file: string;
  /** Absent if it is missing or unusable. */
  config?: Config;
  errors: number;
  billing?: Billing;
  /** Plan for the workflow files; empty without a configuration. */
  files: readonly PlannedWorkflow[];
  /** Names of the secrets in the environment; absent if it has none. */
  given?: readonly string[];
  /** Services that Upptime's secrets set up and this program does not notify. */
  unsupported: readonly UnsupportedService[];
  /** How regular the runs of the last week were, as the page shows it. */
  runs: Known<RunGaps>;
}

/** Result of an examination: fine, to `change`, good to know, or `unexamined`. */
export type Verdict = "well" | "change" | "note" | "unexamined";

export interface Finding {
  verdict: Verdict;
  /** A sentence without its full stop. */
  says: string;
  cure?: string;
}

/** Examines one part of the setup; returns nothing if that part is not wanted. */
export type Examination = (facts: Facts) => Finding[];

export function well(says: string): Finding[] {
  return [{ verdict: "well", says }];
}

export function change(says: string, cure?: string): Finding {
  return { verdict: "change", says, cure };
}

export function note(says: string, cure?: string): Finding {
  return { verdict: "note", says, cure };
}

export function unexamined(why: string): Finding[] {
  return [{ verdict: "unexamined", says: why }];
}
