import type { Examination, Finding } from "./examination.ts";
import { actions } from "./examinations/actions.ts";
import { activity } from "./examinations/activity.ts";
import { branch } from "./examinations/branch.ts";
import { configuration } from "./examinations/configuration.ts";
import { jobs } from "./examinations/jobs.ts";
import { minutes } from "./examinations/minutes.ts";
import { pages } from "./examinations/pages.ts";
import { schedule } from "./examinations/schedule.ts";
import { secrets } from "./examinations/secrets.ts";
import { token } from "./examinations/token.ts";
import { workflowFiles } from "./examinations/workflow_files.ts";
import type { Facts } from "./facts.ts";

/** Every examination, under the name that its findings are shown with. */
export const EXAMINATIONS = {
  "Configuration": configuration,
  "Token": token,
  "Workflow files": workflowFiles,
  "Actions": actions,
  "Rights of jobs": jobs,
  "Branch": branch,
  "Secrets": secrets,
  "Page": pages,
  "Schedule": schedule,
  "Activity": activity,
  "Minutes": minutes,
} satisfies Record<string, Examination>;

/** A finding, and the examination that made it. */
export interface Examined extends Finding {
  examination: string;
}

/** Judges everything that is known of a set-up. */
export function examine(facts: Facts): Examined[] {
  return Object.entries(EXAMINATIONS).flatMap(([examination, judge]) =>
    judge(facts).map((finding) => ({ examination, ...finding }))
  );
}
