import { hostAndPort, isPort } from "../config/checks/hosts.ts";
import { selectSlugs, type Site } from "../config/config.ts";
import type { Clock } from "../io/clock.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { Condition } from "../state.ts";
import type { ProbeResult, SiteState, SiteWindow } from "./results.ts";

export interface RootCause {
  /** Id of an incident of another site, or an address as configured. */
  id: string;
  name: string;
}

/** State of a site after a run, for those that depend on it. */
export interface ParentState {
  name: string;
  /** Root cause of its failure and of those of its dependents; absent unless it is down. */
  down?: RootCause;
  /** True if it failed without being down yet. */
  isFailing: boolean;
  /** Maintenance during which it fails. */
  window?: SiteWindow;
}

export type Suppression =
  | { kind: "none" }
  | { kind: "down"; cause: RootCause }
  | { kind: "maintenance"; name: string; window: SiteWindow }
  | { kind: "failing"; name: string };

/**
 * Finds the dependency that suppresses a failure of a site: one that is down takes precedence over one in
 * maintenance, and that over one that is not confirmed yet; of several the first. `before` is the id of the present
 * root cause: it stays while it is down, an address while nothing else is known of it.
 */
export function findSuppression(
  { site: { dependsOn }, addresses }: Pick<ProbeResult, "addresses"> & {
    site: Pick<Site, "dependsOn">;
  },
  parents: ReadonlyMap<string, ParentState>,
  before?: string,
): Suppression {
  const causes = dependsOn.flatMap((one): RootCause[] => {
    if ("slug" in one) return [parents.get(one.slug)?.down ?? []].flat();
    const { address } = one;
    const isReachable = addresses?.get(address);
    const isDown = isReachable === false || (before === address && isReachable === undefined);
    return isDown ? [{ id: address, name: address }] : [];
  });
  const cause = causes.find(({ id }) => id === before) ?? causes[0];
  if (cause !== undefined) return { kind: "down", cause };
  const others = selectSlugs(dependsOn).flatMap((slug) => parents.get(slug) ?? []);
  for (const { name, window } of others) {
    if (window !== undefined) return { kind: "maintenance", name, window };
  }
  const failing = others.find(({ isFailing }) => isFailing);
  return failing === undefined ? { kind: "none" } : { kind: "failing", name: failing.name };
}

/** The state of a site for those that depend on it; without a new result, its state before. */
export function toParentState({ probed, state, suppression, condition, window, incident }: {
  probed: ProbeResult;
  state: SiteState;
  suppression: Suppression;
  condition?: Condition;
  window?: SiteWindow;
  incident?: { id: string; cause?: string };
}): ParentState {
  const { name } = probed.site;
  const hasFailed = probed.state === "down";
  const isDown = state.state === "down" || (probed.state === "unknown" && condition === "down");
  const inherited = suppression.kind === "maintenance" ? suppression.window : undefined;
  const own = hasFailed && state.state === "maintenance" ? window ?? inherited : undefined;
  const root = incident?.cause !== undefined && suppression.kind === "down"
    ? suppression.cause.name
    : name;
  return {
    name,
    isFailing: hasFailed && state.state !== "down" && state.state !== "maintenance",
    ...isDown && incident !== undefined
      ? { down: { id: incident.cause ?? incident.id, name: root } }
      : {},
    ...own === undefined ? {} : { window: own },
  };
}

export function explainSuppression(state: SiteState, suppression: Suppression): SiteState {
  const { error } = state;
  if (error === undefined) return state;
  if (suppression.kind === "down" && (state.state === "down" || state.state === "degraded")) {
    return { ...state, error: `${error}; it depends on ${suppression.cause.name}, which is down` };
  }
  return suppression.kind === "maintenance" && state.state === "maintenance"
    ? { ...state, error: `${error}; it depends on ${suppression.name}, which is in maintenance` }
    : state;
}

/** Sorts results so that each comes after those of the sites that it depends on. */
export function sortParentsFirst(results: readonly ProbeResult[]): ProbeResult[] {
  const bySlug = new Map(results.map((result) => [result.site.slug, result]));
  const sorted = new Set<ProbeResult>();
  const entered = new Set<ProbeResult>();
  const add = (result: ProbeResult) => {
    if (entered.has(result)) return;
    entered.add(result);
    for (const slug of selectSlugs(result.site.dependsOn)) {
      const parent = bySlug.get(slug);
      if (parent !== undefined) add(parent);
    }
    sorted.add(result);
  };
  results.forEach(add);
  return [...sorted];
}

/** Milliseconds after which an address that can't be reached is tried once more. */
const DELAY = 2_000;

/** The addresses that sites depend on: each is checked once in a run, and not before it matters. */
export class AddressDependencies {
  readonly #reachable = new Map<string, Promise<boolean | undefined>>();

  constructor(
    readonly options: {
      clock: Clock;
      secrets: Secrets;
      /** True if a host and port can be connected to, which takes some seconds at most. */
      reaches(address: string): Promise<boolean>;
      deadline: AbortSignal;
    },
  ) {}

  /** Reachability of addresses, as configured; without those that could not be checked. */
  async check(addresses: readonly string[]): Promise<Map<string, boolean>> {
    const entries = await Promise.all(addresses.map(async (address) => {
      const known = this.#reachable.getOrInsertComputed(address, (one) => this.#isReachable(one));
      return [address, await known] as const;
    }));
    return new Map(
      entries.flatMap(([address, isThere]) => isThere === undefined ? [] : [[address, isThere]]),
    );
  }

  async #isReachable(address: string): Promise<boolean | undefined> {
    const { clock, secrets, reaches, deadline } = this.options;
    const { text, missing } = secrets.substitute(address);
    const { host, port } = hostAndPort(text);
    // A missing or wrong secret says nothing about the address.
    if (missing.length > 0 || host === "" || !isPort(port ?? "")) return undefined;
    const plain = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    if (await reaches(plain)) return true;
    await clock.wait(DELAY, deadline);
    if (deadline.aborted) return undefined;
    return await reaches(plain);
  }
}
