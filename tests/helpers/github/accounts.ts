/** An account, and the token that it asks with. */
export interface Account {
  login: string;
  token: string;
  /** What it may do in the repository. */
  role: "owner" | "collaborator" | "stranger";
  /** What GitHub calls the account's relation to the repository, instead of what its role makes of it. */
  association?: "MEMBER" | "COLLABORATOR";
  /** What it may do, for those who ask for that, instead of what its role makes of it. */
  permission?: "admin" | "write" | "read" | "none";
  /** Of a classic token. */
  scopes?: readonly string[];
  /** Of the token of a job, which has no user: `{ issues: "write" }`. */
  permissions?: Readonly<Record<string, "read" | "write">>;
}

/** The repository that is monitored in, and one that issues can be moved to. */
export const REPOSITORY = "acme/status";
export const ELSEWHERE = "acme/elsewhere";

/** Who there is: `acme` owns the repositories, `ann` is on call, the program asks as `monitor-bot` or with the token of a job. */
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
