import type { Clock } from "../io/clock.ts";
import { MINUTE } from "../time.ts";
import { GitHubClient, type GitHubOptions } from "./client.ts";
import { toAnswer } from "./answer.ts";

/** Variables of a repository's workflows. */
export interface RepositoryVariables {
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** Returns all values by name. */
  list(): Promise<ReadonlyMap<string, string>>;
  /** Creates or replaces a variable. */
  save(name: string, value: string): Promise<void>;
}

/** Most variables that GitHub puts on a page. */
const PAGE = 30;

/** Opens the variables of a repository; it requests nothing before it is used. */
export function openRepositoryVariables(options: GitHubOptions): RepositoryVariables {
  const client = new GitHubClient(options);
  const { place, repository } = client;
  return {
    repository,

    list: () =>
      // The time of a client's requests is limited, and `watch` lists variables for months.
      new GitHubClient(options, { isOptional: true }).request("read the variables", async (
        { paginate, rest },
      ) => {
        const all = await paginate(rest.actions.listRepoVariables, { ...place, per_page: PAGE });
        return new Map(all.map(({ name, value }) => [name, value]));
      }, { needs: "variables: read" }),

    save: (name, value) =>
      client.request(`set the variable ${name}`, async ({ rest }) => {
        try {
          await rest.actions.updateRepoVariable({ ...place, name, value });
        } catch (error) {
          // A missing repository is reported by the next request.
          if (toAnswer(error)?.status !== 404) throw error;
          await rest.actions.createRepoVariable({ ...place, name, value });
        }
      }, { needs: "variables: write" }),
  };
}

/** Reads variables one by one, and requests all of them at most once a minute, also if that fails. */
export class MinutelyVariables {
  readonly #list: RepositoryVariables["list"];
  readonly #clock: Pick<Clock, "elapsed">;
  #values?: ReturnType<RepositoryVariables["list"]>;
  /** Time of the last request, in milliseconds of `clock.elapsed()`. */
  #readAt = -Infinity;

  constructor({ list }: Pick<RepositoryVariables, "list">, clock: Pick<Clock, "elapsed">) {
    this.#list = list;
    this.#clock = clock;
  }

  /** Returns the value of a variable, empty if it is missing. */
  async read(name: string): Promise<string> {
    const now = this.#clock.elapsed();
    if (this.#values === undefined || now - this.#readAt >= MINUTE) {
      this.#readAt = now;
      this.#values = this.#list();
    }
    return (await this.#values).get(name) ?? "";
  }
}
