import { assertEquals } from "@std/assert";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import {
  formatResults,
  isResultsFile,
  parseResults,
  resultsFile,
  toProbeResult,
} from "../../../lib/history/location_results.ts";
import { configOf } from "../../helpers/sites.ts";
import fc, { anyText } from "../../helpers/property.ts";

const { sites } = await configOf([
  { name: "Shop", url: "https://shop.example" },
  { name: "Blog", url: "https://blog.example" },
]);
const [shop, blog] = sites as [typeof sites[0], typeof sites[0]];
const NOW = Temporal.Instant.from("2026-11-23T10:05:00.250Z");
const HEAD = { location: "sao-paulo", run: "9f3c01ab", time: NOW };

const RESULTS: ProbeResult[] = [
  {
    site: shop,
    state: "down",
    code: 503,
    attempts: 3,
    error: 'expected 200, got 503: "busy"\nagain',
    unreached: true,
    began: NOW.subtract({ seconds: 40 }),
    confirmed: NOW,
    body: "Sorry,\nwe are busy",
    addresses: new Map([["db:5432", false]]),
    restUntil: NOW.add({ minutes: 2 }),
  },
  {
    site: blog,
    state: "up",
    code: 200,
    responseTime: 141.5,
    phases: { dns: 1, connect: 2.5, tls: 3, ttfb: 4, download: 5 },
    attempts: 1,
    began: NOW,
    confirmed: NOW,
    certificate: NOW.add({ hours: 900 }),
  },
];

Deno.test("results are read as they were written", () => {
  const shard = { number: 2, of: 10 };
  const sent = parseResults(formatResults({ ...HEAD, shard }, RESULTS))!;
  assertEquals({ ...sent, results: [] }, { ...HEAD, shard, results: [] });
  const read = sent.results.map((one, index) => {
    const values = Object.entries(toProbeResult(one, sites[index]!)!);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  });
  const [first, second] = RESULTS as [ProbeResult, ProbeResult];
  assertEquals(read, [{ ...first, error: 'expected 200, got 503: "busy" again' }, second]);
});

Deno.test("results of a site that is checked otherwise by now are not used", () => {
  const { results: [first] } = parseResults(formatResults(HEAD, RESULTS))!;
  assertEquals(toProbeResult(first!, { ...shop, url: "https://new.example" }), undefined);
  assertEquals(toProbeResult(first!, { ...shop, check: "tcp-ping" }), undefined);
});

Deno.test("a bad entry or value is left out alone, and no text causes an exception", () => {
  const text = formatResults(HEAD, RESULTS);
  const bad = text.replace('"ms":141.5', '"ms":"fast"').replace('"code":503', '"code":"no"');
  const [only, ...others] = parseResults(bad)!.results;
  assertEquals([only!.slug, only!.ms, others.length], ["blog", undefined, 0]);
  for (const code of ["-1", "1e308"]) {
    const { results } = parseResults(text.replace('"code":503', `"code":${code}`))!;
    assertEquals(results.map(({ slug }) => slug), ["blog"]);
  }
  assertEquals(parseResults(text.replace("141.5", "-1"))!.results[1]!.ms, undefined);
  for (let length = 0; length < text.length - 2; length += 7) {
    assertEquals(parseResults(text.slice(0, length)), undefined);
  }
  assertEquals(parseResults(text.replace('"version":1', '"version":2')), undefined);
  assertEquals(parseResults(text.replace("sao-paulo", "../x")), undefined);
  fc.assert(fc.property(anyText(), (any) => assertEquals(parseResults(any), undefined)));
});

Deno.test("of many entries only those of wanted sites are read", () => {
  const text = formatResults(HEAD, RESULTS);
  const { results: [shop] } = JSON.parse(text.replace('"sites"', '"results"'));
  const entries = Array.from({ length: 100_000 }, (_, index) => `{"slug":"s${index % 9}"}`);
  const huge = text.replace(
    "[",
    `[${entries.join(",")},${JSON.stringify({ ...shop, slug: "s1" })},`,
  );
  const { results } = parseResults(huge, new Set(["s1", "blog"]))!;
  assertEquals(results.map(({ slug }) => slug), ["s1", "blog"]);
});

Deno.test("files of results are recognized by their names", () => {
  const name = resultsFile({ location: "sao-paulo", shard: { number: 2, of: 10 } });
  assertEquals(name, "results-sao-paulo-2-of-10.json");
  assertEquals([name, "results.txt", "package.json"].map(isResultsFile), [true, false, false]);
});
