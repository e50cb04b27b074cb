import type { Clock } from "../io/clock.ts";
import { GitHubError } from "../github/github_error.ts";

const ATTEMPTS = 3;
/** Milliseconds until what was made is sure to be found. */
const LAG = 2_000;

/**
 * Makes something that is not there. Where an attempt ends without an answer, what it may have made is
 * looked for before the next.
 *
 * @throws {GitHubError} Where that was to no avail.
 */
export async function makeOnce<Found, Made>(
  find: () => Promise<Found | undefined>,
  make: () => Promise<Made>,
  clock: Clock,
): Promise<Found | Made> {
  for (let attempt = 1;; attempt++) {
    try {
      return await make();
    } catch (error) {
      const isOpenEnded = error instanceof GitHubError && error.isOpenEnded;
      if (!isOpenEnded || attempt === ATTEMPTS) throw error;
      await clock.wait(LAG * attempt);
      const found = await find();
      if (found !== undefined) return found;
    }
  }
}
