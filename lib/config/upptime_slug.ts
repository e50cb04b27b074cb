import slugify from "@sindresorhus/slugify";

/**
 * The slug that Upptime gives a site: words of Latin letters and digits, with a hyphen where capitals
 * start a word. Empty for names of which nothing can be written in these, such as Chinese ones.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(upptimeSlug("My Site (EU) 🎉"), "my-site-eu");
 * assertEquals([upptimeSlug("POP3"), upptimeSlug("cURC XdMoD")], ["pop-3", "c-urc-xd-mo-d"]);
 * assertEquals(upptimeSlug("鸭鸭梨"), "");
 * ```
 */
export function upptimeSlug(name: string): string {
  return slugify(name);
}
