import type { RepositoryAbout } from "./about.ts";

/** An issue, as far as the program looks at it. */
export interface Issue {
  number: number;
  title: string;
  body: string;
  isOpen: boolean;
  /** Login of who wrote it. */
  author: string;
  /** Whether who wrote it owns the repository, belongs to its organization, or was invited to it. */
  isTrusted: boolean;
  /** Names of its labels. */
  labels: readonly string[];
  created: Temporal.Instant;
  /** When it last changed. */
  updated: Temporal.Instant;
  /** When it was closed; absent while it is open. */
  closed?: Temporal.Instant;
  /** How many comments it has. */
  comments: number;
}

/** A comment on an issue. */
export interface IssueComment {
  body: string;
  /** Login of who wrote it. */
  author: string;
  /** Whether who wrote it owns the repository, belongs to its organization, or was invited to it. */
  isTrusted: boolean;
  /** The author's relation to the repository as GitHub names it: `OWNER`, `MEMBER`, `COLLABORATOR`. */
  association?: string;
  created: Temporal.Instant;
}

/** A comment among those of a whole repository. */
export interface RepositoryComment extends IssueComment {
  id: number;
  /** Number of the issue it is on; also that of a pull request. */
  issue: number;
  /** When it was last edited, or else written. */
  updated: Temporal.Instant;
}

/** An answer, and a tag by which GitHub tells later whether it still is the same. */
export interface Tagged<T> {
  value: T;
  /** Absent where GitHub gives none. */
  tag?: string;
}

/** What GitHub answers to who has a tag: that costs nothing of what it lets somebody ask. */
export type Unchanged = "unchanged";

/** What a new issue says. */
export interface NewIssue {
  title: string;
  body: string;
  /** Those that GitHub does not take are left out, and told. */
  labels: readonly string[];
  /** Logins; those that can't be assigned are left out, and told. */
  assignees: readonly string[];
}

/** A label of issues. */
export interface Label {
  name: string;
  /** Six hexadecimal digits. */
  color: string;
  description: string;
}

/**
 * The API of GitHub for one repository. Every call but {@linkcode GitHub.createIssue} and
 * {@linkcode GitHub.comment} may be made again without doing anything twice, and is, where GitHub
 * is busy or does not answer; every call throws a `GitHubError` in the end.
 */
export interface GitHub {
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** Login of the account that the token belongs to. */
  account(): Promise<string>;
  /** Whether everybody may read the repository. */
  isPublic(): Promise<boolean>;
  /** What the repository says of itself. */
  about(): Promise<RepositoryAbout>;
  /** Changes what the repository says of itself; what is not given stays. */
  describe(change: Partial<RepositoryAbout>): Promise<void>;
  /** Issues that changed since a moment, open and closed, without pull requests. */
  issuesSince(since: Temporal.Instant): Promise<Issue[]>;
  /**
   * Open issues with a label, without pull requests, the oldest first; none where there is no such label.
   * A run can do without them: they are waited for some seconds only.
   */
  openIssuesLabelled(label: string): Promise<Issue[]>;
  /** An issue; `undefined` where it was deleted, or moved to another repository. */
  issue(number: number): Promise<Issue | undefined>;
  /** All issues with a label, open and closed, the last changed first; a tag is that of the first hundred. */
  issuesLabelled(label: string, tag?: string): Promise<Tagged<Issue[]> | Unchanged>;
  /** An issue as {@linkcode GitHub.issue} has it, unless it is unchanged. */
  changedIssue(number: number, tag?: string): Promise<Tagged<Issue | undefined> | Unchanged>;
  /**
   * Comments on all issues that were written or edited since a moment, the last changed first; a tag is
   * that of the first hundred since the same moment.
   */
  changedComments(
    since: Temporal.Instant,
    tag?: string,
  ): Promise<Tagged<RepositoryComment[]> | Unchanged>;
  /** Opens an issue, tried once: where that fails without an answer it may be there all the same. */
  createIssue(issue: NewIssue): Promise<Issue>;
  changeIssue(
    number: number,
    change: { title?: string; isOpen?: boolean; isDuplicate?: true },
  ): Promise<void>;
  /** Locks an issue; where the token may not do that, it stays as it is, which is told. */
  lockIssue(number: number): Promise<void>;
  /** Comments on an issue that changed since a moment. */
  commentsSince(number: number, since: Temporal.Instant): Promise<IssueComment[]>;
  /**
   * True if a person may write to the repository; `undefined` if the token may not ask, which causes one
   * warning.
   */
  mayWrite(login: string): Promise<boolean | undefined>;
  /** Comments on an issue, tried once. */
  comment(number: number, text: string): Promise<void>;
  /** All labels; `description` is empty if a label has none. */
  labels(): Promise<Label[]>;
  /** Changes colour and description of the label with this name. */
  changeLabel(label: Label): Promise<void>;
  /** Starts the workflows that listen to an event of the repository. */
  dispatch(event: string): Promise<void>;
}
