/** A dependency of a site: another site, or an address that accepts connections, as configured. */
export type Dependency = { slug: string } | { address: string };

/** Slugs of the sites among some dependencies, in their order. */
export function sitesAmong(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "slug" in one ? [one.slug] : []);
}

/** Addresses among some dependencies, in their order. */
export function addressesAmong(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "address" in one ? [one.address] : []);
}

/** Dependencies of each site, by its slug. */
type DependencyGraph = ReadonlyMap<string, readonly Dependency[]>;

/** These sites and all that they depend on, directly or not. */
export function reachedFrom(slugs: readonly string[], graph: DependencyGraph): Set<string> {
  const reached = new Set(slugs);
  for (const slug of reached) {
    for (const next of sitesAmong(graph.get(slug) ?? [])) reached.add(next);
  }
  return reached;
}

/**
 * The sites on a path of dependencies from one to another, with both ends; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const graph = new Map([["shop", [{ address: "a:1" }, { slug: "proxy" }]], ["proxy", [{ slug: "router" }]]]);
 * assertEquals(wayBetween("shop", "router", graph), ["shop", "proxy", "router"]);
 * assertEquals(wayBetween("router", "shop", graph), undefined);
 * ```
 */
export function wayBetween(
  from: string,
  to: string,
  graph: DependencyGraph,
): string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const slug of before.keys()) {
    for (const next of sitesAmong(graph.get(slug) ?? [])) {
      if (!before.has(next)) before.set(next, slug);
    }
  }
  if (!before.has(to)) return undefined;
  const way: string[] = [];
  for (let slug: string | undefined = to; slug !== undefined; slug = before.get(slug)) {
    way.unshift(slug);
  }
  return way;
}
