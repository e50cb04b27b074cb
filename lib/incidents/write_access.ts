import * as v from "valibot";
import type { GitHub, IssueComment } from "../github/github.ts";
import { isMarked } from "./marked_texts.ts";

/** Codec of {@linkcode AccessMemory}. */
export const ACCESS = v.object({
  /** The UTC day on which GitHub was asked; the answers are valid on that day only. */
  day: v.string(),
  /** True for people who may write, by login in lower case. */
  people: v.record(v.string(), v.boolean()),
  /** True if the token may not ask. */
  isRefused: v.optional(v.boolean()),
});

/** Answers of GitHub on write access, cached until the end of the day. */
export type AccessMemory = v.InferOutput<typeof ACCESS>;

/** Finds out whose comments count: those of people with write access, asked once per person and day. */
export class WriteAccess {
  readonly #github: Pick<GitHub, "mayWrite">;
  readonly #asking = new Map<string, Promise<boolean | undefined>>();
  #memory: AccessMemory;
  #isNews = false;
  readonly #before?: AccessMemory;

  constructor(
    github: Pick<GitHub, "mayWrite">,
    before: AccessMemory | undefined,
    day: string,
  ) {
    this.#github = github;
    this.#before = before;
    this.#memory = before?.day === day ? before : { day, people: {} };
  }

  /** The cache to store; unchanged if GitHub was not asked. */
  get memory(): AccessMemory | undefined {
    return this.#isNews ? this.#memory : this.#before;
  }

  /**
   * Marks comments as trusted only if their authors have write access.
   *
   * @throws {GitHubError} If GitHub does not answer now.
   */
  async judge(comments: readonly IssueComment[]): Promise<IssueComment[]> {
    return await Promise.all(comments.map(async (comment) => {
      const counts = comment.isTrusted && !isMarked(comment.body);
      return counts ? { ...comment, isTrusted: await this.#mayWrite(comment) } : comment;
    }));
  }

  async #mayWrite({ author, association }: IssueComment): Promise<boolean> {
    if (association === "OWNER") return true;
    const login = author.toLowerCase();
    const known = this.#memory.isRefused ? undefined : await this.#ask(login);
    // Without an answer, a member of the organization may have read access only.
    return known ?? association === "COLLABORATOR";
  }

  async #ask(login: string): Promise<boolean | undefined> {
    const { people } = this.#memory;
    if (Object.hasOwn(people, login)) return people[login];
    const asked = this.#asking.get(login) ?? this.#github.mayWrite(login);
    this.#asking.set(login, asked);
    const answer = await asked;
    this.#isNews = true;
    this.#memory = answer === undefined
      ? { ...this.#memory, isRefused: true }
      : { ...this.#memory, people: { ...this.#memory.people, [login]: answer } };
    return answer;
  }
}
