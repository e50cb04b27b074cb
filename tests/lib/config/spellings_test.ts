import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";

async function read(text: string) {
  const { config, problems } = await parseConfig(text);
  return { config: config!, problems: problems.map(({ line, message }) => [line, message]) };
}

Deno.test("keys of other programs are accepted at the top level, in defaults and at a site", async () => {
  const { config, problems } = await read(`user-agent: everyone
defaults:
  __dangerous__insecure: true
workflowSchedule:
  staticSite: "0 2 * * *"
sites:
  - name: A
    url: https://example.com
    __dangerous__disable_verify_peer: false
    __dangerous__disable_verify_host: true
  - name: B
    url: https://example.com
    user-agent: me
`);
  assertEquals(problems, []);
  assertEquals(config.sites.map(({ userAgent }) => userAgent), ["everyone", "me"]);
  assertEquals(config.workflowSchedule.site, "0 2 * * *");
});

Deno.test("channels are accepted under alternative type names, and with url as their address", async () => {
  const { config, problems } = await read(`notifications:
  - { type: msteams, url: $TEAMS }
  - { type: microsoft-teams, webhook-url: $TEAMS }
  - { type: slack, url: $SLACK }
  - { type: webhook, url: $HOOK }
sites:
  - { name: A, url: https://example.com }
`);
  assertEquals(problems, []);
  const channels = config.notifications.map((channel) => [
    channel.type,
    channel["webhook-url"],
    channel.url,
  ]);
  assertEquals(channels, [
    ["teams", "$TEAMS", undefined],
    ["teams", "$TEAMS", undefined],
    ["slack", "$SLACK", undefined],
    ["webhook", undefined, "$HOOK"],
  ]);
});

Deno.test("a second channel with the same destination and other keys is reported as a warning", async () => {
  const { config, problems } = await read(`notifications:
  - { type: slack, webhook-url: $SLACK, on: [down], message-template: Down }
  - { type: slack, webhook-url: $SLACK, on: [up], message-template: Up, min-interval: 5 }
  - { type: slack, webhook-url: $SLACK, on: [degraded] }
  - { type: slack, webhook-url: $SLACK, channel: "#ops", message-template: Other }
  - { type: webhook, url: https://a.example, body: Down, on: [down] }
  - { type: webhook, url: https://a.example, body: Up, on: [up] }
sites:
  - { name: A, url: https://example.com }
`);
  assertEquals(config.notifications.length, 6);
  const why = "leads to the same place as notifications[0]: only its on: has an effect";
  assertEquals(problems, [[3, why], [4, why]]);
});

Deno.test("a name or slug that YAML reads as a number keeps its source text", async () => {
  const { config, problems } = await read(`sites:
  - { name: 007, url: https://example.com }
  - { name: 1.0, url: https://example.com }
  - { name: 0x1F, url: https://example.com, slug: 0010 }
`);
  assertEquals(problems, []);
  assertEquals(config.sites.map(({ name, slug }) => [name, slug]), [
    ["007", "007"],
    ["1.0", "1.0"],
    ["0x1F", "0010"],
  ]);
});

Deno.test("YAML merge keys work at every level: the first of several wins, and merged maps may merge others", async () => {
  const { config, problems } = await read(`x-a: &a { method: HEAD, maxRedirects: 1 }
x-b: &b { <<: *a, method: PUT }
x-mail: &mail { type: email, smtp-host: $HOST, from: me@example.com, to: [me@example.com] }
notifications:
  - <<: *mail
    on: [down]
sites:
  - { <<: [*a, *b], name: A, url: https://example.com }
  - { <<: *b, name: B, url: https://example.com, method: }
`);
  assertEquals(problems.filter(([, message]) => !String(message).startsWith("not yet")), []);
  assertEquals(config.sites.map(({ method }) => method), ["HEAD", "PUT"]);
  assertEquals(config.notifications[0]!.to, ["me@example.com"]);
});

Deno.test("the names of a site's secrets are known without their values", async () => {
  const { config } = await read(`sites:
  - name: A
    url: https://$USER:$PASS@example.com/$discovery
    headers: ["X-Key: $KEY"]
    notifications: [{ type: slack, webhook-url: $SLACK }]
`);
  assertEquals(config.sites[0]!.secrets, ["KEY", "PASS", "SLACK", "USER"]);
});

Deno.test("sites that Upptime checks from Globalping have a location there", async () => {
  const { config, problems } = await read(`sites:
  - { name: A, url: https://example.com, type: globalping, location: Berlin }
  - { name: B, url: https://example.com, type: Globalping }
  - { name: C, url: https://example.com, type: globalping, location: Berlin }
  - { name: D, url: https://example.com }
`);
  assertEquals(problems, []);
  assertEquals(config.locations, [
    { name: "Berlin", id: "berlin", globalping: "Berlin" },
    { name: "world", id: "world", globalping: "world" },
  ]);
  assertEquals(config.sites.map(({ locations, quorum }) => [locations, quorum]), [
    [["Berlin"], 1],
    [["world"], 1],
    [["Berlin"], 1],
    [[], 1],
  ]);
});

Deno.test("a location of Upptime is added to the list, and its errors are reported at the site", async () => {
  const { config, problems } = await read(`locations:
  - { name: Berlin, runner: ubuntu-latest }
  - { name: Rome, globalping: Rome }
sites:
  - { name: A, url: https://example.com, type: globalping, location: Berlin }
  - { name: B, url: https://example.com, type: globalping, location: Rome }
  - { name: C, url: https://example.com, type: globalping, location: "Paris,Oslo" }
  - { name: D, url: https://example.com, type: globalping, method: POST }
  - { name: E, url: https://example.com, type: ping }
`);
  assertEquals(problems, [
    [
      7,
      'expected one place without a comma (Paris+FR narrows it down; each further place is a location of its own), found "Paris,Oslo"',
    ],
    [
      8,
      "Globalping can't check this site: it knows only GET, HEAD, OPTIONS, not POST; it is not checked from world",
    ],
    [
      9,
      "has no effect: only globalping is understood; locations says from where a site is checked",
    ],
  ]);
  assertEquals(config.sites.map(({ locations }) => locations), [
    ["Berlin by Globalping"],
    ["Rome"],
    ["Berlin"],
    ["Berlin"],
    ["Berlin"],
  ]);
});

Deno.test("each heartbeat that still has an endpoint is named once, with the replacement, and needs no secret", async () => {
  const text = `sites:
  - { name: A, check: heartbeat, every: 1d, endpoint: $BEAT_A }
  - name: B
    check: heartbeat
    every: 1d
    file: b.txt
    endpoint: f00dfacef00dfacef00dface
    acceptGet: true
`;
  const { config, problems } = await parseConfig(text);
  const cure = 'has no effect: it was removed; set file or variable, which "monitor beat" writes';
  assertEquals(
    problems.map(({ severity, line, column, message }) =>
      `${severity} ${line}:${column} ${message}`
    ),
    [
      `warning 2:45 ${cure}`,
      `warning 7:5 ${cure}`,
      "notice 8:5 has no effect: it was removed with endpoint",
    ],
  );
  assertEquals(config!.sites.map(({ name, check, secrets }) => [name, check, secrets]), [
    ["A", "heartbeat", []],
    ["B", "heartbeat", []],
  ]);
});
