import type { CheckResult } from "./judge.ts";

/** What the canaries say of the monitor's own network; `distrusted` ones are asked, and not believed. */
export type CanaryVerdict = "fine" | "failing" | "distrusted";

/** Runs in which they fail while sites answer, after which they are no longer believed. */
const TRUSTED_RUNS = 3;

/** Whether canaries that failed in so many runs while sites answered are beside the point, as behind a firewall. */
export function isDistrusted(failedRuns: number): boolean {
  return failedRuns >= TRUSTED_RUNS;
}

/** In how many runs they have failed while sites answered, after one more in which they were asked. */
export function failedRuns(
  before: number,
  failed: boolean,
  looks: readonly CheckResult[],
): number {
  if (!failed) return 0;
  const answered = looks.some(({ state, attempts, unreached }) =>
    attempts > 0 && state !== "unknown" && !unreached
  );
  return answered ? before + 1 : before;
}

/** The canaries of who names none; `api` is the address of GitHub's API. */
export function usualCanaries(api: string): string[] {
  const { hostname, port, protocol } = new URL(api);
  return [
    "one.one.one.one:443",
    "dns.google:443",
    "www.cloudflare.com:443",
    `${hostname}:${port || (protocol === "http:" ? "80" : "443")}`,
  ];
}

/** What canaries are asked with. */
export interface CanariesOptions {
  /** Hosts and ports that are there unless the monitor's own network is at fault; none: it is never blamed. */
  addresses: readonly string[];
  /** Whether a host and port can be connected to. */
  reaches(address: string): Promise<boolean>;
  /** Whether what they say is not believed: see {@linkcode isDistrusted}. */
  distrusted: boolean;
}

/**
 * Places that tell whether the monitor's own network works. Nothing is connected to before somebody asks,
 * and all who ask at first share one answer.
 */
export class Canaries {
  readonly #options: CanariesOptions;
  #first?: Promise<boolean>;
  #last?: Promise<boolean>;

  constructor(options: CanariesOptions) {
    this.#options = options;
  }

  /** Asks, unless that was done in this run. */
  ask(): Promise<CanaryVerdict> {
    return this.#verdict(this.#first ??= this.#look());
  }

  /** Asks anew. */
  askAgain(): Promise<CanaryVerdict> {
    return this.#verdict(this.#look());
  }

  /** Asks anew, for a single decision: {@linkcode Canaries.failed} does not count it. */
  check(): Promise<CanaryVerdict> {
    return this.#verdict(this.#mostFail());
  }

  /** Whether most of them failed when they were last asked; `undefined` where they were not. */
  async failed(): Promise<boolean | undefined> {
    return await this.#last;
  }

  #look(): Promise<boolean> {
    return this.#last = this.#mostFail();
  }

  async #mostFail(): Promise<boolean> {
    const { addresses, reaches } = this.#options;
    const reached = await Promise.all(addresses.map(reaches));
    return 2 * reached.filter((one) => !one).length > addresses.length;
  }

  async #verdict(failing: Promise<boolean>): Promise<CanaryVerdict> {
    if (!await failing) return "fine";
    return this.#options.distrusted ? "distrusted" : "failing";
  }
}
