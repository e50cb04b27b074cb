import { assertEquals } from "@std/assert";
import { filesOf, pagesOf, textOf } from "../../helpers/page_files.ts";
import { readPage } from "../../helpers/page_links.ts";
import { WORLD_NAMES, worldView } from "../../helpers/page_worlds.ts";

for (const name of WORLD_NAMES.filter((one) => !one.startsWith("200 sites"))) {
  Deno.test(`links on the pages of "${name}" lead somewhere, at the top and under a path`, async () => {
    const files = filesOf(await worldView(name));
    const pages = new Map(pagesOf(files).map((path) => [path, readPage(textOf(files, path))]));
    const faults = new Set<string>();
    for (const [path, { links, ids }] of pages) {
      const kind = `${path}: `;
      if (new Set(ids).size < ids.length) faults.add(`${kind}a duplicate id`);
      for (const { tag, address } of links) {
        const fault = (what: string) => faults.add(`${kind}${what} ${address.slice(0, 100)}`);
        if (/^data:image\//.test(address) && tag !== "a") continue;
        if (/^[a-z][a-z\d+.-]*:/i.test(address)) {
          if (!/^(?:https?:\/\/|mailto:)/.test(address)) fault("may be executed:");
          continue;
        }
        if (address.startsWith("/") && path !== "404.html") fault("absolute:");
        for (const top of ["https://status.example/", "https://status.example/status/"]) {
          const { href, hash } = new URL(address, `${top}${path}`);
          const target = decodeURIComponent(href.slice(top.length).replace(/[?#].*$/, ""));
          const found = target === "" ? "index.html" : target;
          if (!href.startsWith(top) || !files.has(found)) fault("leads nowhere:");
          else if (
            hash !== "" && !pages.get(found)?.ids.includes(decodeURIComponent(hash.slice(1)))
          ) {
            fault("no such place:");
          }
        }
      }
    }
    assertEquals([...faults].slice(0, 20), []);
  });
}

Deno.test("links in people's texts have rel attributes that withhold endorsement", async () => {
  const faults: string[] = [];
  for (const name of ["partial outage", "past", "maintenance"] as const) {
    const files = filesOf(await worldView(name));
    for (const path of pagesOf(files)) {
      for (const { address, rel } of readPage(textOf(files, path)).links) {
        // The address in the timelines of these worlds.
        if (address !== "https://example.com/" || !path.startsWith("incident/")) continue;
        const words = rel.split(" ");
        const missing = ["nofollow", "ugc", "noopener", "noreferrer"].filter((one) =>
          !words.includes(one)
        );
        if (missing.length > 0) faults.push(`${path}: ${missing}`);
      }
    }
  }
  assertEquals(faults, []);
});
