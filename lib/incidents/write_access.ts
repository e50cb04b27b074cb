import * as v from "valibot";
import { type GitHub, type Issue, type IssueComment, JOB_ACCOUNT } from "../github/github.ts";
import { isAnnouncement, isMarked } from "./marked_texts.ts";

export const ACCESS = v.object({
  /** The UTC day on which GitHub was asked; the answers are valid on that day only. */
  day: v.string(),
  /** True for people who may write, by login in lower case. */
  people: v.record(v.string(), v.boolean()),
  /** True if the token may not ask. */
  isRefused: v.optional(v.boolean()),
});

/** Answers about people's write access, kept from run to run. */
type AccessMemory = v.InferOutput<typeof ACCESS>;

type Author = Pick<Issue, "author" | "association" | "isTrusted">;

/** A text with its author. */
type Written = Author & Pick<Issue, "body">;

/** Finds out whose comments and issues count: those of people with write access, asked once per person and day. */
export class WriteAccess {
  readonly #answers = new Map<string, Promise<boolean | undefined>>();

  /**
   * `memory` is the cache to store; unchanged if GitHub was not asked. An optional request makes a run wait only a few
   * seconds.
   */
  constructor(
    readonly github: Pick<GitHub, "mayWrite" | "account">,
    public memory: AccessMemory | undefined,
    readonly day: string,
    readonly options: { isOptional?: boolean } = {},
  ) {}

  /**
   * Marks comments as trusted only if their authors have write access, or if a person wrote them by `announce` with
   * the token of a job or of the monitor.
   *
   * @throws {GitHubError} If GitHub does not answer now.
   */
  async trust(comments: readonly IssueComment[]): Promise<IssueComment[]> {
    return await Promise.all(comments.map(async (comment) => {
      if (isApp(comment.author) && isAnnouncement(comment.body)) {
        return { ...comment, isTrusted: await this.counts(comment) ?? false };
      }
      const counts = comment.isTrusted && !isMarked(comment.body);
      return counts
        ? { ...comment, isTrusted: await this.#mayWrite(comment) ?? isInvited(comment) }
        : comment;
    }));
  }

  /**
   * Marks issues as trusted only if they count. If that can't be known, those of invited collaborators do, and those
   * that counted before, by number.
   *
   * @throws {GitHubError} If GitHub does not answer now.
   */
  async trustIssues<T extends Written & { number: number }>(
    issues: readonly T[],
    before: Pick<ReadonlySet<number>, "has"> = new Set(),
  ): Promise<T[]> {
    return await Promise.all(issues.map(async (issue) => {
      const isTrusted = await this.counts(issue) ?? before.has(issue.number);
      return { ...issue, isTrusted };
    }));
  }

  /**
   * True if an issue's author has write access, or is the app whose token this is, as of announcements that a workflow
   * makes. What `announce` writes counts with the token of any job of the repository. If the token may not ask, invited
   * collaborators count, and `undefined` is the answer for members of the organization.
   *
   * @throws {GitHubError} If GitHub does not answer now.
   */
  async counts(issue: Written): Promise<boolean | undefined> {
    if (issue.author === JOB_ACCOUNT && isAnnouncement(issue.body)) return true;
    if (isApp(issue.author)) return await this.#isOwn(issue.author);
    if (!issue.isTrusted) return false;
    return await this.#mayWrite(issue) ?? (isInvited(issue) || undefined);
  }

  /** True if a person may write; `undefined` if the token may not ask. */
  async #mayWrite({ author, association }: Author): Promise<boolean | undefined> {
    if (association === "OWNER") return true;
    const today = this.memory?.day === this.day ? this.memory : undefined;
    const login = author.toLowerCase();
    if (today?.isRefused) return today.people[login];
    return today?.people[login] ??
      await this.#ask(login, () => this.github.mayWrite(login, this.options));
  }

  async #isOwn(author: string): Promise<boolean> {
    const login = author.toLowerCase();
    const today = this.memory?.day === this.day ? this.memory : undefined;
    return today?.people[login] ??
      await this.#ask(login, async () => (await this.github.account()).toLowerCase() === login) ??
      false;
  }

  async #ask(
    login: string,
    ask: () => Promise<boolean | undefined>,
  ): Promise<boolean | undefined> {
    const answer = await this.#answers.getOrInsertComputed(login, ask);
    const day = this.day;
    const { people, ...rest } = this.memory?.day === day ? this.memory : { day, people: {} };
    this.memory = answer === undefined
      ? { ...rest, people, isRefused: true }
      : { ...rest, people: { ...people, [login]: answer } };
    return answer;
  }
}

/** Without an answer, a member of the organization may have read access only. */
function isInvited({ association }: Author): boolean {
  return association === "COLLABORATOR";
}

/** True for the login of an app; no person can have such a name. */
export function isApp(login: string): boolean {
  return login.endsWith("[bot]");
}
