import type { PlannedWorkflow } from "../../workflows/plan_workflows.ts";
import { change, type Examination, unexamined, well } from "../examination.ts";

/** Whether the tokens of jobs may do what the workflows need. */
export const jobs: Examination = ({ jobsMay, files }) => {
  if (jobsMay.value === undefined) return unexamined(jobsMay.why);
  if (jobsMay.value === "write") return well("jobs may write");
  const silent = files.filter(isSilent).map(({ path }) => path);
  return silent.length === 0
    ? well("jobs may write where their workflow says so, as ours do")
    : silent.map((path) =>
      change(
        `jobs may only read where nothing else is said, and ${path} says nothing`,
        "run update-template --force, or allow jobs to write in Settings > Actions > General > Workflow permissions",
      )
    );
};

/** Whether a workflow that lies here, and is not ours any more, asks for no rights. */
function isSilent({ fate, difference }: PlannedWorkflow): boolean {
  return (fate === "edited" || fate === "foreign") &&
    difference.some((line) => /^\+permissions:/.test(line)) &&
    !difference.some((line) => /^- *permissions:/.test(line));
}
