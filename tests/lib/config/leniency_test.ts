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
