import type { Config } from "../config/config.ts";
import { findPageAddress, PAGE_PATHS, toFileAddress } from "../config/page_path.ts";

/** The files behind the addresses, by purpose, in the order in which they are listed. */
const PURPOSES = {
  page: PAGE_PATHS.overview,
  subscribe: PAGE_PATHS.subscribe,
  feed: PAGE_PATHS.atom,
  strip: PAGE_PATHS.embed,
  banner: PAGE_PATHS.banner,
} as const;

export type PageAddresses = Partial<Record<keyof typeof PURPOSES, string>>;

/**
 * Lists the addresses of the page and of what others use of it, given the repository's; empty without a page, or if
 * its address is not known.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const config = { skipGeneratingWebsite: false, pages: { subscribe: false }, "status-website": undefined };
 * assertEquals(listPageAddresses(config, "https://github.com/acme/status"), {
 *   page: "https://acme.github.io/status/",
 *   feed: "https://acme.github.io/status/feed.xml",
 *   strip: "https://acme.github.io/status/embed/",
 *   banner: "https://acme.github.io/status/embed.js",
 * });
 * assertEquals(listPageAddresses(config, undefined), {});
 * ```
 */
export function listPageAddresses(
  { skipGeneratingWebsite, pages, "status-website": website }:
    & Pick<Config, "skipGeneratingWebsite" | "status-website">
    & { pages: Pick<Config["pages"], "subscribe"> },
  repository: string | undefined,
): PageAddresses {
  const address = findPageAddress(website ?? {}, repository);
  if (skipGeneratingWebsite || address === undefined) return {};
  const wanted = Object.entries(PURPOSES)
    .filter(([purpose]) => purpose !== "subscribe" || pages.subscribe);
  return Object.fromEntries(
    wanted.map(([purpose, path]) => [purpose, toFileAddress(address, path)]),
  );
}
