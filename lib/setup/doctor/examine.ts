import type { Examination, Facts, Finding } from "./facts.ts";
import { actions, activity, branch, pages, token } from "./github_examinations.ts";
import {
  configuration,
  locations,
  minutes,
  schedule,
  secrets,
  workflowFiles,
} from "./own_examinations.ts";

export const EXAMINATIONS = {
  "Configuration": configuration,
  "Token": token,
  "Workflow files": workflowFiles,
  "Actions": actions,
  "Branch": branch,
  "Secrets": secrets,
  "Page": pages,
  "Schedule": schedule,
  "Locations": locations,
  "Activity": activity,
  "Minutes": minutes,
} satisfies Record<string, Examination>;

export interface Examined extends Finding {
  examination: string;
}

export function examine(facts: Facts): Examined[] {
  return Object.entries(EXAMINATIONS).flatMap(([examination, findingsOf]) =>
    findingsOf(facts).map((finding) => ({ examination, ...finding }))
  );
}
