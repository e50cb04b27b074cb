import type { Clock } from "../io/clock.ts";
import { parseWebAddress } from "../text/safe_parse.ts";
import { foreignAnswerError, toAnswer } from "./answer.ts";
import { GitHubError } from "./github.ts";
import { Budget, limitedFetch, type Pace, USUAL_PACE } from "./limits.ts";
import type { Client } from "./octokit.ts";
import { type Attempt, toMisconfigured, toRefusal, toUnanswered } from "./refusal.ts";

export interface GitHubOptions {
  api: string;
  /** `owner/name` of the repository. */
  repository: string;
  token: string;
  userAgent: string;
  clock: Clock;
  /** Called with a sentence if a part of a request was left out. */
  warn(text: string): void;
  /** @default {USUAL_PACE} */
  pace?: Pace;
}

/** Most items that GitHub puts on a page. */
export const PAGE = 100;

/** Characters that an HTTP header can hold. */
const PRINTABLE = /^[\x21-\x7e]+$/;

const REPOSITORY = /^(?!\.+\/)[^/\s]+\/(?!\.+$)[^/\s]+$/;

/** Makes requests with Octokit, which is loaded at the first request. */
export class GitHubClient {
  readonly repository: string;
  /** Parameters of requests about the repository. */
  readonly place: { owner: string; repo: string };
  readonly #options: GitHubOptions;
  readonly #pace: Pace;
  readonly #budget: Budget;
  #client?: Promise<Client>;

  /** Optional requests share a budget of their own, so that they delay nothing urgent. */
  constructor(options: GitHubOptions, { isOptional = false } = {}) {
    this.#options = options;
    this.#pace = options.pace ?? USUAL_PACE;
    const milliseconds = isOptional ? this.#pace.aside : this.#pace.budget;
    this.#budget = new Budget(milliseconds, () => options.clock.elapsed());
    this.repository = options.repository;
    const [owner = "", repo = ""] = options.repository.split("/");
    this.place = { owner, repo };
  }

  /**
   * Runs a task with Octokit. `what` completes "Cannot …" in error messages; `needs` is the permission that
   * it takes, by default `issues: write`.
   *
   * @throws {GitHubError}
   */
  async request<T>(
    what: string,
    task: (client: Client) => Promise<T>,
    more: Partial<Pick<Attempt, "needs" | "issue">> = {},
  ): Promise<T> {
    const { repository } = this;
    const attempt: Attempt = { what, repository, needs: "issues: write", ...more };
    const wrong = this.#findMisconfiguration();
    if (wrong !== undefined) throw toMisconfigured(attempt, wrong);
    try {
      return await this.#budget.spend(async () => {
        const client = await (this.#client ??= this.#load());
        try {
          return await task(client);
        } catch (error) {
          if (attempt.issue === undefined || toAnswer(error)?.status !== 404) throw error;
          // The whole repository may be missing.
          await this.fullName(client).catch((cause) => {
            throw this.#toError({ ...attempt, issue: undefined }, cause);
          });
          throw error;
        }
      });
    } catch (error) {
      throw this.#toError(attempt, error);
    }
  }

  /** The repository's present name, which differs after a rename. */
  async fullName(client: Client): Promise<string> {
    return (await getRepository(client, this.place)).data.full_name;
  }

  #toError(attempt: Attempt, error: unknown): GitHubError {
    if (error instanceof GitHubError) return error;
    const answer = toAnswer(error);
    return answer === undefined
      ? toUnanswered(attempt, error, this.#options.api)
      : toRefusal(attempt, answer, this.#options.clock.now().epochMilliseconds);
  }

  async #load(): Promise<Client> {
    const { api, token, userAgent, clock } = this.#options;
    const { makeOctokit } = await import("./octokit.ts");
    const fetch = limitedFetch(this.#pace.request, this.#budget.signal);
    return makeOctokit({ api, token, userAgent, pace: this.#pace, fetch, clock });
  }

  #findMisconfiguration(): string | undefined {
    const { api, token, repository } = this.#options;
    if (!PRINTABLE.test(token)) {
      return "the token has characters that no token has; save it anew as the secret HOST_PAT";
    }
    if (parseWebAddress(api) === undefined) {
      return "GITHUB_API_URL is not an address; set it to one such as https://api.github.com";
    }
    return REPOSITORY.test(repository)
      ? undefined
      : "that is no repository; set GITHUB_REPOSITORY to one, as owner/name, or owner and repo";
  }
}

/**
 * Requests a repository.
 *
 * @throws {Error} If GitHub refuses, or the answer describes no repository: visibility must not be
 * concluded from the answer of something else on the way.
 */
export async function getRepository(
  { rest }: Client,
  place: { owner: string; repo: string },
): Promise<Awaited<ReturnType<Client["rest"]["repos"]["get"]>>> {
  const response = await rest.repos.get(place);
  const { full_name, private: isPrivate } = response.data ?? {};
  if (typeof full_name !== "string" || typeof isPrivate !== "boolean") {
    throw foreignAnswerError(response);
  }
  return response;
}

export function toSeconds(time: Temporal.Instant): string {
  return time.round({ smallestUnit: "second", roundingMode: "floor" }).toString();
}
