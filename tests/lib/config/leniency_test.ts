import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";

Deno.test("lenient YAML is accepted: byte order marks, CRLF, numbers as names, anchors and merge keys", async () => {
  const text = `\ufeffx-base: &base
  maxRedirects: 0
  method: HEAD
sites:
  - <<: *base
    name: 123
    url: https://example.com
    method: GET
  - <<: [*base, { check: http }]
    name: B
    url: https://example.com
`.replaceAll("\n", "\r\n");
  const { config, problems } = await parseConfig(text);
  assertEquals(problems, []);
  assertEquals(config!.sites.map(({ name, slug, method }) => [name, slug, method]), [
    ["123", "123", "GET"],
    ["B", "b", "HEAD"],
  ]);
});

Deno.test("CSS between quotes over several lines is a text like any other", async () => {
  for (const css of ["\na { b: c }\n  ", "\n   :root {\n  --a: #fff;\n  color: red;\n  }\n  "]) {
    const text =
      `sites: [{ name: A, url: https://a.example }]\nstatus-website:\n    css: "${css}"\n`;
    assertEquals((await parseConfig(text)).problems, [], css);
  }
});

Deno.test("status codes in quotes are numbers, as Upptime reads them", async () => {
  const site = { name: "A", url: "https://example.com", expectedStatusCodes: ["401", 200, "0"] };
  const { config, problems } = await parseConfig(JSON.stringify({ sites: [site] }));
  assertEquals(problems, []);
  const { target } = config!.sites[0]!;
  assertEquals("expectedStatusCodes" in target && target.expectedStatusCodes, [401, 200, 0]);
});

Deno.test("a configured slug is never given to another site", async () => {
  const sites = [{ name: "Shop" }, { name: "Shop" }, { name: "Other", slug: "shop-2" }, {
    name: "SHOP",
  }];
  const text = JSON.stringify({
    sites: sites.map((site) => ({ ...site, url: "https://example.com" })),
  });
  const { config, problems } = await parseConfig(text);
  assertEquals(config!.sites.map(({ slug }) => slug), ["shop", "shop-3", "shop-2", "shop-4"]);
  assertEquals(problems.map(({ path }) => path), [["sites", 1, "name"], ["sites", 3, "name"]]);
});

Deno.test("one invalid key of a site hides no other problem", async () => {
  const site = { url: "hhttps://x", method: "x y", clientKey: "k", maxRedirects: -1 };
  const { problems } = await parseConfig(JSON.stringify({ sites: [site] }));
  assertEquals(problems.map(({ path }) => path.at(-1)).sort(), [
    "maxRedirects",
    "method",
    "name",
    "url",
  ]);
  const keyed = { ...site, url: "https://x" };
  const result = await parseConfig(JSON.stringify({ sites: [keyed] }));
  assertEquals(result.problems.map(({ path }) => path.at(-1)).sort(), [
    "clientKey",
    "maxRedirects",
    "method",
    "name",
  ]);
});

Deno.test("a site without a usable url is left out, and one with another invalid key is monitored", async () => {
  const sites = Array.from({ length: 20 }, (_, index) => ({
    name: `Site ${index}`,
    url: "https://example.com",
  }));
  const lost: unknown[] = [null, 7, [], {}, { name: "X" }, { ...sites[3], url: 7 }];
  const kept: unknown[] = [{ ...sites[3], maxRedirects: "x" }, { url: "https://example.com" }];
  for (const wrong of [...lost, ...kept]) {
    const text = JSON.stringify({ sites: sites.with(3, wrong as typeof sites[0]) });
    const { config, problems } = await parseConfig(text);
    assertEquals(config!.sites.length, lost.includes(wrong) ? 19 : 20);
    assertEquals(problems.every(({ path }) => path[0] === "sites" && path[1] === 3), true);
  }
});
