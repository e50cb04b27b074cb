import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";

const SITES = `sites:
  - { name: Shop, url: "https://a.example", group: Sales, tags: [eu, paid] }
  - { name: The API, url: "https://b.example", group: Sales, tags: [eu] }
  - { name: Blog, url: "https://c.example", severity: warning, tags: [us] }
`;

/** A channel at the top level: its sites with their events, and the problems. */
async function readRoutes(...lines: string[]) {
  const keys = ["type: slack", "webhook-url: $SLACK", ...lines].join("\n    ");
  const { config, problems } = await parseConfig(`notifications:\n  - ${keys}\n${SITES}`);
  const [channel] = toSubscribers(config!);
  return {
    routes: config!.sites.map(({ slug }) => channel!.wants(slug).join(" ")),
    delays: config!.sites.map(({ slug }) => channel!.delay(slug, "down")),
    quiet: channel!.quiet,
    problems: problems.map(({ severity, path, message }) =>
      `${severity}: ${path.slice(2).join(".")}: ${message}`
    ),
  };
}

const ALL = "down degraded up";

Deno.test("lists choose sites by name, slug, group or tag, and exclude them", async () => {
  const cases: [line: string, sites: [shop: boolean, api: boolean, blog: boolean]][] = [
    ["", [true, true, true]],
    ["sites: [shop, BLOG]", [true, false, true]],
    ["sites: the-api", [false, true, false]],
    ["groups: [sales]", [true, true, false]],
    ["tags: [us, paid]", [true, false, true]],
    ["{ groups: [Sales], tags: [us] }", [true, true, true]],
    ['tags: ["!eu"]', [false, false, true]],
    ['{ groups: [Sales], sites: ["! Shop"] }', [false, true, false]],
    ['{ sites: [Shop], tags: ["!paid"] }', [false, false, false]],
  ];
  for (const [line, expected] of cases) {
    const lines = line.startsWith("{") ? line.slice(2, -2).split(/, (?=\w+:)/) : [line];
    const { routes, problems } = await readRoutes(...lines);
    assertEquals([routes, problems], [expected.map((one) => one ? ALL : ""), []], line);
  }
});

Deno.test("severity chooses events: a critical site that is down is critical, all else is a warning", async () => {
  const cases: [lines: string[], routes: string[]][] = [
    [["severity: critical"], ["down up", "down up", ""]],
    [["severity: warning"], ["degraded up", "degraded up", ALL]],
    [["severity: warning", "on: [down, up]"], ["", "", "down up"]],
    [["severity: critical", "on: [up]"], ["up", "up", ""]],
    [["severity: critical", "on: [degraded, up]"], ["", "", ""]],
  ];
  for (const [lines, routes] of cases) {
    assertEquals((await readRoutes(...lines)).routes, routes, lines.join());
  }
});

Deno.test("an unknown site in a route is an error with the nearest name, and silences no channel", async () => {
  const { routes, problems } = await readRoutes(
    "sites: [Shpo]",
    'tags: ["!ue", nonsense]',
    "groups: [Sale]",
  );
  assertEquals(routes, [ALL, ALL, ALL]);
  const effect = "so the channel is notified of all sites instead";
  assertEquals(problems, [
    `error: sites.0: unknown, ${effect}: "Shpo", did you mean "Shop"?`,
    'error: tags.0: unknown: "!ue", did you mean "eu"?',
    `error: tags.1: unknown, ${effect}: "nonsense": no site has this tag`,
    `error: groups.0: unknown, ${effect}: "Sale", did you mean "Sales"?`,
  ]);
  const known = await readRoutes("tags: [us]", "groups: [Sale]");
  assertEquals(known.routes, ["", "", ALL]);
  assertEquals(known.problems, ['error: groups.0: unknown: "Sale", did you mean "Sales"?']);
});

Deno.test("a route may name a site that is invalid", async () => {
  const { config, problems } = await parseConfig(
    `notifications: { type: slack, webhook-url: $SLACK, sites: [Lost] }\n${SITES}  - { name: Lost }\n`,
  );
  assertEquals(problems.map(({ path }) => path.join(".")), ["sites.3.url"]);
  assertEquals(toSubscribers(config!)[0]!.wants("shop"), []);
});

Deno.test("at PagerDuty severity is that of alerts, at Datadog tags are those of events", async () => {
  const { config, problems } = await parseConfig(`notifications:
  - { type: pagerduty, integration-key: $KEY, severity: critical }
  - { type: datadog, api-key: $KEY, tags: ["team:web"] }
${SITES}`);
  assertEquals(problems, []);
  for (const { wants } of toSubscribers(config!)) assertEquals(wants("blog").join(" "), ALL);
});

Deno.test("the shortest delay of a channel's listings counts, for the sites and events of each", async () => {
  const { config, problems } = await parseConfig(`notifications:
  - { type: slack, webhook-url: $SLACK, after: 1h, on: [down, up] }
  - { type: slack, webhook-url: $SLACK, after: 5, tags: [paid], on: [down] }
  - { type: slack, webhook-url: $SLACK, on: [degraded] }
  - { type: slack, webhook-url: $SLACK, after: 2h, on: [degraded] }
${SITES}`);
  const [channel, ...others] = toSubscribers(config!);
  assertEquals(others, []);
  const delays = (["down", "degraded"] as const).map((kind) =>
    ["shop", "the-api", "blog"].map((slug) => channel!.delay(slug, kind) / 60_000)
  );
  assertEquals(delays, [[5, 60, 60], [0, 0, 0]]);
  assertEquals(
    problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`),
    [],
  );
});

Deno.test("a second delay for the same messages causes a warning", async () => {
  const { problems } = await parseConfig(`notifications:
  - { type: slack, webhook-url: $SLACK, on: [down] }
  - { type: slack, webhook-url: $SLACK, on: [down], after: 2h }
  - { type: slack, webhook-url: $SLACK, on: [down], after: 3h, min-interval: 60 }
${SITES}`);
  const place = "leads to the same place as notifications[0]";
  assertEquals(problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`), [
    `3 warning: ${place}: only the shorter after: counts, write reminders: to repeat a message`,
    `4 warning: ${place}: only its on:, after: have an effect`,
  ]);
});

Deno.test("lists at the channel of a site have no effect", async () => {
  const { config, problems } = await parseConfig(`sites:
  - name: Shop
    url: https://a.example
    notifications: [{ type: slack, webhook-url: $SLACK, sites: [Blog], after: 10m }]
`);
  assertEquals(problems.map(({ severity, message }) => `${severity}: ${message}`), [
    "warning: has no effect here: a channel of a site is notified of this site",
  ]);
  const [channel] = toSubscribers(config!);
  assertEquals([channel!.wants("shop").join(" "), channel!.delay("shop", "down")], [ALL, 600_000]);
});

Deno.test("quiet hours are read with their zone, and a wrong value disables them with an error", async () => {
  const read = await readRoutes("quiet: { from: 22:00, to: 7:00, days: [Fri], except: critical }");
  assertEquals(read.problems, []);
  assertEquals(read.quiet, {
    ...{ from: "22:00", to: "07:00", timezone: "UTC" },
    ...{ days: ["fri"], except: "critical" },
  });
  const wrong: [quiet: string, problem: string][] = [
    [
      "{ from: 22:00, to: 22:00 }",
      "quiet: from and to are both 22:00: write the time at which they end in to, or on: [] in place of quiet to notify the channel of nothing",
    ],
    ["{ from: 22:00 }", "quiet.to: is missing"],
    [
      "{ from: 25:00, to: 7:00 }",
      'quiet.from: expected a time from 00:00 to 23:59, such as 22:00, found "25:00"',
    ],
    [
      "{ from: 24:00, to: 24:00 }",
      'quiet.from: expected a time from 00:00 to 23:59, such as 22:00, found "24:00"',
    ],
    [
      "{ from: 22:00, to: 24:01 }",
      'quiet.to: expected a time from 00:00 to 24:00, such as 07:00, found "24:01"',
    ],
    [
      "{ from: 22:00, to: 7:00, timezone: Vienna }",
      'quiet.timezone: expected a time zone such as Europe/Berlin, found "Vienna"',
    ],
    [
      "{ from: 22:00, to: 7:00, except: warning }",
      'quiet.except: expected one of critical, found "warning"',
    ],
  ];
  for (const [quiet, problem] of wrong) {
    const read = await readRoutes(`quiet: ${quiet}`);
    assertEquals([read.quiet, read.problems], [undefined, [`error: ${problem}`]], quiet);
  }
});

Deno.test("quiet hours whose time zone can't be read are left out", async () => {
  const own = `{ type: slack, webhook-url: $SLACK, quiet: { from: "22:00", to: "07:00" } }`;
  const { config } = await parseConfig(`timezone: Vienna
notifications: ${own}
sites:
  - { name: Shop, url: "https://a.example", notifications: [${own.replace("slack", "discord")}] }
  - name: Blog
    url: https://b.example
    notifications: [${own.replace("slack", "teams").replace("from", "timezone: UTC, from")}]
`);
  const channels = toSubscribers(config!);
  assertEquals(channels.map(({ notification: { type }, quiet }) => [type, quiet?.timezone]), [
    ["slack", undefined],
    ["discord", undefined],
    ["teams", "UTC"],
  ]);
});
