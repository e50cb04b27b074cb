import { allSecretNames } from "../../../config/secrets/secret_names.ts";
import type { Config } from "../../../config/config.ts";
import { unsupportedNote } from "../../../config/upptime/unsupported_services.ts";
import { missedSecrets } from "../../workflows/handed_secrets.ts";
import type { PlannedWorkflow } from "../../workflows/plan_workflows.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "../examination.ts";
import type { Facts } from "../facts.ts";

/** Whether the secrets that the configuration refers to are there, and handed over. */
export const secrets: Examination = (facts) => {
  const { config, unsupported } = facts;
  if (config === undefined) return [];
  const left = unsupportedNote(unsupported);
  return [...examineSecrets(facts, config), ...left === undefined ? [] : [note(left)]];
};

function examineSecrets(
  { secrets: { value: saved, why }, given, files }: Facts,
  config: Config,
): Finding[] {
  const names = allSecretNames(config);
  const missed = [
    ...missedSecrets(config).map((name) =>
      change(
        `$${name} is not handed over by secrets: in the configuration`,
        `add ${name} to that list`,
      )
    ),
    ...files.flatMap((file) => lackingIn(file, names)),
  ];
  if (saved === undefined && given === undefined) {
    return names.length === 0 ? unexamined(why) : [...missed, ...unexamined(why)];
  }
  const findings = [
    ...missed,
    ...names.flatMap((name) => absence(name, { saved, given })),
    ...saved === undefined ? unexamined(why) : withoutToken(saved),
  ];
  return findings.length > 0 ? findings : well(
    names.length === 0 ? "the configuration refers to none" : `all are there: ${names.join(", ")}`,
  );
}

/** Secrets that a workflow in the folder does not hand over, and would if it were brought up to date. */
function lackingIn(
  { path, fate, difference }: PlannedWorkflow,
  names: readonly string[],
): Finding[] {
  if (fate !== "updated" && fate !== "edited") return [];
  const has = (sign: string, text: string) =>
    difference.some((line) => line.startsWith(sign) && line.includes(text));
  if (has("-", "toJSON(secrets)")) return [];
  const lacking = names.filter((name) => {
    const text = `toJSON(secrets.${name})`;
    return has("+", text) && !has("-", text);
  });
  if (lacking.length === 0) return [];
  const list = lacking.map((name) => `$${name}`).join(", ");
  return [change(
    `${path} does not hand over ${list}, which the configuration names`,
    fate === "updated"
      ? "run update-template, and push what it writes"
      : `add ${lacking.length === 1 ? "it" : "them"} to SECRETS_CONTEXT in that file`,
  )];
}

function absence(
  name: string,
  { saved, given }: { saved?: readonly string[]; given?: readonly string[] },
): Finding[] {
  const cure = `save it: set-secret ${name}`;
  if (saved !== undefined && !saved.includes(name)) {
    return [change(`$${name} is no secret of the repository`, cure)];
  }
  if (given === undefined || given.includes(name)) return [];
  return saved === undefined
    ? [change(`$${name} is not among the secrets that are given here`, cure)]
    : [note(`$${name} is a secret of the repository, and not among those that are given here`)];
}

function withoutToken(saved: readonly string[]): Finding[] {
  return saved.includes("HOST_PAT") || saved.includes("GH_PAT") ? [] : [
    note(
      "there is no HOST_PAT, so the job's own token is used: issues start no workflows, and Setup CI can't write workflow files",
      "save a token of your own: set-secret HOST_PAT",
    ),
  ];
}
