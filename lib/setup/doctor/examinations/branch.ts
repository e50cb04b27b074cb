import { change, type Examination, note, unexamined, well } from "../examination.ts";

/** Rules by which GitHub refuses commits such as ours, in words. */
const REFUSING: Readonly<Record<string, string>> = {
  pull_request: "changes to come by pull requests",
  required_status_checks: "checks to have passed",
  required_deployments: "deployments to have succeeded",
  required_signatures: "commits to be signed",
  merge_queue: "changes to come by its merge queue",
  update: "nobody to push",
  workflows: "workflows to have passed",
};

/** Whether rules keep the program from pushing to the branch it works on. */
export const branch: Examination = ({ rules, isProtected, repository }) => {
  if (rules.value === undefined) return unexamined(rules.why);
  const name = repository.value?.branch ?? "the default branch";
  const refusing = rules.value.flatMap((type) => REFUSING[type] ?? []);
  if (rules.value.length === 0 && isProtected.value === true) {
    return [
      note(
        `${name} is protected by a rule whose terms can't be seen here`,
        "see in Settings > Branches that the account of HOST_PAT may push, and may bypass pull requests",
      ),
    ];
  }
  return refusing.length === 0 ? well(`nothing is known to keep pushes from ${name}`) : [
    change(
      `a ruleset for ${name} asks for ${refusing.join(", and for ")}`,
      "let the account of HOST_PAT bypass it in Settings > Rules > Rulesets; where it does already, all is well",
    ),
  ];
};
