import type { Attempt } from "./attempt.ts";
import type { Client } from "./octokit.ts";

/** What a part of the API for a repository is made with. */
export interface Part {
  /** Does some work with the client; what is not said of the attempt is as the whole has it. */
  ask<T>(
    what: string,
    work: (client: Client) => Promise<T>,
    more?: Partial<Attempt>,
  ): Promise<T>;
  place: { owner: string; repo: string };
}
