import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { issuesTracker } from "../../../lib/incidents/issue_effect.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import {
  issueBody,
  issueComment,
  issueTitle,
  issueTitles,
} from "../../../templates/issue/issue.ts";
import { sharedTexts } from "../../../templates/issue/shared_issue.ts";
import { hostileText, REFERENCES } from "../../helpers/hostile_text.ts";
import { endingOf, laterOf, openingOf, PHASES } from "../../helpers/incident_events.ts";
import { LANGUAGE } from "../../helpers/languages.ts";
import { NOW } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";
import { rendered } from "../../helpers/rendered_markdown.ts";
import { siteOf } from "../../helpers/sites.ts";

const REPOSITORY = "https://github.com/acme/status";
const PLACES = { repository: REPOSITORY, folder: "" };
const shop = await siteOf({ name: "Shop", url: "https://shop.example.com/health" });
const REFUSED = "connection refused (203.0.113.7:443)";
const SLOW = "answered after 2310 ms, slower than the 2000 ms allowed";
const down = openingOf(shop, "down", { error: REFUSED });
const degraded = openingOf(shop, "degraded", { error: SLOW, responseTime: 2310, phases: PHASES });

/** The first sentence and the table of an issue, and its hint. */
function partsOf(body: string): { first: string; rows: string[]; hint?: string } {
  const [first, table, hint] = body.split("\n\n") as [string, string, string];
  const rows = table.split("\n").filter((row) => !row.startsWith("| :---"));
  return { first, rows, ...hint.startsWith("**Hint:** ") ? { hint: hint.slice(10) } : {} };
}

Deno.test("an issue has the state with its start and cause, a table, a hint and links", () => {
  const error = "answered 503 Service Unavailable";
  const event = openingOf(shop, "down", { code: 503, error, phases: PHASES });
  assertEquals(issueTitle(event, LANGUAGE), "🛑 Shop is down");
  assertEquals(
    issueBody(
      event,
      { ...PLACES, folder: "monitor/eu/", page: "https://status.acme.example" },
      LANGUAGE,
    ),
    `Shop has been **down** since 2026-11-21 10:05 UTC: answered 503 Service Unavailable.

| Site | [https\\://shop.example.com/health](https://shop.example.com/health) |
| :--- | :--- |
| Code | 503 Service Unavailable |
| Attempts | 3 in 31 s |
| Phases | name look-up 4 ms, connect 18 ms, TLS 35 ms, first byte 60 ms, download 6 ms |
| First failing attempt | 2026-11-21 10:05:03 UTC |
| Confirmed | 2026-11-21 10:05:34 UTC |

**Hint:** The server rejects requests: it may be overloaded, restarting or under maintenance.

[Status page](https://status.acme.example/history/shop) · [History of this site](${REPOSITORY}/commits/HEAD/monitor/eu/history/shop.yml) · [Checks of the day](${REPOSITORY}/blob/HEAD/monitor/eu/history/checks/2026-11-21.csv) · [File of this incident](${REPOSITORY}/blob/HEAD/monitor/eu/history/incidents/2026-11-21-shop.yml)

<sub>This issue closes by itself when the site is back. Comments of collaborators that begin with \`Investigating:\`, \`Identified:\`, \`Monitoring:\`, \`Resolved:\` or \`Post-mortem:\` become its timeline; \`/ack\` acknowledges it.</sub>
`,
  );
});

Deno.test("an issue says which locations see the site down, and its hint is about what they see", () => {
  const since = "since 2026-11-21 10:05 UTC";
  const places = "in Frankfurt and São Paulo (up in Virginia)";
  // Incidents of older versions.
  const former = "from 2 of 3 (Frankfurt, São Paulo; up from Virginia)";
  for (
    const [seen, sentence] of [
      [places, `Shop has been **down** ${places} ${since}: ${REFUSED}.`],
      [former, `Shop has been **down** ${since}: down ${former}: ${REFUSED}.`],
    ] as const
  ) {
    const error = `down ${seen}: ${REFUSED}`;
    const { first, rows, hint } = partsOf(
      issueBody(openingOf(shop, "down", { error }), PLACES, LANGUAGE),
    );
    assertEquals(first, sentence);
    assertEquals(rows[2], `| Error | ${error} |`);
    assertEquals(hint, partsOf(issueBody(down, PLACES, LANGUAGE)).hint);
  }
  const error = `down in Frankfurt (up in Virginia and São Paulo): ${REFUSED}`;
  const { first } = partsOf(issueBody(openingOf(shop, "degraded", { error }), PLACES, LANGUAGE));
  assertEquals(first, `Shop has been **degraded** ${since}: ${error}.`);
});

Deno.test("the table of an issue follows the kind of failure", async () => {
  const search = await siteOf({
    name: "Search",
    url: "https://search.example.com/?q=a&b=[x]",
    method: "POST",
    maxResponseTime: 2000,
  });
  const slow = openingOf(search, "degraded", {
    ...{ error: SLOW, phases: { ...PHASES, ttfb: 2247 }, responseTime: 2310, attempts: 1 },
  });
  assertEquals(issueTitle(slow, LANGUAGE), "⚠️ Search has degraded performance");
  assertEquals(partsOf(issueBody(slow, PLACES, LANGUAGE)), {
    first: `Search has been **degraded** since 2026-11-21 10:05 UTC: ${SLOW}.`,
    rows: [
      "| Site | POST [https\\://search.example.com/?q=a\\&b=\\[x\\]](https://search.example.com/?q=a&amp;b=[x]) |",
      "| Code | 200 OK |",
      "| Response time | 2,310 ms (2,000 ms allowed) |",
      "| Phases | name look-up 4 ms, connect 18 ms, TLS 35 ms, first byte 2,247 ms, download 6 ms |",
      "| First seen | 2026-11-21 10:05:03 UTC |",
      "| Confirmed | 2026-11-21 10:05:34 UTC |",
    ],
  });
  const refused = partsOf(issueBody(down, PLACES, LANGUAGE));
  assertEquals(refused.rows.slice(1, 4), [
    "| Code | no HTTP answer |",
    `| Error | ${REFUSED} |`,
    "| Attempts | 3 in 31 s |",
  ]);
  assertStringIncludes(refused.hint!, "accepts no connections on this port");
  const error = 'json $.status == "green": found "red"';
  const event = openingOf(shop, "down", { code: 503, error, attempts: 1, confirmed: NOW });
  const failed = partsOf(issueBody(event, PLACES, LANGUAGE));
  assertEquals([failed.rows[2], failed.rows[3], failed.hint], [
    '| Error | json \\$.status == "green": found "red" |',
    "| Attempts | 1 |",
    undefined,
  ]);
  const host = await siteOf({ name: "Host", check: "tcp-ping", url: "db.example.com:5432" });
  const tcp = openingOf(host, "down", { error: "timed out after 10 s connecting" });
  assertEquals(partsOf(issueBody(tcp, PLACES, LANGUAGE)).rows.slice(0, 2), [
    "| Site | tcp-ping db.example.com:5432 |",
    "| Error | timed out after 10 s connecting |",
  ]);
});

Deno.test("an issue has the site's group, description and runbook, and the start of the answer", async () => {
  const site = await siteOf({
    name: "Shop",
    url: "https://shop.example.com/",
    group: "EU | West",
    description: "Sells *everything*. Owner: @ann",
    runbook: "https://wiki.example.com/shop?a=1&b=2",
  });
  const event = openingOf(site, "down", { code: 500, body: "<b>``` @ann #1</b>\nline 2" });
  const body = issueBody(event, PLACES, LANGUAGE);
  const place = body.indexOf("**About:**");
  assertStringIncludes(body, "| Group | EU \\| West |");
  assertEquals(
    body.slice(place, body.indexOf("[History of")),
    "**About:** Sells \\*everything\\*. Owner: @\u200bann  \n" +
      "**Runbook:** [https\\://wiki.example.com/shop?a=1\\&b=2](https://wiki.example.com/shop?a=1&amp;b=2)\n\n" +
      "Start of the answer:\n\n````text\n<b>``` @ann #1</b>\nline 2\n````\n\n",
  );
  const steps = await siteOf({ name: "Shop", url: "https://a.example", runbook: "call #1 <b>" });
  assertStringIncludes(
    issueBody(openingOf(steps, "down", {}), PLACES, LANGUAGE),
    "**Runbook:** call \\#\u200b1 \\<b\\>",
  );
});

Deno.test("an issue that is opened late describes the failure, even if the site is back or gone", () => {
  const later = NOW.add({ hours: 1 });
  const { site: _, result: __, condition: ___, ...gone } = down;
  assertEquals(
    issueBody({ ...down, condition: "up", at: later, result: undefined }, PLACES, LANGUAGE),
    issueBody({ ...down, result: undefined }, PLACES, LANGUAGE),
  );
  const sentence = "shop has been **down** since 2026-11-21 10:05 UTC: connection refused";
  assertStringIncludes(issueBody({ ...gone, at: later }, PLACES, LANGUAGE), sentence);
  assertEquals(issueTitle({ ...gone, at: later }, LANGUAGE), "🛑 shop is down");
});

Deno.test("an issue links to addresses that are public, and to files of any slug", async () => {
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
    assertStringIncludes(issueBody(event, PLACES, LANGUAGE), `| Site | ${shown} |\n`);
  }
  const site = await siteOf({ name: "Überblick (日本) [1]", url: "https://a.example/" });
  const body = issueBody(openingOf(site, "down", { error: "" }), PLACES, LANGUAGE);
  assertStringIncludes(body, "/commits/HEAD/history/%C3%BCberblick-%E6%97%A5%E6%9C%AC-1.yml)");
  assertStringIncludes(body, "has been **down** since 2026-11-21 10:05 UTC.\n");
});

Deno.test("a title is cut after a word if the name is too long for GitHub", async () => {
  const titleOf = async (name: string) =>
    issueTitle(
      openingOf(await siteOf({ name, slug: "long", url: "a.example" }), "degraded", { error: "" }),
      LANGUAGE,
    );
  const words = await titleOf("A long name ".repeat(40));
  assertEquals(words, `⚠️ ${"A long name ".repeat(19).trim()}… has degraded performance`);
  const signs = await titleOf("長".repeat(300));
  assertEquals(signs.length, 256);
  assertStringIncludes(signs, "長… has degraded performance");
  for (const emoji of ["🚀", "👩‍👩‍👧‍👦"]) {
    const title = await titleOf(emoji.repeat(260));
    assert(title.length <= 256 && title.length > 240, `${title.length}`);
    assertStringIncludes(title, `${emoji}… has degraded performance`);
  }
});

Deno.test("comments describe later changes", async () => {
  const end = NOW.add({ hours: 2, minutes: 5 });
  const port = await siteOf({ name: "Shop", url: "db.example.com:5432", check: "tcp-ping" });
  const tcp = endingOf(openingOf(port, "down", { error: REFUSED }), NOW.add({ minutes: 5 }));
  const { site: _, result: __, condition: ___, ...gone } = endingOf(down, end);
  const worse = laterOf(degraded, "update", { state: "down", minutes: 15, error: REFUSED });
  const better = laterOf(worse, "update", { state: "degraded", minutes: 20, error: SLOW });
  const cases: [event: Parameters<typeof issueComment>[0], text: string, file: string][] = [
    [
      endingOf(down, end),
      "**Resolved:** Shop is up again after 2 hours 5 minutes. First good attempt at 2026-11-21 12:10 UTC: 200 OK, 123 ms.",
      "incident",
    ],
    [
      endingOf(degraded, NOW.add({ minutes: 12 })),
      "**Resolved:** Shop is back to normal after 12 minutes. First good attempt at 2026-11-21 10:17 UTC: 200 OK, 123 ms.",
      "incident",
    ],
    [
      { ...endingOf(down, end), result: undefined },
      "**Resolved:** Shop is up again after 2 hours 5 minutes. First good attempt at 2026-11-21 12:10 UTC.",
      "incident",
    ],
    [
      endingOf(down, NOW),
      "**Resolved:** Shop is up again. First good attempt at 2026-11-21 10:05 UTC: 200 OK, 123 ms.",
      "incident",
    ],
    [
      tcp,
      "**Resolved:** Shop is up again after 5 minutes. First good attempt at 2026-11-21 10:10 UTC: 123 ms.",
      "incident",
    ],
    [
      gone,
      "**Resolved:** shop is no longer monitored, which ends this incident after 2 hours 5 minutes.",
      "incident",
    ],
    [
      worse,
      `**Now down** since 2026-11-21 10:20 UTC: ${REFUSED}.\n\n**Hint:** The machine answered, but accepts no connections on this port. If it does elsewhere, a firewall rejects the runner: hosted runners have changing IP addresses.`,
      "checks",
    ],
    [better, `**Answers again, but degraded** since 2026-11-21 10:25 UTC: ${SLOW}.`, "checks"],
    [
      { ...better, result: undefined },
      "**Answers again, but degraded** since 2026-11-21 10:25 UTC.",
      "checks",
    ],
    [
      laterOf(down, "reopen", { state: "down", minutes: 10, error: REFUSED }),
      `**Down again** since 2026-11-21 10:15 UTC: ${REFUSED}.`,
      "checks",
    ],
    [
      laterOf(degraded, "reopen", { state: "degraded", minutes: 10, error: SLOW }),
      `**Degraded again** since 2026-11-21 10:15 UTC: ${SLOW}.`,
      "checks",
    ],
  ];
  const links: Record<string, string> = {
    incident:
      `[File of this incident](${REPOSITORY}/blob/HEAD/history/incidents/2026-11-21-shop.yml)`,
    checks: `[Checks of the day](${REPOSITORY}/blob/HEAD/history/checks/2026-11-21.csv)`,
  };
  for (const [event, text, file] of cases) {
    assertEquals(issueComment(event, PLACES, LANGUAGE), `${text}\n\n${links[file]}\n`);
  }
});

Deno.test("a site that starts to flap gets one comment", () => {
  const flaps = { changes: 9, within: 3_600_000 };
  const flapping = { ...down, action: "flap", flaps } as const;
  const text = "**Flapping:** Shop keeps changing state (9 changes in the last hour). This issue " +
    "stays open, without further comments, until it has been up in 6 runs in a row.";
  assertStringIncludes(issueComment(flapping, PLACES, LANGUAGE), text);
  assertStringIncludes(issueComment({ ...down, action: "reopen", flaps }, PLACES, LANGUAGE), text);
  assertStringIncludes(issueBody({ ...down, flaps }, PLACES, LANGUAGE), text);
  const tracker = issuesTracker({
    ...{ place: "", folder: "", opens: true, lock: false, assignees: [] },
    texts: {
      title: (event) => issueTitle(event, LANGUAGE),
      titles: (event) => issueTitles(event, [LANGUAGE]),
      body: (event) => issueBody(event, PLACES, LANGUAGE),
      comment: (event) => issueComment(event, PLACES, LANGUAGE),
      ...sharedTexts([], PLACES, LANGUAGE, String),
    },
  });
  const effects = tracker.plan(flapping, true);
  assertEquals(effects.map(({ id, data }) => [id, data["action"], data["title"]]), [
    [`${down.id}/flapping@2026-11-21T10:05:03.120Z`, "update", "🛑 Shop is down"],
  ]);
});

const ELEMENTS = [
  ...["p", "strong", "table", "thead", "tr", "th", "th", "tbody"],
  ...Array.from({ length: 6 }, () => ["tr", "td", "td"]).flat(),
  ...["p", "strong", "p", "a", "a", "a", "a", "p", "sub"],
  ...["code", "code", "code", "code", "code", "code"],
];

Deno.test("hostile names, addresses and errors change only the text of an issue", () => {
  const places = { ...PLACES, page: "https://status.acme.example" };
  const words = (text: string) => plainText(text.replaceAll("\u200b", ""));
  fc.assert(
    fc.property(hostileText(), hostileText(), hostileText(), (name, url, reason) => {
      const error = `answered 503, ${plainText(reason)}`;
      const hidden = { ...shop, name: `${plainText(name)}.`, url: `${plainText(url)}$` };
      const event = openingOf(hidden, "down", { code: 503, error, phases: PHASES });
      const incident = { ...event.incident, slug: name };
      const hostile = { ...event, id: `2026-11-21-${name}`, incident };
      const end = endingOf(hostile, NOW.add({ minutes: 9 }));
      const again = laterOf(hostile, "reopen", { state: "down", minutes: 9, error: reason });
      const bodies = [
        issueBody(hostile, places, LANGUAGE),
        ...[again, end, { ...end, site: undefined }].map((one) =>
          issueComment(one, places, LANGUAGE)
        ),
      ];
      for (const body of bodies) {
        const { text, addresses } = rendered(body);
        assertEquals(/@\w/.test(body), false, body);
        assertEquals(REFERENCES.filter((one) => one.test(text)), [], text);
        const foreign = addresses.filter((one) =>
          !/^https:\/\/(?:github.com\/acme\/status|status.acme.example)\//.test(one)
        );
        assertEquals(foreign, [], body);
      }
      const { elements, text } = rendered(bodies[0]!);
      assertEquals(elements, ELEMENTS);
      assertEquals(words(text).includes(`: ${words(error)}`), true, text);
      assertEquals([...issueTitle(hostile, LANGUAGE)].length <= 256, true);
    }),
    { numRuns: runs(10, 80) },
  );
});
