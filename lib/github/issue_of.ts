import type { Issue, IssueComment, RepositoryComment } from "./github.ts";

/** Whoever deleted their account. */
const GHOST = "ghost";

/** What the program looks at in something that somebody wrote. */
interface Written {
  body?: string | null;
  user: { login: string } | null;
  author_association?: string;
  created_at: string;
}

/** What the program looks at in an issue of the API. */
export interface ApiIssue extends Written {
  number: number;
  title: string;
  state: string;
  labels: readonly (string | { name?: string })[];
  updated_at: string;
  closed_at?: string | null;
  comments: number;
}

/** What the program looks at in a comment among those of a whole repository. */
interface ApiComment extends Written {
  id: number;
  issue_url: string;
  updated_at: string;
}

/** An issue of the API, as the program knows it. */
export function issueOf(issue: ApiIssue): Issue {
  const { number, title, state, labels, updated_at, closed_at, comments } = issue;
  return {
    number,
    title,
    ...writtenOf(issue),
    isOpen: state === "open",
    labels: labels.flatMap((label) => typeof label === "string" ? label : label.name ?? []),
    updated: Temporal.Instant.from(updated_at),
    comments,
    ...(closed_at ?? null) === null ? {} : { closed: Temporal.Instant.from(closed_at!) },
  };
}

/** A comment of the API, as the program knows it. */
export function commentOf(comment: Written): IssueComment {
  return { ...writtenOf(comment), association: comment.author_association };
}

/** The same of one that tells which issue it is on. */
export function repositoryCommentOf(comment: ApiComment): RepositoryComment {
  const { id, issue_url, updated_at } = comment;
  return {
    ...commentOf(comment),
    id,
    issue: Number(issue_url.slice(issue_url.lastIndexOf("/") + 1)),
    updated: Temporal.Instant.from(updated_at),
  };
}

/** Who may speak for the repository (docs.github.com/graphql/reference/enums#commentauthorassociation). */
export const TRUSTED: readonly string[] = ["OWNER", "MEMBER", "COLLABORATOR"];

function writtenOf({ body, user, author_association = "NONE", created_at }: Written): IssueComment {
  return {
    body: body ?? "",
    author: user?.login ?? GHOST,
    isTrusted: TRUSTED.includes(author_association),
    created: Temporal.Instant.from(created_at),
  };
}
