import type { ErrorKind } from "../io/requests.ts";

/** The account of a job's own token. */
export const JOB_ACCOUNT = "github-actions[bot]";

export interface Issue {
  number: number;
  title: string;
  body: string;
  isOpen: boolean;
  author: string;
  /** True if its author owns the repository, belongs to its organization, or was invited to it. */
  isTrusted: boolean;
  /** The author's relation to the repository as GitHub names it: `OWNER`, `MEMBER`, `COLLABORATOR`. */
  association?: string;
  labels: readonly string[];
  created: Temporal.Instant;
  updated: Temporal.Instant;
  /** Time at which it was closed; absent while it is open. */
  closed?: Temporal.Instant;
  /** Login of the person who closed it; absent if that is unknown, or no person did. */
  closedBy?: string;
  /** Logins of the people whom it is assigned to. */
  assignees: readonly string[];
  /** Number of 👀 reactions. */
  eyes: number;
  comments: number;
}

export interface Reaction {
  author: string;
  created: Temporal.Instant;
}

/** Reactions that answer a comment: 👍 and 😕. */
type Answer = "+1" | "confused";

export interface IssueComment {
  body: string;
  author: string;
  /** True if its author owns the repository, belongs to its organization, or was invited to it. */
  isTrusted: boolean;
  /** The author's relation to the repository as GitHub names it: `OWNER`, `MEMBER`, `COLLABORATOR`. */
  association?: string;
  created: Temporal.Instant;
}

export interface RepositoryComment extends IssueComment {
  id: number;
  issue: number;
  /** True if an app wrote it, not a person. */
  isByApp: boolean;
  /** Time of its last edit, or else of its creation. */
  updated: Temporal.Instant;
}

export interface NewIssue {
  title: string;
  body: string;
  /** Names that GitHub refuses are left out with a warning. */
  labels: readonly string[];
  /** Logins; those that can't be assigned are left out with a warning. */
  assignees: readonly string[];
}

/** `optional` requests make a run wait only a few seconds. */
interface RequestOptions {
  isOptional?: boolean;
}

/** The "About" box of a repository; missing parts are empty. */
export interface RepositoryAbout {
  description: string;
  homepage: string;
  topics: readonly string[];
}

/**
 * GitHub's API for one repository. Every call but {@linkcode GitHub.createIssue} and
 * {@linkcode GitHub.comment} is idempotent and is retried while GitHub is busy or does not answer. Every
 * call throws a `GitHubError` if it fails.
 */
export interface GitHub {
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** Login of the token's account. */
  account(): Promise<string>;
  /** True if everybody may read the repository. */
  isPublic(): Promise<boolean>;
  about(): Promise<RepositoryAbout>;
  describe(change: Partial<RepositoryAbout>): Promise<void>;
  /** Issues updated since a time, open and closed, without pull requests. */
  issuesSince(since: Temporal.Instant, options?: RequestOptions): Promise<Issue[]>;
  /** All issues with a label, open and closed, without pull requests. */
  issuesLabeled(label: string): Promise<Issue[]>;
  /** Open issues with a label, the oldest first; optional, so a run waits only a few seconds for them. */
  openIssuesLabeled(label: string): Promise<Issue[]>;
  /** An issue; `undefined` if it was deleted, or moved to another repository. */
  issue(number: number): Promise<Issue | undefined>;
  /** Creates an issue, without retries: after a failure without an answer it may exist. */
  createIssue(issue: NewIssue): Promise<Issue>;
  changeIssue(
    number: number,
    change: { title?: string; isOpen?: boolean; isDuplicate?: true },
  ): Promise<void>;
  /** Locks an issue; if the token may not do that, it stays open with a warning. */
  lockIssue(number: number): Promise<void>;
  /** Comments on an issue that were updated since a time, or all. */
  comments(number: number, since?: Temporal.Instant): Promise<IssueComment[]>;
  repositoryComments(
    since: Temporal.Instant,
    options?: RequestOptions,
  ): Promise<RepositoryComment[]>;
  /** 👀 reactions of people to an issue; optional, so a run waits only a few seconds for them. */
  eyes(number: number): Promise<Reaction[]>;
  /** Reacts to a comment, which has no effect if it was done before; a deleted comment is left alone. */
  react(comment: number, answer: Answer): Promise<void>;
  /** Comments on an issue, without retries. */
  comment(number: number, text: string): Promise<void>;
  /** Creates a label unless it is there. */
  ensureLabel(name: string, description: string): Promise<void>;
  /** True if a person may write; `undefined`, after a warning, if the token may not ask. */
  mayWrite(login: string, options?: RequestOptions): Promise<boolean | undefined>;
  /** Starts the workflows that listen to a `repository_dispatch` event. */
  dispatch(event: string): Promise<void>;
}

/** A failed request to GitHub, with reason and cure; it holds no secret. */
export class GitHubError extends Error {
  override readonly name = "GitHubError";
  readonly kind: ErrorKind;
  /** True if GitHub may have done it anyway: no answer came, or one of a broken server. */
  readonly mayHaveSucceeded: boolean;
  /** Milliseconds to wait before the next attempt, if GitHub says so. */
  readonly retryAfter?: number;

  constructor(
    message: string,
    { kind, mayHaveSucceeded = false, retryAfter, cause }: {
      kind: ErrorKind;
      mayHaveSucceeded?: boolean;
      retryAfter?: number;
      cause?: unknown;
    },
  ) {
    super(message, { cause });
    this.kind = kind;
    this.mayHaveSucceeded = mayHaveSucceeded;
    this.retryAfter = retryAfter;
  }
}
