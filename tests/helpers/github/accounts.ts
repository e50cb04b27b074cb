/** An account with its token. */
export interface Account {
  login: string;
  token: string;
  /** Its permissions in the repository. */
  role: "owner" | "collaborator" | "stranger";
  /** GitHub's name for the account's relation to the repository, instead of that of its role. */
  association?: "MEMBER" | "COLLABORATOR";
  /** Its permission as reported by the API, instead of that of its role. */
  permission?: "admin" | "write" | "read" | "none";
  /** Of a classic token. */
  scopes?: readonly string[];
  /** Of the token of a job, which has no user: `{ issues: "write" }`. */
  permissions?: Readonly<Record<string, "read" | "write">>;
}

/** The repository that is monitored in, and one that issues can be moved to. */
export const REPOSITORY = "acme/status";
export const ELSEWHERE = "acme/elsewhere";

/** `acme` owns the repositories, `ann` is on call, the program uses `monitor-bot` or the token of a job. */
export function makeAccounts(): Account[] {
  return [
    { login: "acme", token: "ghp_OwnerOwnerOwner", role: "owner", scopes: ["repo"] },
    { login: "ann", token: "ghp_AnnAnnAnnAnn", role: "collaborator", scopes: ["repo"] },
    { login: "monitor-bot", token: "ghp_MonitorMonitor", role: "collaborator", scopes: ["repo"] },
    {
      login: "github-actions[bot]",
      token: "ghs_JobJobJobJobJob",
      role: "collaborator",
      permissions: { contents: "write", issues: "write" },
    },
    { login: "stranger", token: "ghp_StrangeStrange", role: "stranger", scopes: ["repo"] },
  ];
}
