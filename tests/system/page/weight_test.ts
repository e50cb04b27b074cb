import { assert } from "@std/assert";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { PAGE_PATHS, sitePagePath } from "../../../lib/config/page_path.ts";
import { builtFiles } from "../../../commands/page/page_files.ts";
import { allElements } from "../../helpers/html.ts";
import { filesOf, textOf } from "../../helpers/page_files.ts";
import { viewOf } from "../../helpers/page_world.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import type { View } from "../../../templates/pages/view.ts";

const { overview, style, script, icon } = PAGE_PATHS;

/** The other files, which are the same for all pages. */
const COMMON = filesOf(await worldView("nothing"));

/** The files that a visitor of the overview loads, in bytes. */
function weightOf(view: View) {
  const files = new Map([...COMMON, ...builtFiles(view, { others: [], redact: String })]);
  const parts = [overview, style, script, icon].map((path) => ({
    path,
    bytes: new TextEncoder().encode(textOf(files, path)),
  }));
  const gzipped = parts.map(({ bytes }) => gzipSync(bytes, { level: 9 }).length);
  const brotli = parts.map(({ bytes }) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
  );
  const sum = (sizes: number[]) => sizes.reduce((all, size) => all + size, 0);
  const lines = parts.map(({ path, bytes }, index) =>
    `${path} ${bytes.length} B, gzip ${gzipped[index]} B, brotli ${brotli[index]} B`
  );
  return {
    gzip: sum(gzipped),
    text: [`in all gzip ${sum(gzipped)} B, brotli ${sum(brotli)} B`, ...lines].join("\n"),
  };
}

for (
  const [name, most] of [
    ["20 sites", 14_000],
    ["20 sites in trouble", 16_000],
    ["200 sites", 30_000],
  ] as const
) {
  Deno.test(`the overview of ${name} weighs at most ${most} bytes with all that it loads, compressed`, async () => {
    const { gzip, text } = weightOf(await worldView(name));
    assert(gzip <= most, text);
  });
}

Deno.test("the overview of 200 sites has at most 230 kB of HTML and 6,000 elements", async () => {
  const files = new Map(builtFiles(await worldView("200 sites"), { others: [], redact: String }));
  const html = textOf(files, overview);
  assert(html.length <= 230_000, `${html.length} B`);
  const nodes = allElements(html).length;
  assert(nodes <= 6000, `${nodes} elements`);
});

Deno.test("the script takes at most 4,500 bytes as it is sent, compressed", () => {
  const { length } = gzipSync(textOf(COMMON, script), { level: 9 });
  assert(length <= 4500, `${length} B`);
});

/** The page of the first site of a world, in bytes of HTML. */
function sizeOfSite(view: View, slug: string): { raw: number; gzip: number } {
  const files = new Map(builtFiles(view, { others: [], redact: String }));
  const html = new TextEncoder().encode(textOf(files, sitePagePath(slug)));
  return { raw: html.length, gzip: gzipSync(html, { level: 9 }).length };
}

Deno.test("the page of a site weighs at most 16,000 bytes of HTML, compressed", async () => {
  for (const [name, slug] of [["busy weeks", "cards"], ["locations", "api"]] as const) {
    const { gzip } = sizeOfSite(await worldView(name), slug);
    assert(gzip <= 16_000, `${slug}: ${gzip} B`);
  }
});

Deno.test("the page of a site with 200 outages in a year is smaller than 400 kB", async () => {
  const troubles = Array.from({ length: 200 }, (_, index) => ({
    ...{ hoursAgo: 3 + 43 * index, minutes: 3 + 7 * index % 90, issue: index + 1 },
    error: "expected status 200-399, found 503 Service Unavailable",
  }));
  const past = { days: 365, troubles };
  const keys = { name: "Shop", url: "https://shop.example/", slo: 99.9 };
  const { raw } = sizeOfSite(await viewOf({ sites: [{ keys, past }] }), "shop");
  assert(raw < 400_000, `${raw} B`);
});
