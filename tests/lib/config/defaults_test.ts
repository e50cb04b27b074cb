import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";

Deno.test("a valid configuration has no problems and every default", async () => {
  const { config, problems } = await parseConfig(
    "sites:\n  - name: Shop\n    url: https://example.com\n",
  );
  assertEquals(problems, []);
  const { sites: [site], ...top } = config!;
  const { target: _, ...keys } = site!;
  assertEquals(keys, {
    name: "Shop",
    slug: "shop",
    url: "https://example.com",
    check: "http",
    method: undefined,
    interval: 60_000,
    maxResponseTime: 30_000,
    connectTimeout: 10_000,
    requestTimeout: 40_000,
    retry: { delays: [5_000, 25_000], jitter: 0.2 },
    failureThreshold: 1,
    successThreshold: 2,
    recheckDelay: 5_000,
    degradedRuns: [2, 3],
    degradedLeave: 0.8,
    unknownAfter: 6,
    flapThreshold: 0.5,
    reopenWithin: 900_000,
    tags: [],
    severity: "critical",
    assignees: [],
    notifications: [],
    dependsOn: [],
    secrets: [],
    nearMisses: [],
    possibleSecrets: [],
    paused: false,
    public: true,
    isExternal: false,
    hideUrl: false,
    inverted: false,
    keepBody: false,
    warnAt: [30, 14, 7, 3, 1],
    apdex: 500,
    locations: [],
    quorum: 1,
    partial: "degraded",
  });
  assertEquals([top.locations, top.shards], [[], 1]);
  assertEquals([top.concurrency, top.runDeadline], [64, 240_000]);
  assertEquals([top.issues, top.lockIssues, top.assignees], [true, true, []]);
  assertEquals([top.commitPrefixStatusUp, top.commitPrefixStatusDown], ["🟩", "🟥"]);
});

Deno.test("a top-level key applies to all sites, and a site may override it", async () => {
  const { config, problems } = await parseConfig(`maxResponseTime: 2s
retry: { delays: [0.05, 1m], jitter: 0 }
connectTimeout: null
sites:
  - { name: A, url: "https://example.com" }
  - { name: B, url: "https://example.com", maxResponseTime: 100, retry: { delays: [] } }
`);
  assertEquals(problems, []);
  const read = config!.sites.map(({ maxResponseTime, connectTimeout, retry }) => [
    maxResponseTime,
    connectTimeout,
    retry,
  ]);
  assertEquals(read, [
    [2_000, 10_000, { delays: [50, 60_000], jitter: 0 }],
    [100, 10_000, { delays: [], jitter: 0 }],
  ]);
});

Deno.test("defaults: hold any key of a site; they win over the top level, and the site itself over both", async () => {
  const { config, problems } = await parseConfig(`defaults:
  method: head
  maxRedirects: 5
  connectTimeout: 3
  retry: { jitter: 0.5 }
connectTimeout: 2
sites:
  - { name: A, url: "https://example.com" }
  - { name: B, url: "https://example.com", method: GET, connectTimeout: 1, retry: { delays: [1] } }
`);
  assertEquals(problems, []);
  const read = config!.sites.map(({ method, connectTimeout, retry }) => [
    method,
    connectTimeout,
    retry,
  ]);
  assertEquals(read, [
    ["HEAD", 3_000, { delays: [5_000, 25_000], jitter: 0.5 }],
    ["GET", 1_000, { delays: [1_000], jitter: 0.5 }],
  ]);
});
