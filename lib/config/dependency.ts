/** A dependency of a site: another site, or an address that accepts connections, as configured. */
export type Dependency = { slug: string } | { address: string };

export function selectSlugs(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "slug" in one ? [one.slug] : []);
}

export function selectAddresses(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "address" in one ? [one.address] : []);
}

/** These sites and all that they depend on, directly or not; `graph` has the dependencies of each by its slug. */
export function findReachable(
  slugs: readonly string[],
  graph: ReadonlyMap<string, readonly Dependency[]>,
): Set<string> {
  const reached = new Set(slugs);
  for (const slug of reached) {
    for (const next of selectSlugs(graph.get(slug) ?? [])) reached.add(next);
  }
  return reached;
}
