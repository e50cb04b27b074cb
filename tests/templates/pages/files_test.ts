import { assert, assertEquals } from "@std/assert";
import { renderSitemaps } from "../../../templates/pages/files.ts";

const PAGE = "https://status.acme.example";
const locations = (text: string) => [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, one]) => one);

Deno.test("the map of very many pages is an index of maps below 1 MB, which have each page once", () => {
  const paths = Array.from({ length: 20_000 }, (_, index) => `history/site-${index}/index.html`);
  const { "sitemap.xml": index, ...parts } = Object.fromEntries(renderSitemaps(PAGE, paths));
  assert(index!.includes("<sitemapindex "));
  assertEquals(Object.keys(parts), ["sitemap/1.xml", "sitemap/2.xml"]);
  assertEquals(locations(index!), Object.keys(parts).map((path) => `${PAGE}/${path}`));
  assert(Object.values(parts).every((text) => text.length < 1_000_000));
  assertEquals(
    Object.values(parts).flatMap(locations),
    paths.map((path) => `${PAGE}/${path.replace("index.html", "")}`),
  );
});
