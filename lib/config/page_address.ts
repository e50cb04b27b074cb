import { SITES_FOLDER } from "./page_path.ts";
import type { Website } from "./page/page_keys.ts";

/**
 * The address of the status page, without a slash at its end, given that of the repository's page;
 * `undefined` where none is configured, or where only GitHub knows. Without a domain of its own a
 * page stands under the repository's name, which `baseUrl` then only repeats.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const repository = "https://github.com/Acme/status";
 * assertEquals(pageAddress({ cname: "status.acme.example" }, repository), "https://status.acme.example");
 * assertEquals(pageAddress({ cname: "acme.example", baseUrl: "/up/" }, repository), "https://acme.example/up");
 * assertEquals(pageAddress({ baseUrl: "/status" }, repository), "https://acme.github.io/status");
 * assertEquals(pageAddress({}, "https://github.com/acme/acme.github.io"), "https://acme.github.io");
 * assertEquals(pageAddress({}, "https://git.acme.example/acme/status"), undefined);
 * assertEquals(pageAddress(undefined, repository), undefined);
 * ```
 */
export function pageAddress(
  website: Pick<Website, "cname" | "baseUrl"> | undefined,
  repository: string | undefined,
): string | undefined {
  if (website === undefined) return undefined;
  const { cname } = website;
  const baseUrl = basePathOf(website, repository) ?? "";
  if (cname !== undefined) return address(cname, baseUrl);
  const [, owner, repo] = /^https:\/\/github\.com\/([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  if (owner === undefined || repo === undefined) return undefined;
  const host = `${owner}.github.io`;
  return address(host, repo.toLowerCase() === host.toLowerCase() ? "" : repo);
}

/**
 * The path that a configuration has for the page, with the repository's names in place; `undefined` if
 * it has none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(basePathOf({ baseUrl: "/$REPO" }, "https://github.com/acme/status"), "/status");
 * assertEquals(basePathOf({ baseUrl: "/up/$REPO" }, undefined), "/up");
 * ```
 */
export function basePathOf(
  { baseUrl }: Partial<Pick<Website, "baseUrl">>,
  repository: string | undefined,
): string | undefined {
  const [, owner = "", repo = ""] = /([^/]+)\/([^/]+)\/*$/.exec(repository ?? "") ?? [];
  return baseUrl?.replaceAll(/\$(OWNER|REPO)/g, (_, name) => name === "OWNER" ? owner : repo)
    .replace(/\/+/g, "/").replace(/\/$/, "");
}

/** The page of one site on the status page. */
export function pageOfSite(page: string, slug: string): string {
  return `${page}/${SITES_FOLDER}/${encodeURIComponent(slug.toWellFormed())}`;
}

function address(host: string, path: string): string | undefined {
  return URL.parse(`https://${host}/${path.replace(/^\/+/, "")}`)?.href.replace(/\/+$/, "");
}
