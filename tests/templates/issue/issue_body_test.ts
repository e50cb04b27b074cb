import { assertEquals, assertStringIncludes } from "@std/assert";
import { issueBody, issueTitle } from "../../../templates/issue/issue.ts";
import { openingOf, PHASES } from "../../helpers/incident_events.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { siteOf } from "../../helpers/sites.ts";

const PLACES = { repository: "https://github.com/acme/status", folder: "" };
const ADDRESS = "https://shop.example.com/health";
const shop = await siteOf({ name: "Shop", url: ADDRESS });

const FOOTER =
  "<sub>This issue closes by itself when the site is back. Comments of collaborators that begin with `Investigating:`, `Identified:`, `Monitoring:`, `Resolved:` or `Post-mortem:` become its timeline.</sub>";

function linksOf(slug: string): string {
  const repository = "https://github.com/acme/status";
  return `[History of this site](${repository}/commits/HEAD/history/${slug}.yml) · [Checks of the day](${repository}/blob/HEAD/history/checks/2026-11-21.csv) · [File of this incident](${repository}/blob/HEAD/history/incidents/2026-11-21-${slug}.yml)`;
}

Deno.test("an issue says how the site is, since when and why, what was seen, what may help, and where more is", () => {
  const error = "answered 503 Service Unavailable";
  const event = openingOf(shop, "down", { code: 503, error, phases: PHASES });
  assertEquals(issueTitle(event), "🛑 Shop is down");
  assertEquals(
    issueBody(event, { ...PLACES, folder: "monitor/eu/", page: "https://status.acme.example" }),
    `Shop has been **down** since 2026-11-21 10:05 UTC: answered 503 Service Unavailable.

| Site | [https\\://shop.example.com/health](https://shop.example.com/health) |
| :--- | :--- |
| Code | 503 Service Unavailable |
| Attempts | 3 in 31 s |
| Phases | name 4 ms, connection 18 ms, TLS 35 ms, first byte 60 ms, download 6 ms |
| First failing attempt | 2026-11-21 10:05:03 UTC |
| Confirmed | 2026-11-21 10:05:34 UTC |

**Hint:** The server is there and turns requests away: it may be overloaded, restarting or under maintenance.

[Status page](https://status.acme.example/history/shop) · [History of this site](https://github.com/acme/status/commits/HEAD/monitor/eu/history/shop.yml) · [Checks of the day](https://github.com/acme/status/blob/HEAD/monitor/eu/history/checks/2026-11-21.csv) · [File of this incident](https://github.com/acme/status/blob/HEAD/monitor/eu/history/incidents/2026-11-21-shop.yml)

<sub>This issue closes by itself when the site is back. Comments of collaborators that begin with \`Investigating:\`, \`Identified:\`, \`Monitoring:\`, \`Resolved:\` or \`Post-mortem:\` become its timeline.</sub>
`,
  );
});

Deno.test("an issue of a site that gave no answer says what came instead", () => {
  const error = "connection refused (203.0.113.7:443)";
  assertEquals(
    issueBody(openingOf(shop, "down", { error }), PLACES),
    `Shop has been **down** since 2026-11-21 10:05 UTC: connection refused (203.0.113.7:443).

| Site | [https\\://shop.example.com/health](https://shop.example.com/health) |
| :--- | :--- |
| Code | no HTTP answer |
| Error | connection refused (203.0.113.7:443) |
| Attempts | 3 in 31 s |
| First failing attempt | 2026-11-21 10:05:03 UTC |
| Confirmed | 2026-11-21 10:05:34 UTC |

**Hint:** The machine answered, but takes no connections on this port. If it does elsewhere, a firewall turns the runner away: hosted runners have changing IP addresses.

${linksOf("shop")}

${FOOTER}
`,
  );
});

Deno.test("an issue of a slow site says how slow it is beside what is allowed", async () => {
  const site = await siteOf({
    name: "Search",
    url: "https://search.example.com/?q=a&b=[x]",
    method: "POST",
    maxResponseTime: 2000,
  });
  const error = "answered after 2310 ms, slower than the 2000 ms allowed";
  const phases = { ...PHASES, ttfb: 2247 };
  const more = { error, phases, responseTime: 2310, attempts: 1 };
  const event = openingOf(site, "degraded", more);
  assertEquals(issueTitle(event), "⚠️ Search has degraded performance");
  assertEquals(
    issueBody(event, PLACES),
    `Search has been **degraded** since 2026-11-21 10:05 UTC: answered after 2310 ms, slower than the 2000 ms allowed.

| Site | POST [https\\://search.example.com/?q=a\\&b=\\[x\\]](https://search.example.com/?q=a&amp;b=[x]) |
| :--- | :--- |
| Code | 200 OK |
| Response time | 2,310 ms (2,000 ms allowed) |
| Phases | name 4 ms, connection 18 ms, TLS 35 ms, first byte 2,247 ms, download 6 ms |
| First seen | 2026-11-21 10:05:03 UTC |
| Confirmed | 2026-11-21 10:05:34 UTC |

${linksOf("search")}

${FOOTER}
`,
  );
});

Deno.test("an issue shows an assertion that failed with the value found, and no hint on a status that is not to blame", () => {
  const error = 'json $.status == "green": found "red"';
  const event = openingOf(shop, "down", { code: 503, error, attempts: 1, confirmed: NOW });
  assertEquals(
    issueBody(event, PLACES),
    `Shop has been **down** since 2026-11-21 10:05 UTC: json \\$.status == "green": found "red".

| Site | [https\\://shop.example.com/health](https://shop.example.com/health) |
| :--- | :--- |
| Code | 503 Service Unavailable |
| Error | json \\$.status == "green": found "red" |
| Attempts | 1 |
| First failing attempt | 2026-11-21 10:05:03 UTC |
| Confirmed | 2026-11-21 10:05:03 UTC |

${linksOf("shop")}

${FOOTER}
`,
  );
});

Deno.test("an issue of a check without a status has none, and says what kind of check it is", async () => {
  const cases: [keys: Record<string, unknown>, error: string, site: string, hint: string][] = [
    [
      { check: "tcp-ping", url: "db.example.com:5432" },
      "timed out after 10 s connecting",
      "tcp-ping db.example.com:5432",
      "Nothing came back: the machine may be off or cut off. If it answers elsewhere, a firewall drops what comes from the runner: hosted runners have changing IP addresses.",
    ],
    [
      { check: "dns", url: "example.com" },
      "example.com does not exist (NXDOMAIN)",
      "dns example.com",
      "The name is not in DNS: look at the domain's registration and records. Names of a private network are known to self-hosted runners only.",
    ],
    [
      { check: "ssl", url: "example.com" },
      "the certificate of example.com expired 3 days ago",
      "ssl example.com",
      "Browsers refuse the site until it is renewed. Where that happens by itself, the renewal failed, or the server has not loaded the new certificate.",
    ],
  ];
  for (const [keys, error, target, hint] of cases) {
    const event = openingOf(await siteOf({ name: "Host", ...keys }), "down", { error });
    assertEquals(
      issueBody(event, PLACES),
      `Host has been **down** since 2026-11-21 10:05 UTC: ${error}.

| Site | ${target} |
| :--- | :--- |
| Error | ${error} |
| Attempts | 3 in 31 s |
| First failing attempt | 2026-11-21 10:05:03 UTC |
| Confirmed | 2026-11-21 10:05:34 UTC |

**Hint:** ${hint}

${linksOf("host")}

${FOOTER}
`,
    );
  }
});

Deno.test("an issue that is opened late, when the site is back or gone, says how it was", () => {
  const event = openingOf(shop, "down", { error: "connection refused (203.0.113.7:443)" });
  const later = NOW.add({ hours: 1 });
  const { site: _, result: __, condition: ___, ...gone } = event;
  const sentence = "has been **down** since 2026-11-21 10:05 UTC: connection refused";
  assertEquals(
    issueBody({ ...event, condition: "up", at: later, result: undefined }, PLACES),
    issueBody({ ...event, result: undefined }, PLACES),
  );
  assertStringIncludes(issueBody({ ...gone, at: later }, PLACES), `shop ${sentence}`);
  assertEquals(issueTitle({ ...gone, at: later }), "🛑 shop is down");
});

Deno.test("an issue links to the address that may be shown, where a browser can follow it", async () => {
  const cases: [keys: Record<string, unknown>, shown: string][] = [
    [{ url: "$ADDRESS" }, "(its address is not shown)"],
    [{ url: "https://a.example/", hideUrl: true }, "(its address is not shown)"],
    [{ url: "https://a.example/?key=$KEY" }, "https\\://a.example/?key=\\$KEY"],
    [{ url: "https://me:word@a.example/" }, "[https\\://a.example/](https://a.example/)"],
    [{ url: "wss://a.example/", check: "ws" }, "ws wss\\://a.example/"],
    [
      { url: "$ADDRESS", link: "https://a.example/(b)|c" },
      "[https\\://a.example/(b)\\|c](https://a.example/%28b%29%7Cc)",
    ],
    [
      { url: `https://a.example/${"long/".repeat(30)}` },
      `[https\\://a.example/${"long/".repeat(16)}l…](https://a.example/${"long/".repeat(30)})`,
    ],
  ];
  for (const [keys, shown] of cases) {
    const event = openingOf(await siteOf(keys), "down", { error: "name not found" });
    assertStringIncludes(issueBody(event, PLACES), `| Site | ${shown} |\n`);
  }
});

Deno.test("an issue links to files of any slug", async () => {
  const site = await siteOf({ name: "Überblick (日本) [1]", url: ADDRESS });
  const event = openingOf(site, "down", { error: "" });
  const body = issueBody(event, PLACES);
  const slug = "%C3%BCberblick-%E6%97%A5%E6%9C%AC-1";
  assertStringIncludes(body, linksOf(slug));
  assertStringIncludes(body, "has been **down** since 2026-11-21 10:05 UTC.\n");
});

Deno.test("a title is cut after a word where the name is too long for GitHub", async () => {
  const titleOf = async (name: string) =>
    issueTitle(
      openingOf(await siteOf({ name, slug: "long", url: ADDRESS }), "degraded", { error: "" }),
    );
  const words = await titleOf("A long name ".repeat(40));
  assertEquals(words, `⚠️ ${"A long name ".repeat(18).trim()} A long… has degraded performance`);
  const signs = await titleOf("長".repeat(300));
  assertEquals([...signs].length, 256);
  assertStringIncludes(signs, "長… has degraded performance");
});
