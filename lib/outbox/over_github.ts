import { GitHubError } from "../github/github_error.ts";
import { CarrierError } from "./effect.ts";

const PROSPECTS = { transient: "passing", misconfigured: "setting", permanent: "final" } as const;

/** Carries something out on GitHub; a refusal says what to expect of the effect. */
export async function overGitHub<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { message, kind, retryAfter } = error;
    throw new CarrierError(message, { prospect: PROSPECTS[kind], retryAfter, cause: error });
  }
}
