import {
  WORKFLOW_KEYS,
  type WorkflowKey,
  workflowPath,
  WORKFLOWS,
} from "../../../config/workflows.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "../examination.ts";

/** Why GitHub starts a workflow no more, by its state there. */
const STATES: Readonly<Record<string, string>> = {
  disabled_inactivity: "was stopped by GitHub, because nothing happened for 60 days",
  disabled_manually: "was disabled by somebody",
  disabled_fork: "was disabled, because the repository is a fork",
  deleted: "is gone from the default branch",
};

/** Whether workflows may run, and each of ours does. */
export const actions: Examination = ({ hasActions, workflows }) => {
  if (hasActions.value === false) {
    return [
      change(
        "workflows may not run in this repository",
        "allow them in Settings > Actions > General",
      ),
    ];
  }
  if (workflows.value === undefined) return unexamined(workflows.why);
  const states = new Map(workflows.value.map(({ path, state }) => [path, state]));
  const missing = WORKFLOW_KEYS.filter((key) => !states.has(workflowPath(key)));
  const findings = [
    ...missing.length === 0 ? [] : [absent(missing)],
    ...WORKFLOW_KEYS.flatMap((key) => judge(key, states.get(workflowPath(key)) ?? "active")),
  ];
  return findings.length === 0 ? well("each workflow is there, and enabled") : findings;
};

function absent(keys: readonly WorkflowKey[]): Finding {
  const names = keys.map((key) => WORKFLOWS[key].name).join(", ");
  return change(
    `GitHub does not know ${names}`,
    "push what update-template writes to the default branch",
  );
}

function judge(key: WorkflowKey, state: string): Finding[] {
  if (state === "active") return [];
  const { name } = WORKFLOWS[key];
  const says = `${name} ${STATES[state] ?? `is ${state}`}`;
  const cure = `gh workflow enable "${name}"`;
  // Somebody may want that, but then nothing is monitored.
  return [
    state === "disabled_manually" && key !== "uptime" ? note(says, cure) : change(says, cure),
  ];
}
