import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { byteLength, SLUG_BYTES, slugOf } from "../../../lib/config/slug.ts";

/** The slugs of sites with the keys given, and how much is said of them. */
async function slugs(...sites: Record<string, string>[]): Promise<[string[], number]> {
  const named = sites.map((site) => ({ url: "https://example.com", ...site }));
  const { config, problems } = await parseConfig(JSON.stringify({ sites: named }));
  return [config!.sites.map(({ slug }) => slug), problems.length];
}

Deno.test("a slug is the name in small letters, with hyphens for blanks and for what a path or URL could misread", () => {
  const cases: Readonly<Record<string, string>> = {
    "Google": "google",
    "My  Site": "my-site",
    " blanks \t\u00a0": "blanks",
    "Two\nlines": "two-lines",
    "../../etc/passwd": "-..-etc-passwd",
    ".hidden": "hidden",
    "...": "",
    'a/b\\c:d*e?f"g<h>i|j#k%l&m': "a-b-c-d-e-f-g-h-i-j-k-l-m",
    "\u202egnp.exe\u0000": "-gnp.exe-",
    "E\u0301lan": "élan",
    "日本語 サイト": "日本語-サイト",
    "한국어": "한국어",
    "🚀": "🚀",
    "ДОМ": "дом",
    "v1.2 (EU)": "v1.2-eu",
    "(EU) [Shop](x){y}": "eu-shop-x-y",
    "上海（备用）": "上海-备用",
    "(.)": "",
    "a - b": "a---b",
    "--help": "--help",
  };
  for (const [name, slug] of Object.entries(cases)) assertEquals(slugOf(name), slug, name);
});

Deno.test("a slug made from a slug is the same", () => {
  for (const name of ["../A b", "İstanbul", "ǅ", "a\u200bb", "ﬀ", ". .a", "a."]) {
    assertEquals(slugOf(slugOf(name)), slugOf(name), name);
  }
});

Deno.test("a name whose slug is empty or too long for a file is reported, and another is used", async () => {
  const long = "é".repeat(SLUG_BYTES / 2);
  assertEquals(byteLength(slugOf(long)), SLUG_BYTES);
  assertEquals(await slugs({ name: long }), [[long], 0]);
  assertEquals(await slugs({ name: `${long}x` }, { name: ".." }), [[long, "example.com"], 2]);
  const given = [{ name: `${long}x`, slug: "long" }, { name: "..", slug: "dots" }];
  assertEquals(await slugs(...given), [["long", "dots"], 0]);
});

Deno.test("a slug that is given must be one, else it is made from the name", async () => {
  for (const slug of ["a/b", "a b", ".a", "..", "a\u202eb", "x".repeat(SLUG_BYTES + 1), "%0a"]) {
    const [read, problems] = await slugs({ name: "A", slug });
    assertEquals([read, problems], [["a"], 1], slug);
  }
});

Deno.test("sites of one slug are all monitored, each under a name of its own, and a warning says so", async () => {
  assertEquals(await slugs({ name: "A" }, { name: "a " }, { name: "A" }), [["a", "a-2", "a-3"], 2]);
  assertEquals(await slugs({ name: "B", slug: "a" }, { name: "A" }), [["a", "a-2"], 1]);
  assertEquals(await slugs({ name: "A" }, { name: "B", slug: "A" }), [["a", "A-2"], 1]);
  const [read] = await slugs({ name: "A 2" }, { name: "A" }, { name: "A" }, { name: "A 2" });
  assertEquals(new Set(read).size, 4);
  assert(read.includes("a") && read.includes("a-2"));
});
