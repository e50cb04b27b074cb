import type { Need } from "./config.ts";

/**
 * The sites on a way from one to another along what each depends on, with both ends; `undefined` where
 * there is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const needs = new Map([["shop", [{ address: "a:1" }, { slug: "proxy" }]], ["proxy", [{ slug: "router" }]]]);
 * assertEquals(wayBetween("shop", "router", needs), ["shop", "proxy", "router"]);
 * assertEquals(wayBetween("router", "shop", needs), undefined);
 * ```
 */
export function wayBetween(
  from: string,
  to: string,
  needs: ReadonlyMap<string, readonly Need[]>,
): string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const slug of before.keys()) {
    for (const need of needs.get(slug) ?? []) {
      if ("slug" in need && !before.has(need.slug)) before.set(need.slug, slug);
    }
  }
  if (!before.has(to)) return undefined;
  const way: string[] = [];
  for (let slug: string | undefined = to; slug !== undefined; slug = before.get(slug)) {
    way.unshift(slug);
  }
  return way;
}
