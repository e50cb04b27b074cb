import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { CheckSettings } from "../../../lib/config/checks/mod.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { evaluateSummary } from "../../../lib/checks/monitor.ts";
import { httpServer } from "../../helpers/servers.ts";
import { type Keys, observe } from "../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-23T12:00:00Z");
const HOUR_AGO = "2026-11-23T11:00:00.000Z";

/** An entry of a summary of ours. */
const entry = (name: string, others: object = {}) => ({
  ...{ name, url: "", icon: "", slug: name.toLowerCase(), status: "up", uptime: "100.00%" },
  ...{ dailyMinutesDown: {}, state: "up", lastUpdated: HOUR_AGO, ...others },
});

/** An entry as Upptime writes it. */
const upptime = (status: string) => ({
  ...{ name: "Shop", url: "https://shop.example", icon: "", slug: "shop", status },
  ...{ uptime: "99.98%", time: 120, dailyMinutesDown: {} },
});

/** A monitor whose summary is the given answer, and what it was asked with. */
function monitorOf(answer: (path: string) => Response | Promise<Response>) {
  const asked: Headers[] = [];
  const server = httpServer(({ url, headers }) => {
    asked.push(headers);
    return answer(new URL(url).pathname);
  });
  return { ...server, asked };
}

/** The state of a monitor with such a summary, and the reason. */
async function look(answer: unknown, keys: Keys = {}): Promise<string> {
  const respond = () =>
    answer instanceof Response
      ? answer
      : new Response(typeof answer === "string" ? answer : JSON.stringify(answer));
  await using server = monitorOf(respond);
  const url = `${server.url}/summary.json`;
  const found = await observe({ check: "monitor", url, ...keys }, { now: NOW, detailed: true });
  const { failure, degradation } = found;
  if (failure !== undefined) return `${failure.kind}: ${failure.reason}`;
  return degradation === undefined ? "up" : `degraded: ${degradation}`;
}

Deno.test("another monitor is up while its last check is not older than maxAge", async () => {
  const old = entry("Old", { lastUpdated: "2026-05-01T00:00:00Z" });
  assertEquals(await look([entry("Shop"), old]), "up");
  assertEquals(await look([old, entry("Shop")], { maxAge: "61m" }), "up");
  assertEquals(
    await look([entry("Shop"), old], { maxAge: 59 }),
    "answer: its last check was 1 hour ago (2026-11-23 11:00 UTC)",
  );
  const late = entry("Shop", { lastUpdated: "2026-11-23T08:59:00Z" });
  assertStringIncludes(await look([late]), "answer: its last check was 3 hours 1 minute ago");
});

Deno.test("the summary is requested past caches, with the headers of the site", async () => {
  await using server = monitorOf(() => Response.json([entry("Shop")]));
  const headers = ["Authorization: Bearer $TOKEN"];
  const { failure, details, responseTime } = await observe(
    { check: "monitor", url: server.url, headers },
    { now: NOW, detailed: true, secrets: { TOKEN: "t0p-secret" } },
  );
  assertEquals(failure, undefined);
  assert(responseTime > 0);
  assertEquals(details!.answers, ["1 site, last checked 2026-11-23 11:00 UTC"]);
  assert(!JSON.stringify(details).includes("t0p-secret"));
  const [sent] = server.asked;
  assertEquals(sent!.get("cache-control"), "no-cache");
  assertEquals(sent!.get("authorization"), "Bearer t0p-secret");
});

Deno.test("a monitor is down if its address gives no summary of a monitor", async () => {
  const html = "<!doctype html><title>Page not found · GitHub Pages</title>";
  const none = "answer: the answer is not a summary.json of Monitor Action or Upptime";
  const cases: [answer: unknown, outcome: string][] = [
    [new Response(html, { status: 404 }), "answer: answered 404 Not Found"],
    [new Response("", { status: 503 }), "answer: answered 503 Service Unavailable"],
    [html, none],
    ["", none],
    [new Response(null, { status: 204 }), none],
    ["null", none],
    ["{}", none],
    ['{"message": "Not Found"}', none],
    ["[1, null, []]", none],
    [[{ slug: "shop" }], none],
    [[{ slug: 1, status: {} }], none],
    ["[".repeat(100_000), none],
    ["[]", "answer: it monitors no site"],
    [
      new Response("", { status: 429 }),
      "configuration: 429 Too Many Requests: nothing is known of the other monitor",
    ],
  ];
  for (const [answer, outcome] of cases) assertEquals(await look(answer), outcome);
  const gone = monitorOf(() => new Response());
  await gone[Symbol.asyncDispose]();
  const { failure } = await observe({ check: "monitor", url: gone.url }, { now: NOW });
  assertEquals(failure!.kind, "network");
});

Deno.test("times that can't be right are no proof of a check", async () => {
  const at = (lastUpdated: unknown) => [entry("Shop", { lastUpdated })];
  assertEquals(await look(at("2026-11-23T12:09:00Z")), "up");
  assertEquals(
    await look(at("2027-01-01T00:00:00Z")),
    "answer: its last check is in the future (2027-01-01 00:00 UTC)",
  );
  assertEquals(await look([...at("2027-01-01T00:00:00Z"), entry("API")]), "up");
  for (const time of [undefined, 7, "yesterday", "", "2026-11-23", "+999999-01-01T00:00:00Z"]) {
    assertEquals(await look(at(time)), "answer: it has not checked any site yet");
  }
});

Deno.test("Upptime's summary has no times, so a monitor of Upptime is up if it can be read", async () => {
  assertEquals(await look([upptime("up")]), "up");
  assertEquals(await look([upptime("down")]), "up");
  assertEquals(
    await look([upptime("down")], { sitesDown: "down" }),
    "answer: 1 of its sites is down: Shop",
  );
});

Deno.test("sites of the other monitor that are down count only if sitesDown says so", async () => {
  const down = { status: "down", state: "down" };
  const sites = [
    ...["A", "B\u202e\n", "C", "D"].map((name) => entry(name, down)),
    entry("In maintenance", { status: "down", state: "maintenance" }),
  ];
  assertEquals(await look(sites), "up");
  const reason = "4 of its sites are down: A, B, C and 1 more";
  assertEquals(await look(sites, { sitesDown: "degraded" }), `degraded: ${reason}`);
  assertEquals(await look(sites, { sitesDown: "down" }), `answer: ${reason}`);
  assertEquals(await look([entry("Shop")], { sitesDown: "down" }), "up");
});

Deno.test("redirects are followed, but not without end", async () => {
  await using server = monitorOf((path) => {
    const moves: Record<string, string> = { "/old": "/new", "/loop": "/loop" };
    const location = moves[path];
    return location === undefined
      ? Response.json([entry("Shop")])
      : new Response(null, { status: 301, headers: { location } });
  });
  const reasonAt = async (path: string) => {
    const keys = { check: "monitor", url: `${server.url}${path}` };
    return (await observe(keys, { now: NOW })).failure?.reason;
  };
  assertEquals(await reasonAt("/old"), undefined);
  assertEquals(await reasonAt("/loop"), "redirects go round in a loop");
});

Deno.test("of a summary longer than 1 MiB the sites at its start count", async () => {
  const sites = Array.from({ length: 6_000 }, (_, index) => entry(`Site ${index}`));
  const text = JSON.stringify(sites, null, 2);
  assert(text.length > 2 ** 20);
  assertEquals(await look(text), "up");
  const outcome = "answer: its last check was 1 hour ago (2026-11-23 11:00 UTC)";
  assertEquals(await look(text, { maxAge: 30 }), outcome);
  const endless = " ".repeat(2 ** 20 + 1);
  assertEquals(
    await look(endless),
    "answer: the first MiB of the answer is not a summary.json of Monitor Action or Upptime",
  );
  const start = evaluateSummary(
    { body: text.slice(0, 2_000), isCut: true },
    { maxAge: 7_200_000, sitesDown: "ignore" },
    NOW,
  );
  assertEquals(start, { found: "9 or more sites, last checked 2026-11-23 11:00 UTC" });
});

Deno.test("wrong keys of a monitor are explained, and one of them does not end its check", async () => {
  const text = JSON.stringify({
    sites: [
      { name: "Watch", check: "monitor", url: "https://a.example/summary.json", maxAge: "soon" },
      { name: "File", check: "monitor", url: "summary.json" },
    ],
  });
  const { config, problems } = await parseConfig(text);
  assertEquals(config!.sites.map(({ name }) => name), ["Watch"]);
  assertEquals(problems.map(({ path, message }) => `${path.join(".")}: ${message}`), [
    'sites.0.maxAge: expected a length of time from 1 m to 31 d, such as 90m or 4h, found "soon"',
    'sites.1.url: expected an address that starts with https:// or http://, found "summary.json"',
  ]);
  const [site] = config!.sites;
  const { maxAge, sitesDown } = site!.target as CheckSettings<"monitor">;
  assertEquals([maxAge, sitesDown], [10_800_000, "ignore"]);
});
