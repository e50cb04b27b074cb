import * as v from "valibot";
import type { GitHub, Issue } from "../../github/github.ts";
import type { Acknowledgement } from "../../history/incident.ts";
import { time } from "../../history/yaml_file.ts";
import { DAY, isBefore, MINUTE } from "../../time.ts";
import { isMarked } from "../marked_texts.ts";
import { isRecorded, type Response } from "./acknowledge.ts";
import { parseDuration } from "../../config/keys/times.ts";
import { takeApart } from "../../text/hidden_part.ts";

export const RESPONSE_STATE = v.object({
  /** `owner/name` of the repository that was read. */
  repository: v.string(),
  /** Time of the newest comment that was read. */
  since: v.optional(time()),
  /** Progress of each issue, by number. */
  seen: v.fallback(
    v.record(v.string(), v.object({ updated: time(), eyes: v.number(), comments: v.number() })),
    {},
  ),
});

/** Progress of reading responses, kept from run to run; if it is lost, they are read again. */
export type ResponseState = v.InferOutput<typeof RESPONSE_STATE>;

/** An incident with an issue. */
export interface TrackedIncident {
  id: string;
  slug: string;
  issue: number;
  /** Time from which its issue is read. */
  start: Temporal.Instant;
  /** True if it has ended, so that only commands are read. */
  isOver: boolean;
  acknowledgements: readonly Acknowledgement[];
  /** Logins that the program has assigned, or would. */
  assigned: readonly string[];
  /** True if an effect on the issue is still to be executed, so that it may be closed by us. */
  isChanging: boolean;
}

/** A command in a comment on the issue of an incident. */
export interface IssueCommand {
  incident: string;
  slug: string;
  issue: number;
  comment: number;
  by: string;
  at: Temporal.Instant;
  command: Command;
  /** True if its author has write access. */
  isAllowed: boolean;
}

/** Responses of people to open incidents since the last reading. */
export interface ReadResponses {
  /** Acknowledgements other than by comments, and present assignees, by the id of the incident. */
  incidents: ReadonlyMap<string, { responses: readonly Response[]; assignees: readonly string[] }>;
  /** In the order in which they were written. */
  commands: readonly IssueCommand[];
  state: ResponseState;
}

/** People whose access is asked for in one run, for comments and for 👀; further ones are not answered. */
const MOST_PEOPLE = 20;
/** Time by which GitHub may list a comment late. */
const OVERLAP = { minutes: 1 };
/** Time by which the runner's clock may be ahead of GitHub's. */
const SKEW = { hours: 1 };

/**
 * Reads the responses to incidents: one request for their issues; one for comments if there may be new ones;
 * one for each issue whose number of 👀 has changed; and one for each person. Nothing is requested without an
 * incident. Only people with write access count.
 *
 * @throws {Error} A `GitHubError` if GitHub does not answer now.
 */
export async function readResponses(
  github: GitHub,
  tracked: readonly TrackedIncident[],
  before: ResponseState | undefined,
): Promise<ReadResponses | undefined> {
  const first = tracked.map(({ start }) => start).sort(Temporal.Instant.compare).at(0);
  if (first === undefined) return undefined;
  const { repository } = github;
  const { since, seen }: ResponseState = before?.repository === repository
    ? before
    : { repository, seen: {} };
  const oldest = first.subtract(SKEW);
  const issues = await github.issuesSince(oldest, { isOptional: true });
  const byNumber = new Map(issues.map((issue) => [issue.number, issue]));
  const found = tracked.flatMap((incident) => {
    const issue = byNumber.get(incident.issue);
    return issue === undefined ? [] : [{ incident, issue, last: seen[issue.number] }];
  });
  const access = new Access(github);
  // Onlookers who react leave the requests for those who write.
  const accessOfEyes = new Access(github);
  const hasComments = found.some(({ issue: { comments, updated }, last }) =>
    // Times are whole seconds, so that a comment may not change them.
    comments > 0 && (last?.comments !== comments || !last.updated.equals(updated))
  );
  const from = since === undefined || isBefore(since, oldest) ? oldest : since.subtract(OVERLAP);
  const eyesByIssue = new Map<number, Promise<Response[]>>();
  const findEyes = (issue: Issue) =>
    eyesByIssue.getOrInsertComputed(issue.number, () => readEyes(github, issue));
  const [read, ...own] = await Promise.all([
    hasComments ? readCommands(github, { tracked, from, since, access }) : undefined,
    ...found.filter(({ incident }) => !incident.isOver).map(async ({ incident, issue, last }) => {
      const hasEyes = issue.eyes > 0 && issue.eyes !== last?.eyes;
      const isNew = (one: Response) => !isRecorded(one, incident.acknowledgements);
      const own = [...findClosing(issue, incident), ...findAssignees(issue, incident)];
      const eyes = hasEyes ? await findEyes(issue) : [];
      const responses = [
        ...await access.filter(own.filter(isNew)),
        ...await accessOfEyes.filter(eyes.filter(isNew)),
      ];
      return [incident.id, { responses, assignees: issue.assignees }] as const;
    }),
  ]);
  return {
    incidents: new Map(own),
    commands: read?.commands ?? [],
    state: {
      repository,
      since: read?.newest ?? since,
      seen: Object.fromEntries(
        found.map(({ issue: { number, updated, eyes, comments } }) => [
          number,
          { updated, eyes, comments },
        ]),
      ),
    },
  };
}

async function readCommands(
  github: GitHub,
  { tracked, from, since, access }: {
    tracked: readonly TrackedIncident[];
    from: Temporal.Instant;
    /** Time of the newest comment that was read before. */
    since?: Temporal.Instant;
    access: Access;
  },
): Promise<{ commands: IssueCommand[]; newest?: Temporal.Instant }> {
  const comments = await github.repositoryComments(from, { isOptional: true });
  const byIssue = Map.groupBy(tracked, ({ issue }) => issue);
  const written = comments.flatMap((comment) => {
    // Those of a group may share an issue.
    const incidents = byIssue.get(comment.issue) ?? [];
    // An edited comment is no new command.
    const isEdited = since !== undefined && !isBefore(since, comment.created) &&
      isBefore(since, comment.updated);
    const isOld = isEdited || isBefore(comment.created, from);
    const counts = incidents.length > 0 && !isOld && !comment.isByApp && !isMarked(comment.body);
    const command = counts ? parseCommand(comment.body) : undefined;
    return command === undefined ? [] : [{ comment, incidents, command }];
  });
  // Strangers who write many do not keep those out who belong to the repository.
  const likely = written.toSorted(({ comment: one }, { comment: other }) =>
    Number(other.isTrusted) - Number(one.isTrusted) ||
    Temporal.Instant.compare(other.created, one.created)
  );
  const commands = await Promise.all(likely.map(async ({ comment, incidents, command }) => {
    const { id, issue, author, created } = comment;
    const isAllowed = await access.mayRespond(author);
    if (isAllowed === undefined) return [];
    return incidents.map((incident) => ({
      ...{ incident: incident.id, slug: incident.slug, issue, comment: id },
      ...{ by: author, at: created, command, isAllowed },
    }));
  }));
  const newest = comments.map(({ updated }) => updated).sort(Temporal.Instant.compare).at(-1);
  return {
    commands: commands.flat().sort((one, other) =>
      Temporal.Instant.compare(one.at, other.at) || one.comment - other.comment
    ),
    newest,
  };
}

/** The person who closed the issue of an outage that is not over. */
function findClosing({ isOpen, closed, closedBy }: Issue, incident: TrackedIncident): Response[] {
  if (isOpen || incident.isChanging || closed === undefined || closedBy === undefined) return [];
  return [{ way: "closing", by: closedBy, at: closed }];
}

function findAssignees({ assignees, updated }: Issue, { assigned }: TrackedIncident): Response[] {
  const ours = new Set(assigned.map((login) => login.toLowerCase()));
  return assignees.filter((login) => !ours.has(login.toLowerCase()))
    .map((login) => ({ way: "assignee", by: login, at: updated }));
}

/** The newest first: people were asked about the others when they were new. */
async function readEyes(github: GitHub, { number }: Issue): Promise<Response[]> {
  const reactions = await github.eyes(number);
  return reactions.toSorted((one, other) => Temporal.Instant.compare(other.created, one.created))
    .map(({ author, created }) => ({ way: "reaction", by: author, at: created }));
}

/** Finds the people who may respond: those with write access, each asked for once in a run. */
class Access {
  readonly #answers = new Map<string, Promise<boolean | undefined>>();

  constructor(readonly github: GitHub) {}

  /** True if a person may respond; `undefined` for those who are too many to ask for. */
  async mayRespond(login: string): Promise<boolean | undefined> {
    const key = login.toLowerCase();
    const known = this.#answers.get(key);
    if (known === undefined && this.#answers.size >= MOST_PEOPLE) return undefined;
    const answer = known ?? this.github.mayWrite(login).then((may) => may === true);
    this.#answers.set(key, answer);
    return await answer;
  }

  async filter(responses: readonly Response[]): Promise<Response[]> {
    const allowed = await Promise.all(responses.map(({ by }) => this.mayRespond(by)));
    return responses.filter((_, index) => allowed[index] === true);
  }
}

/**
 * Something that a comment asks of the program, about its own incident or site unless it is for all; durations in
 * milliseconds. `unclear` if it can't be read.
 */
export type Command =
  | { name: "ack"; isForAll?: true; lasts?: number }
  | { name: "mute"; isForAll?: true; lasts: number }
  | { name: "unmute"; isForAll?: true }
  | { name: "unclear" };

/** Longest time of an acknowledgement or mute, in milliseconds. */
const LONGEST_PAUSE = 30 * DAY;

const COMMAND = /^\/(ack|mute|unmute)(?![\w/-])([^\S\n]+all(?![\w/-]))?(?:[^\S\n]+(\S+))?/i;

/**
 * Reads the command that a comment starts with; `undefined` if it starts with none. Text after it is for people.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseCommand("/ack I restart it"), { name: "ack" });
 * assertEquals(parseCommand("/mute 2h"), { name: "mute", lasts: 7_200_000 });
 * assertEquals(parseCommand("/ack all"), { name: "ack", isForAll: true });
 * assertEquals(parseCommand("/ack, 2H is enough"), { name: "ack" });
 * assertEquals(parseCommand("/mute"), { name: "unclear" });
 * assertEquals(parseCommand("> /ack"), undefined);
 * ```
 */
export function parseCommand(body: string): Command | undefined {
  const [, word, all, length = ""] = COMMAND.exec(takeApart(body).shown) ?? [];
  if (word === undefined) return undefined;
  const name = word.toLowerCase() as "ack" | "mute" | "unmute";
  const reach = all === undefined ? {} : { isForAll: true as const };
  if (name === "unmute") return { name, ...reach };
  const lasts = parsePause(length.toLowerCase());
  if (lasts !== undefined) return { name, ...reach, lasts };
  return name === "ack" ? { name, ...reach } : { name: "unclear" };
}

/** The milliseconds of a duration with its unit, such as `2h`; `undefined` unless it is from a minute to 30 days. */
export function parsePause(text: string): number | undefined {
  const lasts = /[a-z]$/.test(text) ? parseDuration(text, "m") : undefined;
  return lasts !== undefined && lasts >= MINUTE && lasts <= LONGEST_PAUSE ? lasts : undefined;
}
