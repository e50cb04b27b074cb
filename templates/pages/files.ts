import type { State } from "../../lib/state.ts";
import { SHAPES } from "./parts.tsx";
import { PICTURE_COLORS } from "./preview_svg.ts";
import { PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { escapeXml } from "../../lib/notifications/channels/escape.ts";

/** The icon of the page: the shape of a state in its color, for light and dark windows. */
export function renderFavicon(state: State): string {
  const { light, dark } = PICTURE_COLORS;
  const style = `path{fill:${light[state]}}@media(prefers-color-scheme:dark){path{fill:${
    dark[state]
  }}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>${style}</style>` +
    `<path fill-rule="evenodd" d="${SHAPES[state]}"/></svg>\n`;
}

export function renderRobots(
  { robotsText, address }: Pick<PageSettings, "robotsText" | "address">,
): string {
  if (robotsText !== undefined) return `${robotsText.trimEnd()}\n`;
  const map = address === undefined ? "" : `\nSitemap: ${address}/${PAGE_PATHS.sitemap}\n`;
  return `User-agent: *\nAllow: /\n${map}`;
}

/** Addresses that one map may have (sitemaps.org). */
const MOST = 50_000;

/**
 * The map of the page for robots, given its address and the paths of its files.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const map = renderSitemap("https://status.acme.example", ["index.html", "404.html", "history/größe/index.html"]);
 * assertEquals(map.match(/<loc>.*?<\/loc>/g), [
 *   "<loc>https://status.acme.example/</loc>",
 *   "<loc>https://status.acme.example/history/gr%C3%B6%C3%9Fe/</loc>",
 * ]);
 * ```
 */
export function renderSitemap(address: string, paths: readonly string[]): string {
  const addresses = paths.map((path) => toFileAddress(address, path)).filter((one) =>
    one.endsWith("/") && !/\/incident\/\d+\/$/.test(one)
  );
  const entries = addresses.slice(0, MOST)
    .map((one) => `  <url><loc>${escapeXml(one)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`;
}
