import type { Clock } from "../doors/clock.ts";
import { PlatformError } from "../doors/platform/platform_error.ts";

const ATTEMPTS = 3;
/** Milliseconds until what was made is sure to be found. */
const LAG = 2_000;

/**
 * Makes something unless it is there. Where an attempt fails without an answer, what it may have made
 * is looked for before the next.
 *
 * @throws {PlatformError} Where that was to no avail.
 */
export async function onceOnly<Found, Made>(
  find: () => Promise<Found | undefined>,
  make: () => Promise<Made>,
  clock: Clock,
): Promise<Found | Made> {
  for (let attempt = 1;; attempt++) {
    const found = await find();
    if (found !== undefined) return found;
    try {
      return await make();
    } catch (error) {
      const isOpenEnded = error instanceof PlatformError && error.isOpenEnded;
      if (!isOpenEnded || attempt === ATTEMPTS) throw error;
      await clock.wait(LAG * attempt);
    }
  }
}
