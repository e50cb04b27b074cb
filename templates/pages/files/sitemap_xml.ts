import { addressAt } from "../../../lib/config/page_path.ts";
import { xmlText } from "../../xml_text.ts";

/** Addresses that one map may have (sitemaps.org). */
const MOST = 50_000;

/**
 * The map of the page for robots, given its address and the paths of its files.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const map = sitemapXml("https://status.acme.example", ["index.html", "404.html", "history/größe/index.html"]);
 * assertEquals(map.match(/<loc>.*?<\/loc>/g), [
 *   "<loc>https://status.acme.example/</loc>",
 *   "<loc>https://status.acme.example/history/gr%C3%B6%C3%9Fe/</loc>",
 * ]);
 * ```
 */
export function sitemapXml(address: string, paths: readonly string[]): string {
  const addresses = paths.map((path) => addressAt(address, path)).filter((one) =>
    one.endsWith("/")
  );
  const entries = addresses.slice(0, MOST)
    .map((one) => `  <url><loc>${xmlText(one)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`;
}
