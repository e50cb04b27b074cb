import { TOKENS } from "../../../github/refusal.ts";
import type { RepositoryFacts } from "../../../github/repository_settings.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "../examination.ts";

/** Whether the token can be used, and may do what the program needs. */
export const token: Examination = ({ repository: { value, why, isWrong }, config }) => {
  // What is wrong with it says what to do.
  if (value === undefined) return isWrong ? [change(why)] : unexamined(why);
  const findings = [...rights(value), ...scopes(value)];
  if (value.isArchived) {
    findings.push(change("the repository is archived", "unarchive it in Settings > General"));
  }
  if (!value.hasIssues && config?.issues !== false) {
    findings.push(
      change(
        "issues are switched off, so incidents have none",
        "switch Issues on in Settings > General > Features, or set issues: false",
      ),
    );
  }
  return findings.some(({ verdict }) => verdict === "change")
    ? findings
    : [...well(`the token can be used${said(value)}`), ...findings];
};

function said({ scopes }: RepositoryFacts): string {
  return scopes === undefined ? "" : `: classic, with the scope ${scopes.join(", ")}`;
}

function rights({ mayPush }: RepositoryFacts): Finding[] {
  return mayPush === false
    ? [
      change(
        "the account of the token may not write in the repository",
        "give it the role Write in Settings > Collaborators, or use a token of another account",
      ),
    ]
    : [];
}

function scopes({ scopes, isPrivate }: RepositoryFacts): Finding[] {
  if (scopes === undefined) {
    return [
      note(
        "it is no classic token, whose scopes could be seen: what it may not do shows below and in errors",
      ),
    ];
  }
  const isEnough = scopes.includes("repo") || (!isPrivate && scopes.includes("public_repo"));
  if (!isEnough) {
    const list = scopes.length === 0 ? "no scope" : `only the scope ${scopes.join(", ")}`;
    return [change(`the token has ${list}`, `give it the scope repo in ${TOKENS}`)];
  }
  return scopes.includes("workflow") ? [] : [
    note(
      "the token lacks the scope workflow: Setup CI can't write workflow files, and prints them",
      `give it the scope workflow in ${TOKENS}`,
    ),
  ];
}
