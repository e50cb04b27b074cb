import { GitHubError } from "../github/github_error.ts";
import { CarrierError } from "./effect.ts";

/** Carries something out on GitHub; a refusal says what to expect of the effect. */
export async function overGitHub<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { message, kind, retryAfter } = error;
    throw new CarrierError(message, { prospect: kind, retryAfter, cause: error });
  }
}
