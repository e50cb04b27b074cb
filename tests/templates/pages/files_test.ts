import { assertEquals } from "@std/assert";
import { renderSitemap } from "../../../templates/pages/files.ts";

Deno.test("a map has no more than the 50,000 pages that search engines read", () => {
  const paths = Array.from({ length: 60_000 }, (_, index) => `history/site-${index}/index.html`);
  const map = renderSitemap("https://status.acme.example", paths);
  assertEquals(map.match(/<loc>/g)?.length, 50_000);
});
