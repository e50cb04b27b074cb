import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { groupPages } from "../../templates/pages/groups.tsx";
import { eachPage } from "../../templates/pages/mod.ts";
import { overview } from "../../templates/pages/overview.tsx";
import { elementsOf } from "../helpers/html.ts";
import { pageView, sitesUp } from "../helpers/page_views.ts";

Deno.test("5,000 sites in 20 groups are in an overview of less than 2 MB, and each in the page of its group", async () => {
  const all = await sitesUp(
    ...Array.from({ length: 5000 }, (_, index) => ({
      name: `Site ${index + 1}`,
      group: `Group ${index % 20 + 1}`,
    })),
  );
  const sites = all.map((one, index): SiteReport =>
    index % 100 === 0 ? { ...one, condition: "down" } : one
  );
  const pages = new Map(eachPage(pageView(sites), [overview, groupPages]));
  assertEquals(pages.size, 21);
  for (const [path, html] of pages) {
    const rows = elementsOf(html, ".site").map(({ attribs }) => attribs["data-slug"]);
    assertEquals(rows.length, path === "index.html" ? 5000 : 250, path);
    const sizes = [html.length, gzipSync(html).length];
    assert(sizes[0]! < 2_000_000 && sizes[1]! < 60_000, `${path}: ${sizes}`);
  }
});
