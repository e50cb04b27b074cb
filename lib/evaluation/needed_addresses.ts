import type { Secrets } from "../io/secrets/secrets.ts";
import { hostAndPort, isPort } from "../config/checks/hosts.ts";
import type { Clock } from "../io/clock.ts";

/** Milliseconds after which an address that takes no connection is asked once more. */
const DELAY = 2_000;

/** What addresses are asked with. */
export interface NeededAddressesOptions {
  clock: Clock;
  secrets: Secrets;
  /** Whether a host and port can be connected to, which takes some seconds at most. */
  reaches(address: string): Promise<boolean>;
  /** Aborted when the run is out of time. */
  deadline: AbortSignal;
}

/** The addresses that sites depend on: each is asked once in a run, and not before it matters. */
export class NeededAddresses {
  readonly #options: NeededAddressesOptions;
  readonly #answers = new Map<string, Promise<boolean | undefined>>();

  constructor(options: NeededAddressesOptions) {
    this.#options = options;
  }

  /** Whether addresses take connections, by how they are configured; without those of which that was not learnt. */
  async ask(addresses: readonly string[]): Promise<Map<string, boolean>> {
    const answers = await Promise.all(addresses.map(async (address) => {
      const known = this.#answers.get(address) ?? this.#look(address);
      this.#answers.set(address, known);
      return [address, await known] as const;
    }));
    return new Map(
      answers.flatMap(([address, answer]) => answer === undefined ? [] : [[address, answer]]),
    );
  }

  async #look(address: string): Promise<boolean | undefined> {
    const { clock, secrets, reaches, deadline } = this.#options;
    const { text, missing } = secrets.substitute(address);
    const { host, port } = hostAndPort(text);
    // A secret that is missing, or holds something else, says nothing of what is behind the address.
    if (missing.length > 0 || host === "" || !isPort(port ?? "")) return undefined;
    const plain = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    if (await reaches(plain)) return true;
    await clock.wait(DELAY, deadline);
    if (deadline.aborted) return undefined;
    return await reaches(plain);
  }
}
