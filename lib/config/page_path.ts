import type { Website } from "./page/page_keys.ts";

export const PAGE_PATHS = {
  overview: "index.html",
  incidents: "incidents/index.html",
  maintenance: "maintenance/index.html",
  about: "about/index.html",
  subscribe: "subscribe/index.html",
  embed: "embed/index.html",
  notFound: "404.html",
  style: "style.css",
  details: "details.css",
  script: "script.js",
  detailsScript: "details.js",
  moreScript: "more.js",
  embedStyle: "embed/style.css",
  embedScript: "embed/script.js",
  banner: "embed.js",
  bannerState: "embed.json",
  icon: "favicon.svg",
  preview: "preview.png",
  summary: "summary.json",
  build: "build.json",
  sitemap: "sitemap.xml",
  robots: "robots.txt",
  domain: "CNAME",
  atom: "feed.xml",
  rss: "rss.xml",
  jsonFeed: "feed.json",
  calendar: "maintenance.ics",
  feedState: "feed-state.json",
  noJekyll: ".nojekyll",
  serviceWorker: "service-worker.js",
} as const;

export const PAGES_BRANCH = "gh-pages";

export const EXPORT_FOLDER = "site/status-page/export";

/** The folder of the pages of single sites, as in Upptime's addresses. */
const SITES_FOLDER = "history";

export function sitePagePath(slug: string): string {
  return `${SITES_FOLDER}/${slug}/index.html`;
}

export function incidentPagePath(id: string): string {
  return `incident/${id}/index.html`;
}

export function monthPagePath(month: string): string {
  return `incidents/${month}/index.html`;
}

export function groupPagePath(slug: string): string {
  return `group/${slug}/index.html`;
}

export function maintenanceMonthPath(month: string): string {
  return `maintenance/${month}/index.html`;
}

/** The calendar of one planned window, given its id. */
export function windowCalendarPath(id: string): string {
  return `maintenance/${id}.ics`;
}

/**
 * The path of a file in the folder of a page.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(besidePage(sitePagePath("shop"), PAGE_PATHS.atom), "history/shop/feed.xml");
 * assertEquals(besidePage(PAGE_PATHS.overview, PAGE_PATHS.atom), "feed.xml");
 * ```
 */
export function besidePage(page: string, file: string): string {
  return page.slice(0, page.lastIndexOf("/") + 1) + file;
}

/**
 * The relative address of a file of the page in another one: it works at the top of a domain, under any path
 * and from a disk.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toRelativeLink("history/shop/index.html", "style.css"), "../../style.css");
 * assertEquals(toRelativeLink("index.html", sitePagePath("größe")), "history/gr%C3%B6%C3%9Fe/index.html");
 * ```
 */
export function toRelativeLink(page: string, target: string): string {
  let shared = 0;
  for (let at = 0; at < page.length && page[at] === target[at]; at++) {
    if (page[at] === "/") shared = at + 1;
  }
  let up = "";
  for (let at = page.indexOf("/", shared); at !== -1; at = page.indexOf("/", at + 1)) up += "../";
  const down = target.slice(shared);
  return up +
    (PLAIN.test(down) ? down : encodeURIComponent(down.toWellFormed()).replaceAll("%2F", "/"));
}

/** Characters that need no encoding; nearly all paths have no others. */
const PLAIN = /^[\w./-]*$/;

/**
 * The absolute address of a file of the status page, given that of the page; `index.html` is left out.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(toFileAddress("https://status.example/up", "about/index.html"), "https://status.example/up/about/");
 * ```
 */
export function toFileAddress(address: string, path: string): string {
  return `${address}/${toRelativeLink(PAGE_PATHS.overview, path)}`.replace(
    /(?<=\/)index\.html$/,
    "",
  );
}

/** Returns the address of a file of the status page as one page refers to it. */
export type Link = (target: string) => string;

/**
 * The links of a page: {@linkcode toRelativeLink}, except for the page that GitHub shows for unknown addresses. Its
 * links start with `base`, the path of the status page, which ends in a slash.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(createLink("404.html", "/status/")("history/größe/index.html"), "/status/history/gr%C3%B6%C3%9Fe/index.html");
 * assertEquals(createLink("about/index.html", "/status/")("index.html"), "../index.html");
 * ```
 */
export function createLink(page: string, base?: string): Link {
  const isAnywhere = page === PAGE_PATHS.notFound && base !== undefined;
  return (target) => `${isAnywhere ? base : ""}${toRelativeLink(page, target)}`;
}

/**
 * The address of the status page without a final slash, given that of the repository; `undefined` if none is
 * configured, or if only GitHub knows it. Without a custom domain, the page is under the repository's name,
 * which `baseUrl` then only repeats.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const repository = "https://github.com/Acme/status";
 * assertEquals(findPageAddress({ cname: "status.acme.example" }, repository), "https://status.acme.example");
 * assertEquals(findPageAddress({ cname: "acme.example", baseUrl: "/up/" }, repository), "https://acme.example/up");
 * assertEquals(findPageAddress({ baseUrl: "/status" }, repository), "https://acme.github.io/status");
 * assertEquals(findPageAddress({}, "https://github.com/acme/acme.github.io"), "https://acme.github.io");
 * assertEquals(findPageAddress({}, "https://git.acme.example/acme/status"), undefined);
 * assertEquals(findPageAddress(undefined, repository), undefined);
 * ```
 */
export function findPageAddress(
  website: Pick<Website, "cname" | "baseUrl"> | undefined,
  repository: string | undefined,
): string | undefined {
  if (website === undefined) return undefined;
  const { cname } = website;
  const baseUrl = findBasePath(website, repository) ?? "";
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
 * assertEquals(findBasePath({ baseUrl: "/$REPO" }, "https://github.com/acme/status"), "/status");
 * assertEquals(findBasePath({ baseUrl: "/up/$REPO" }, undefined), "/up");
 * ```
 */
export function findBasePath(
  { baseUrl }: Partial<Pick<Website, "baseUrl">>,
  repository: string | undefined,
): string | undefined {
  const [, owner = "", repo = ""] = /([^/]+)\/([^/]+)\/*$/.exec(repository ?? "") ?? [];
  return baseUrl?.replaceAll(/\$(OWNER|REPO)/g, (_, name) => name === "OWNER" ? owner : repo)
    .replace(/\/+/g, "/").replace(/\/$/, "");
}

export function toSitePageAddress(page: string, slug: string): string {
  return `${page}/${SITES_FOLDER}/${encodeURIComponent(slug.toWellFormed())}`;
}

function address(host: string, path: string): string | undefined {
  return URL.parse(`https://${host}/${path.replace(/^\/+/, "")}`)?.href.replace(/\/+$/, "");
}
