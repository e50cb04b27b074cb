import { type Answer, type Fault, toAnswer } from "./answer.ts";
import type { Issue, IssueComment, NewIssue, Reaction, RepositoryComment } from "./github.ts";
import type { Client } from "./octokit.ts";

/** GitHub's login for authors who deleted their account. */
const GHOST = "ghost";

/** Relations of people who speak for the repository (docs.github.com/graphql/reference/enums#commentauthorassociation). */
export const TRUSTED: readonly string[] = ["OWNER", "MEMBER", "COLLABORATOR"];

const MOST_ASSIGNEES = 10;

interface ApiUser {
  login: string;
  type?: string;
}

interface ApiText {
  body?: string | null;
  user: ApiUser | null;
  author_association?: string;
  created_at: string;
}

interface ApiIssue extends ApiText {
  number: number;
  title: string;
  state: string;
  labels: readonly (string | { name?: string })[];
  updated_at: string;
  closed_at?: string | null;
  closed_by?: ApiUser | null;
  assignees?: readonly ApiUser[] | null;
  reactions?: { eyes: number };
  comments?: number;
}

interface ApiReaction {
  user: ApiUser | null;
  created_at: string;
}

export function parseIssue(issue: ApiIssue): Issue {
  const { number, title, state, labels, updated_at, closed_at, closed_by } = issue;
  const closedBy = closed_by && isPerson(closed_by) ? closed_by.login : undefined;
  return {
    number,
    title,
    ...parseText(issue),
    isOpen: state === "open",
    labels: labels.flatMap((label) => typeof label === "string" ? label : label.name ?? []),
    updated: Temporal.Instant.from(updated_at),
    ...(closed_at ?? null) === null ? {} : { closed: Temporal.Instant.from(closed_at!) },
    ...closedBy === undefined ? {} : { closedBy },
    assignees: issue.assignees?.filter(isPerson).map(({ login }) => login) ?? [],
    eyes: issue.reactions?.eyes ?? 0,
    comments: issue.comments ?? 0,
  };
}

/** False for apps, such as `github-actions[bot]`. */
function isPerson({ type }: ApiUser): boolean {
  return type !== "Bot";
}

/** Reactions of people whose account still exists. */
export function parseReactions(reactions: readonly ApiReaction[]): Reaction[] {
  return reactions.flatMap(({ user, created_at }) =>
    user === null || !isPerson(user)
      ? []
      : [{ author: user.login, created: Temporal.Instant.from(created_at) }]
  );
}

export function parseRepositoryComment(
  comment: ApiText & { id: number; issue_url: string; updated_at: string },
): RepositoryComment {
  const { id, user, issue_url, updated_at } = comment;
  return {
    ...parseText(comment),
    id,
    isByApp: user !== null && !isPerson(user),
    issue: Number(issue_url.slice(issue_url.lastIndexOf("/") + 1)),
    updated: Temporal.Instant.from(updated_at),
  };
}

export function parseText({ body, user, author_association, created_at }: ApiText): IssueComment {
  return {
    body: body ?? "",
    author: user?.login ?? GHOST,
    isTrusted: TRUSTED.includes(author_association ?? "NONE"),
    association: author_association,
    created: Temporal.Instant.from(created_at),
  };
}

type Extras = Pick<NewIssue, "labels" | "assignees">;

/** True for faults that GitHub reports about one of the optional parts. */
const IS_ABOUT: Readonly<Record<keyof Extras, (fault: Fault) => boolean>> = {
  labels: ({ resource, field }) => resource === "Label" || field === "labels",
  assignees: ({ field }) => /^assignees?$/.test(field ?? ""),
};

/** Creates an issue without the labels and assignees that GitHub refuses, and returns those as well. */
export async function createIssue(
  client: Client,
  place: { owner: string; repo: string },
  { title, body, labels, assignees }: NewIssue,
): Promise<{ issue: Issue; leftOut: Extras }> {
  let extras: Extras = { labels, assignees: assignees.slice(0, MOST_ASSIGNEES) };
  while (true) {
    try {
      const { data } = await client.rest.issues.create({
        ...{ ...place, title, body },
        ...{ labels: [...extras.labels], assignees: [...extras.assignees] },
        request: { retries: 0 },
      });
      const leftOut = {
        labels: labels.filter((name) => !extras.labels.includes(name)),
        assignees: assignees.filter((login) => !extras.assignees.includes(login)),
      };
      return { issue: parseIssue(data), leftOut };
    } catch (error) {
      const answer = toAnswer(error);
      const accepted = {
        labels: withoutRefused("labels", extras.labels, answer),
        assignees: withoutRefused("assignees", extras.assignees, answer),
      };
      const isLess = accepted.labels.length < extras.labels.length ||
        accepted.assignees.length < extras.assignees.length;
      if (!isLess) throw error;
      extras = accepted;
    }
  }
}

/** The values that an answer does not refuse; none if it refuses some without naming them. */
function withoutRefused(
  kind: keyof Extras,
  values: readonly string[],
  answer: Answer | undefined,
): readonly string[] {
  const faults = answer?.status === 422 ? answer.faults.filter(IS_ABOUT[kind]) : [];
  if (faults.length === 0) return values;
  const refused = faults.flatMap(({ value }) => value ?? [])
    .map((one) => String(one).toLowerCase());
  const rest = values.filter((one) => !refused.includes(one.toLowerCase()));
  return rest.length < values.length ? rest : [];
}
