import type { Clock } from "../doors/clock.ts";
import type { Platform } from "../doors/platform/platform.ts";

/** What carriers carry out effects with. */
export interface Means {
  /** Absent where there is no token, or no repository of the platform. */
  platform?: Platform;
  clock: Clock;
}

/** What an effect on the platform lacks where {@linkcode Means.platform} is absent. */
export const NO_PLATFORM = "a token (HOST_PAT or GITHUB_TOKEN) and a repository of the platform";
