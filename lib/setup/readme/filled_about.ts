import type { RepositoryAbout } from "../../github/github.ts";

/** What became of what the repository says of itself. */
export interface FilledAbout {
  /** What was filled in, or would be. */
  filled: Partial<RepositoryAbout>;
  /** Why it could not be; no run fails because of that. */
  note?: string;
}
