import { ADMINISTRATION } from "./about.ts";
import type { Answer, Fault } from "./answer_of.ts";
import type { Attempt } from "./attempt.ts";
import { lackOfJob, lackOfScopes, missingPermission, TOKENS } from "./lacking_rights.ts";
import type { Refusal } from "./github_error.ts";

/** Longest that a text of GitHub is repeated. */
const LONGEST_QUOTE = 300;

/** What is wrong, and what to do about it. */
export interface Reason {
  kind: Refusal;
  why: string;
}

/** The refusals that are known, by status and by what GitHub says; the first that fits counts. */
export const REASONS: readonly {
  statuses: readonly number[];
  says: RegExp;
  reason(attempt: Attempt, answer: Answer): Reason | undefined;
}[] = [
  {
    statuses: [401],
    says: /^/,
    reason: (_, { message }) =>
      setting(
        `the token is not accepted (${
          quote(message)
        }): it has expired or was revoked; make a new one with the scope repo in ${TOKENS} and save it as the secret HOST_PAT`,
      ),
  },
  {
    statuses: [403],
    says: /archived/i,
    reason: () =>
      setting(
        "the repository is archived and can't be changed; unarchive it in Settings > General",
      ),
  },
  {
    statuses: [403],
    says: /SAML|single sign-on/i,
    reason: () =>
      setting(
        `the organization asks for single sign-on; authorize the token for it with Configure SSO in ${TOKENS}`,
      ),
  },
  {
    statuses: [403],
    says: /IP allow list/i,
    reason: () =>
      setting(
        "the organization lets in listed addresses only; add the runner's to its IP allow list, or use a self-hosted runner",
      ),
  },
  {
    statuses: [403],
    says: /not accessible by integration/i,
    reason: (attempt, answer) => setting(lackOfJob(missingPermission(attempt, answer))),
  },
  {
    statuses: [403],
    says: /not accessible by personal access token/i,
    reason: (attempt, answer) =>
      setting(
        `the token may not do that; give it the permission "${
          missingPermission(attempt, answer)
        }" for this repository in ${TOKENS} > Fine-grained tokens`,
      ),
  },
  {
    statuses: [403, 404],
    says: /^/,
    reason: (_, answer) => {
      const lack = lackOfScopes(answer);
      return lack === undefined ? undefined : setting(lack);
    },
  },
  {
    statuses: [403],
    says: /admin rights/i,
    reason: ({ needs }) =>
      setting(
        `the account of the token may not write there; give it the role ${
          needs === ADMINISTRATION ? "Admin" : "Write or more"
        } in Settings > Collaborators, or use a token of another account as HOST_PAT`,
      ),
  },
  {
    statuses: [403, 422],
    says: /locked/i,
    reason: () => ({
      kind: "final",
      why: "the conversation is locked, and the account of the token has no right to write",
    }),
  },
  {
    statuses: [403, 422],
    says: /blocked|suspended/i,
    reason: (_, { message }) =>
      setting(
        `the account of the token is blocked or suspended (${
          quote(message)
        }); use a token of another account as HOST_PAT`,
      ),
  },
  {
    statuses: [410],
    says: /disabled/i,
    reason: () =>
      setting(
        "its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false",
      ),
  },
  {
    statuses: [404, 410],
    says: /^/,
    reason: ({ issue }) =>
      issue === undefined
        ? setting(
          "there is no such repository, or the token can't see it; check owner and repo, and give the token the scope repo if it is private",
        )
        : { kind: "final", why: `there is no issue #${issue} any more` },
  },
  {
    statuses: [403],
    says: /^/,
    reason: (_, { message }) =>
      setting(
        `the token may not do that (${
          quote(message)
        }); use one with the scope repo as the secret HOST_PAT`,
      ),
  },
  {
    statuses: [422],
    says: /^/,
    reason: (_, { message, faults }) => {
      const list = faults.map(describe).filter((one) => one !== "").join(", ");
      return {
        kind: "final",
        why: `GitHub does not take it (${quote(list === "" ? message : list)})`,
      };
    },
  },
  {
    statuses: [451],
    says: /^/,
    reason: () => setting("the repository is blocked for legal reasons; ask GitHub's support"),
  },
];

function describe({ field, code, message, value }: Fault): string {
  if (message !== undefined) return message;
  const what = value === undefined ? "" : ` ${JSON.stringify(value)}`;
  return [field, code?.replaceAll("_", " ")].filter((one) => one !== undefined).join(" is ") + what;
}

/** What GitHub says, on one line. */
export function quote(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_QUOTE);
}

/** A reason that goes away once a person changes something. */
export function setting(why: string): Reason {
  return { kind: "setting", why };
}
