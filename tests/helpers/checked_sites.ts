import { configOf, type Keys } from "./sites.ts";
import type { Observation, ProbeContext } from "../../lib/checks/observation.ts";
import type { Site } from "../../lib/config/config.ts";
import { Canaries, doubtUnreached } from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { type Clock, systemClock } from "../../lib/io/clock.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";

/** Canaries that are never checked. */
export const NONE = new Canaries({
  addresses: [],
  reaches: () => Promise.resolve(true),
  distrusted: false,
});

/** Dependencies of checks that the tests leave at a fixed value. */
export const UNTOUCHED = {
  random: () => 0.5,
  secrets: new Secrets({}),
  root: "/",
  userAgent: "monitor-action",
  earlier: Promise.resolve({ canaries: NONE, isKnownDown: () => false }),
  reaches: () => Promise.resolve(true),
};

export interface CheckOptions {
  restsUntil?: Temporal.Instant;
  /** The canaries; by default none. */
  canaries?: Canaries;
  top?: Keys;
  secrets?: Record<string, string>;
  clock?: Clock;
  isKnownDown?: boolean;
  /** What earlier runs stored about a site, by its name. */
  before?: ReadonlyMap<string, { isDown: boolean; runsNotAsked: number; wasUnfinished: boolean }>;
  reaches?(address: string): Promise<boolean>;
  /** The variables with beats of jobs. */
  readVariable?(name: string): string | undefined;
  onResult?(result: ProbeResult): unknown;
  /** In place of real requests. */
  probeSite?(site: Site, context: ProbeContext): Promise<Observation>;
}

export async function check(
  sites: readonly Keys[],
  options: CheckOptions = {},
): Promise<readonly ProbeResult[]> {
  const {
    top,
    secrets,
    clock = systemClock,
    isKnownDown = false,
    before,
    onResult = () => {},
    readVariable,
    canaries = NONE,
    reaches = () => Promise.resolve(true),
    restsUntil,
    probeSite,
  } = options;
  const config = await configOf(sites, { retry: { delays: [] }, ...top });
  const results = await checkSites(config, {
    clock,
    random: () => 0.5,
    secrets: new Secrets(secrets),
    root: "/",
    userAgent: "monitor-action",
    reaches,
    earlier: Promise.resolve({
      canaries,
      isKnownDown: ({ name }) => before?.get(name)?.isDown ?? isKnownDown,
      runsNotAsked: ({ name }) => before?.get(name)?.runsNotAsked ?? 0,
      wasUnfinished: ({ name }) => before?.get(name)?.wasUnfinished ?? false,
      restsUntil: () => restsUntil,
    }),
    mayRest: () => restsUntil !== undefined,
    readVariable,
    onResult,
    probeSite,
  });
  return await doubtUnreached(results, canaries);
}
