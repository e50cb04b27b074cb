import { STATEFUL_CHECKS } from "../config/checks/mod.ts";
import type { ProbeResult } from "./results.ts";

/** Reachability of the canaries; `distrusted` ones are checked, but ignored. */
type CanaryStatus = "reachable" | "failing" | "distrusted";

/** Runs in which the canaries fail while sites answer, after which they are distrusted. */
const TRUSTED_RUNS = 3;
/** Fewest sites at which a failure that many share is suspicious. */
const FEWEST = 3;

/** True if canaries failed in so many runs while sites answered that they must be unreachable, as behind a firewall. */
export function isDistrusted(failedRuns: number): boolean {
  return failedRuns >= TRUSTED_RUNS;
}

/** Counts the runs in a row in which the canaries failed while sites answered; one that did not ask them does not count. */
export function countFailedRuns(
  before: number,
  failed: boolean | undefined,
  results: readonly ProbeResult[],
): number {
  if (failed === undefined) return before;
  if (!failed) return 0;
  const answered = results.some((result) =>
    usesNetwork(result) && result.attempts > 0 && result.state !== "unknown" && !result.unreached
  );
  return answered ? before + 1 : before;
}

/** The canaries if none are configured; `api` is the address of GitHub's API. */
export function defaultCanaries(api: string): string[] {
  const { hostname, port, protocol } = new URL(api);
  return [
    "one.one.one.one:443",
    "dns.google:443",
    "www.cloudflare.com:443",
    `${hostname}:${port || (protocol === "http:" ? "80" : "443")}`,
  ];
}

/** Hosts that show if the runner's own network works. They are checked on demand, at first once for all callers. */
export class Canaries {
  #first?: Promise<boolean>;
  #last?: Promise<boolean>;

  /** Without addresses (hosts and ports) the network is never blamed. */
  constructor(
    readonly options: {
      addresses: readonly string[];
      reaches(address: string): Promise<boolean>;
      distrusted: boolean;
    },
  ) {}

  check(): Promise<CanaryStatus> {
    return this.#toStatus(this.#first ??= this.#last = this.#mostFail());
  }

  checkAgain(): Promise<CanaryStatus> {
    return this.#toStatus(this.#last = this.#mostFail());
  }

  /** True if most failed in the last check; `undefined` if there was none since this was asked. */
  async takeFailed(): Promise<boolean | undefined> {
    const last = this.#last;
    this.#last = undefined;
    return await last;
  }

  async #mostFail(): Promise<boolean> {
    const { addresses, reaches } = this.options;
    const reached = await Promise.all(addresses.map(reaches));
    return 2 * reached.filter((one) => !one).length > addresses.length;
  }

  async #toStatus(failing: Promise<boolean>): Promise<CanaryStatus> {
    if (!await failing) return "reachable";
    return this.options.distrusted ? "distrusted" : "failing";
  }
}

/**
 * Makes failures without any answer inconclusive if so many sites can't be reached at once that the runner's own
 * network is suspect, and the canaries, which are asked again, can't be reached either.
 */
export async function doubtUnreached(
  results: readonly ProbeResult[],
  canaries: Canaries,
): Promise<readonly ProbeResult[]> {
  const checked = results.filter((result) => usesNetwork(result) && result.attempts > 0);
  const unreached = checked.filter(({ state, unreached }) => state === "down" && unreached);
  const isSuspect = checked.length >= FEWEST && 2 * unreached.length >= checked.length;
  if (!isSuspect || await canaries.checkAgain() !== "failing") return results;
  return results.map((result) => result.unreached ? toInconclusive(result) : result);
}

/** True for every site but those whose facts may be here already: beats of a job, the date of a domain. */
function usesNetwork({ site }: Pick<ProbeResult, "site">): boolean {
  return !STATEFUL_CHECKS.has(site.check);
}

const INCONCLUSIVE = "the monitor's own network is at fault, its canaries can't be reached either";

export function isInconclusive({ state, error }: Pick<ProbeResult, "state" | "error">): boolean {
  return state === "unknown" && error?.startsWith(INCONCLUSIVE) === true;
}

export function toInconclusive(result: ProbeResult): ProbeResult {
  const error = `${INCONCLUSIVE}: ${result.error}`;
  return { ...result, state: "unknown", error };
}
