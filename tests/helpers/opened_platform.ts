import { systemClock } from "../../lib/io/clock.ts";
import type { PlatformOptions } from "../../lib/github/asker.ts";
import { openPlatform } from "../../lib/github/open_platform.ts";
import type { Pace } from "../../lib/github/pace.ts";
import type { Platform } from "../../lib/github/platform.ts";
import type { PlatformServer } from "./platform_server.ts";

/** A pace at which nobody has to wait: a second lasts a millisecond. */
export const FAST: Pace = {
  request: 5_000,
  second: 1,
  burst: 10,
  write: 0,
  budget: 20_000,
  aside: 10_000,
};

/** The door to a platform, and what it warned of. */
export type OpenedPlatform = Platform & { warnings: string[] };

/** Opens the door to a platform at a fast pace. */
export function openedPlatform(
  { url, repository, token }: Pick<PlatformServer, "url" | "repository" | "token">,
  { pace, ...options }: Partial<Omit<PlatformOptions, "pace">> & { pace?: Partial<Pace> } = {},
): OpenedPlatform {
  const warnings: string[] = [];
  const platform = openPlatform({
    ...{ api: url, repository, token, userAgent: "monitor-action/test", clock: systemClock },
    warn: (text) => warnings.push(text),
    ...options,
    pace: { ...FAST, ...pace },
  });
  return Object.assign(platform, { warnings });
}
