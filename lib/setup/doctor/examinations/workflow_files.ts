import { basename } from "node:path/posix";
import type { WorkflowFate } from "../../workflows/plan_workflows.ts";
import { WORKFLOW_FOLDER } from "../../../config/workflows.ts";
import { change, type Examination, type Finding, note, well } from "../examination.ts";

const UPDATE = "run update-template, and push what it writes";

/** Whether the workflows lie here as the configuration and this version want them. */
export const workflowFiles: Examination = ({ files }) => {
  const findings = Object.entries(FINDINGS).flatMap(([fate, finding]) => {
    const names = files.filter((one) => one.fate === fate).map(({ path }) => basename(path));
    return names.length === 0 ? [] : [finding(names.join(", "))];
  });
  if (files.length === 0 || findings.length > 0) return findings;
  return well(`all ${files.length} are there, and of this version`);
};

/** What there is to say of workflows, by what would become of them. */
const FINDINGS: Readonly<Partial<Record<WorkflowFate, (names: string) => Finding>>> = {
  new: (names) => change(`missing in ${WORKFLOW_FOLDER}: ${names}`, UPDATE),
  updated: (names) =>
    change(`not of this version, or older than the configuration: ${names}`, UPDATE),
  edited: changedByHand,
  foreign: changedByHand,
};

function changedByHand(names: string): Finding {
  return note(
    `changed by hand, and so not brought up to date: ${names}`,
    "run update-template, which shows the difference; with --force they are replaced",
  );
}
