import type { Clock } from "../io/clock.ts";
import { answerOf } from "./answer_of.ts";
import type { Attempt } from "./attempt.ts";
import { Budget, BudgetError } from "./budget.ts";
import { limitedFetch } from "./limited_fetch.ts";
import type { Client } from "./octokit.ts";
import { type Pace, USUAL_PACE } from "./pace.ts";
import { GitHubError } from "./github_error.ts";
import { refusal, unanswered, unaskable } from "./refusal.ts";
import { toldRepository } from "./told_repository.ts";
import { unreachable } from "./unreachable.ts";

/** How GitHub is reached. */
export interface GitHubOptions {
  /** Base address of the API. */
  api: string;
  /** `owner/name` of the repository. */
  repository: string;
  token: string;
  userAgent: string;
  clock: Clock;
  /** Is told what was left out of what was asked for. */
  warn(text: string): void;
  /** @default {USUAL_PACE} */
  pace?: Pace;
}

/** What a header can hold of a token. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/** Owner and name. */
const REPOSITORY = /^(?!\.+\/)[^/\s]+\/(?!\.+$)[^/\s]+$/;

/** Asks GitHub's API, with a client that is loaded when it is first asked. */
export class Asker {
  readonly #options: GitHubOptions;
  readonly #pace: Pace;
  readonly #budget: Budget;
  #client?: Promise<Client>;

  constructor(options: GitHubOptions) {
    this.#options = options;
    this.#pace = options.pace ?? USUAL_PACE;
    this.#budget = new Budget(this.#pace.budget, () => options.clock.elapsed());
  }

  /**
   * Does some work with the client; errors are told as failures of the attempt.
   *
   * @throws {GitHubError}
   */
  async ask<T>(attempt: Attempt, work: (client: Client) => Promise<T>): Promise<T> {
    const wrong = whatIsWrong(this.#options);
    if (wrong !== undefined) throw unaskable(attempt, wrong);
    try {
      return await this.#budget.spend(async () => {
        const client = await (this.#client ??= this.#load());
        try {
          return await work(client);
        } catch (error) {
          if (attempt.issue === undefined || answerOf(error)?.status !== 404) throw error;
          await this.fullName(client).catch((cause) => {
            throw this.#told({ ...attempt, issue: undefined }, cause);
          });
          throw error;
        }
      });
    } catch (error) {
      throw this.#told(attempt, error);
    }
  }

  /**
   * What the repository is called now; asked for where something is not found in it, because that may be
   * the whole of it.
   *
   * @throws {unknown} Where it can't be seen.
   */
  async fullName(client: Client): Promise<string> {
    const [owner = "", repo = ""] = this.#options.repository.split("/");
    return (await toldRepository(client, { owner, repo })).data.full_name;
  }

  #told(attempt: Attempt, error: unknown): GitHubError {
    if (error instanceof GitHubError) return error;
    const answer = answerOf(error);
    if (answer !== undefined) {
      return refusal(attempt, answer, this.#options.clock.now().epochMilliseconds);
    }
    const begun = !(error instanceof BudgetError) || error.begun;
    return unanswered(attempt, unreachable(error, this.#options.api), begun);
  }

  async #load(): Promise<Client> {
    const { api, token, userAgent, clock } = this.#options;
    const { makeOctokit } = await import("./octokit.ts");
    const { signal } = this.#budget;
    return makeOctokit({
      ...{ api, token, userAgent, pace: this.#pace },
      fetch: limitedFetch({ limit: this.#pace.request, signal }),
      clock,
    });
  }
}

/** Why GitHub can't be reached in such a way, and what to change; `undefined` where it may be. */
function whatIsWrong({ api, token, repository }: GitHubOptions): string | undefined {
  if (!PRINTABLE.test(token)) {
    return "the token has characters that no token has; save it anew as the secret HOST_PAT";
  }
  if (!/^https?:$/.test(URL.parse(api)?.protocol ?? "")) {
    return "GITHUB_API_URL is no address; set it to one such as https://api.github.com";
  }
  return REPOSITORY.test(repository)
    ? undefined
    : "that is no repository; set GITHUB_REPOSITORY to one, as owner/name, or owner and repo";
}
