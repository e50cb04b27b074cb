/** What a site needs to be up: another site, or an address that takes connections, as configured. */
export type Dependency = { slug: string } | { address: string };

/** Slugs of the sites among some dependencies, in their order. */
export function sitesAmong(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "slug" in one ? [one.slug] : []);
}

/** Addresses among some dependencies, in their order. */
export function addressesAmong(dependencies: readonly Dependency[]): string[] {
  return dependencies.flatMap((one) => "address" in one ? [one.address] : []);
}
