import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { DOCS } from "../../../lib/version.ts";
import { readChannel } from "../../helpers/channels.ts";
import { readDoc } from "../../helpers/docs.ts";
import { hasAllSites } from "../../../lib/config/config.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import { listRoutes } from "../../../lib/notifications/routes.ts";

const SITES = "sites: [{ name: Shop, url: https://shop.example }]\n";
const SHOP = {
  name: "Shop",
  slug: "shop",
  group: undefined,
  tags: [],
  severity: "critical" as const,
  notifications: [],
};

const WEBHOOK = { type: "webhook", url: "https://hook.example" } as const;
const EVENTS = "down, up, degraded, maintenance, certificate, unknown";

Deno.test("a wrong event leaves the right ones, and a channel without a right one gets the usual events", async () => {
  const bad: [line: string, on: string[], messages: string[]][] = [
    ["on: [dwon, up]", ["up"], [
      `4:10 notifications[0].on[0]: expected one of ${EVENTS}, found "dwon" (it is notified of up), did you mean "down"?`,
    ]],
    ["on: down, recovered", ["down"], [
      `4:5 notifications[0].on[1]: expected one of ${EVENTS}, found "recovered" (it is notified of down), did you mean "up"?`,
    ]],
    ["on: down, up", ["down", "up"], []],
    ["on: [sideways]", ["down", "up", "degraded", "certificate"], [
      `4:10 notifications[0].on[0]: expected one of ${EVENTS}, found "sideways" (it is notified of down, up, degraded, certificate)`,
    ]],
  ];
  for (const [line, on, expected] of bad) {
    const { channels, messages } = await readChannel(line);
    const errors = expected.map((message) => `error:${message}`);
    assertEquals([channels, messages], [[{ ...WEBHOOK, on }], errors], line);
    const listed = listRoutes(
      toSubscribers({ notifications: channels, sites: [SHOP] }),
      [SHOP],
    );
    assertEquals(
      listed.map(({ note }) => note),
      [undefined],
      "validate names the missing on: only",
    );
  }
});

Deno.test("a channel is used without a bad optional value, and the value is an error at its place", async () => {
  const bad: [line: string, messages: string][] = [
    [
      "severity: high",
      'error:4:5 notifications[0].severity: expected one of critical, warning, found "high"',
    ],
    [
      "severity: [critical, warning]",
      "error:4:5 notifications[0].severity: expected one of critical, warning, found a list: omit severity for events of every severity",
    ],
    [
      "reminders: [30s]",
      'error:4:17 notifications[0].reminders[0]: expected a length of time from 1 m to 365 d, such as 90m or 4h, found "30s"',
    ],
    [
      "group-interval: -1",
      "error:4:5 notifications[0].group-interval: expected a length of time from 0 to 365 d, such as 30s or 15m, found -1",
    ],
    [
      'group-notifications: "maybe"',
      'error:4:5 notifications[0].group-notifications: expected true or false, found "maybe"',
    ],
    ["body: {}", "error:4:5 notifications[0].body: expected a text, found a map"],
    ["method: 7", "error:4:5 notifications[0].method: expected a text, found 7"],
    [
      "method: TRACE",
      'error:4:5 notifications[0].method: expected an HTTP method that can be sent, such as POST or PUT, found "TRACE"',
    ],
    [
      'headers: ["X-A: b"]',
      "error:4:15 notifications[0].headers.0: expected a map of texts, found a list",
    ],
  ];
  for (const [line, expected] of bad) {
    const { channels, messages, problems } = await readChannel(line);
    const [{ reminders, ...channel }] = channels as [typeof channels[0]];
    assertEquals([channel, reminders ?? [], messages], [WEBHOOK, [], [expected]], line);
    assert(hasAllSites(problems), "a value that is ignored hides no site");
  }
});

Deno.test("a list loses only its invalid items, unless the rest would mean something else", async () => {
  const { channels } = await readChannel(
    "reminders: [30s, 2h]",
    "headers: { X-One: 1, X-Two: two }",
    "on: [down, 7]",
    "quiet: { from: 22:00, to: 7:00, days: [mon, someday] }",
  );
  const headers = { "X-Two": "two" };
  assertEquals(channels, [{ ...WEBHOOK, headers, on: ["down"], reminders: [7_200_000] }]);
});

Deno.test("a list accepts a single value, so do notifications, and durations accept units", async () => {
  const text = `notifications:
  type: email
  smtp-host: mail.example
  from: a@b.example
  to: jo@b.example
  on: down
  reminders: 90m
  min-interval: 5m
  group-interval: 30
${SITES}`;
  const { config, problems } = await parseConfig(text);
  assertEquals([config!.notifications, problems], [[{
    type: "email",
    "smtp-host": "mail.example",
    from: "a@b.example",
    to: ["jo@b.example"],
    on: ["down"],
    reminders: [5_400_000],
    "min-interval": 300,
    "group-interval": 30,
  }], []]);
});

Deno.test("a channel without a usable type or required key is left out, with one error for each mistake", async () => {
  const text = `notifications:
  - { type: slack }
  - { type: pigeon }
  - slack
  - { type: email, smtp-host: a.example, from: a@b.example, to: [7] }
  - { type: webhook, url: 7 }
  - { type: webhook, url: "https://hook.example", severity: error }
${SITES}`;
  const { config, problems } = await parseConfig(text);
  assertEquals(config!.notifications, [{ ...WEBHOOK }]);
  assertEquals(problems.map(({ line, channel }) => [line, channel]), [
    [2, "notification channel slack"],
    [3, "notification channel pigeon"],
    [4, "notification channel slack"],
    [5, "notification channel email"],
    [6, "notification channel webhook"],
    [7, undefined],
  ]);
  assertEquals(
    formatProblem(problems.at(-1)!, "error"),
    'error:7:51 notifications[5].severity: expected one of critical, warning, found "error"',
  );
});

Deno.test("a service without a channel type of its own is reported with the way to reach it", async () => {
  const cures = [
    ["opsgenie", "use type: jsm with url: https://api.opsgenie.com"],
    ["SMS", "use type: twilio"],
    ["call", "use type: twilio with call: true"],
    ["smtp", "use type: email"],
    ["pushbullet", "use type: apprise"],
    ["signal", `use type: webhook as in ${DOCS}/notifications.md#signal`],
    ["WhatsApp", `use type: webhook as in ${DOCS}/notifications.md#whatsapp`],
    ["home-assistant", `use type: webhook as in ${DOCS}/notifications.md#home-assistant`],
    ["nextcloud", `use type: webhook as in ${DOCS}/notifications.md#nextcloud-talk`],
  ] as const;
  const text = `notifications:\n${
    cures.map(([type]) => `  - { type: ${type} }\n`).join("")
  }${SITES}`;
  const { problems } = await parseConfig(text);
  assertEquals(
    problems.map(({ message }) => message),
    cures.map(([type, cure]) => `"${type}" is no type of channel: ${cure}`),
  );
  const anchors = cures.flatMap(([, cure]) => cure.split("#")[1] ?? []);
  const headings = (await readDoc("docs/notifications.md")).matchAll(/^#+ (.*)$/gm);
  const known = [...headings].map(([, title]) => title!.toLowerCase().replaceAll(" ", "-"));
  assertEquals(anchors.filter((anchor) => !known.includes(anchor)), []);
});

Deno.test("a key of the top level that is one edit from a known one is an error, others are a warning", async () => {
  const { problems } = await parseConfig(
    `notifcations: []\nnotifiers: []\nruner: a\nwheel: red\nissue: false\n${SITES}`,
  );
  assertEquals(problems.map(({ severity, message }) => `${severity}: ${message}`), [
    'error: unknown key, did you mean "notifications"?',
    "warning: unknown key, it has no effect",
    'error: unknown key, did you mean "runner"?',
    "warning: unknown key, it has no effect",
    'error: unknown key, did you mean "issues"?',
  ]);
});

Deno.test("a channel whose settings can't make a valid request is an error that contains no credential", async () => {
  const mail = "type: email, smtp-host: mail.example, from: a@b.example, to: jo@b.example";
  const wrong: [channel: string, messages: string][] = [
    [
      "type: slack, webhook-url: hooks.slack.example/canary",
      "webhook-url: expected an address that starts with https:// or http://, or a $SECRET",
    ],
    [
      "type: webhook, url: 'ftp://hook.example/$KEY'",
      "url: expected an address that starts with https:// or http://, or a $SECRET",
    ],
    [
      mail.replace("a@b.example", "nobody"),
      'from: expected a mail address or a $SECRET, found "nobody"',
    ],
    [
      mail.replace("to: jo@b.example", "to: [jo]"),
      'to[0]: expected a mail address or a $SECRET, found "jo"',
    ],
    [
      mail.replace("mail.example", "'the mail server'"),
      'smtp-host: expected the name of a mail server, found "the mail server"',
    ],
    [
      `${mail}, smtp-username: jo, smtp-password: 1234`,
      "smtp-password: expected a text, found 1234",
    ],
    [`${mail}, smtp-username: jo`, "smtp-password: is missing: email needs it"],
    ["type: telegram, bot-token: $BOT, chat-id: .inf", "chat-id: expected a text, found Infinity"],
    [
      "type: matrix, url: 'https://m.example', token: $T, room: '#ops:m.example'",
      'room: expected the ID of a room, which starts with !, or a $SECRET, found "#ops:m.example"',
    ],
    ["type: pushover, token: $T", "user: is missing: pushover needs it"],
    ["type: ntfy, token: $T", "topic: is missing: ntfy needs it"],
    ["type: gotify, token: $T", "url: is missing: gotify needs it"],
    ["type: google-chat", "webhook-url: is missing: google-chat needs it"],
    [
      "type: mattermost, webhook-url: chat.example/hooks/canary",
      "webhook-url: expected an address that starts with https:// or http://, or a $SECRET",
    ],
    ["type: rocketchat, channel: ops", "webhook-url: is missing: rocket-chat needs it"],
    [
      "type: zulip, url: 'https://a.example', bot-email: b@a.example, api-key: $K",
      "channel: is missing: zulip needs it",
    ],
    ["type: jsm, priority: P1", "api-key: is missing: jsm needs it"],
    ["type: incident-io, token: $T", "url: is missing: incident-io needs it"],
    [
      "type: twilio, token: $T, account-sid: AC1, from-number: +15005550006",
      "to-number: is missing: twilio needs it",
    ],
    [
      "type: twilio, token: $T, account-sid: AC1, from-number: MG0, to-number: '+1', call: true",
      "from-number: is a messaging service, which can't call: use a number of the account",
    ],
    [
      "type: apprise, url: apprise.example/notify/canary",
      "url: expected an address that starts with https:// or http://, or a $SECRET",
    ],
  ];
  for (const [channel, expected] of wrong) {
    const { config, problems } = await parseConfig(`notifications: [{ ${channel} }]\n${SITES}`);
    assertEquals(config!.notifications, [], channel);
    const messages = problems.map((problem) => formatProblem(problem, ""));
    assertEquals(messages.length, 1, channel);
    assert(messages[0]!.endsWith(` notifications[0].${expected}`), messages[0]);
    assert(problems[0]!.channel !== undefined, channel);
  }
  const right = [
    "type: webhook, url: 'https://$HOST/$KEY?site=$SITE_NAME'",
    "type: webhook, url: ' $HOOK ', method: patch, headers: { X-Key: $KEY }",
    "type: email, smtp-host: $MAIL, from: 'Jo <jo@b.example>', to: ['a@b.example, c@d.example', $TO]",
    "type: email, smtp-host: '[::1]', from: a@b.example, to: jo@b.example, smtp-username: '', smtp-password: ''",
    "type: datadog, api-key: $KEY, site: https://app.datadoghq.eu/",
    "type: googlechat, url: $HOOK",
    "type: gotify, url: $GOTIFY, token: $T, priority: 10",
    "type: zulip, url: 'https://a.example?type=stream&to=a', bot-email: b@a.example, api-key: $K",
    "type: zulip, url: $ZULIP_MESSAGE_URL, bot-email: b@a.example, api-key: $K",
    "type: matrix, url: 'https://m.example', token: $T, room: '!a:m.example'",
    "type: pushover, token: $T, user: $U, priority: 2, retry: 30s, expire: 3h",
    "type: twilio, token: $T, account-sid: AC1, from-number: 15005550006, to-number: $PHONE",
  ];
  for (const channel of right) {
    const { config } = await parseConfig(`notifications: [{ ${channel} }]\n${SITES}`);
    assertEquals(config!.notifications.length, 1, channel);
  }
});

Deno.test("a misspelled channel type is answered with the nearest one, and a literal credential causes a warning", async () => {
  const written = await readChannel("token: canary-0123456789");
  assertEquals(written.messages.filter((text) => text.includes("credentials")), [
    'warning:4:5 notifications[0].token: contains credentials that everybody who can read the repository can see: save each as a secret with "monitor set-secret NAME", and write $NAME in its place',
  ]);
  const pushover = "{ type: pushover, token: $T, user: canary-0123456789 }";
  const { problems: ofUser } = await parseConfig(`notifications: [${pushover}]\n${SITES}`);
  assert(ofUser.some(({ path, message }) => path.at(-1) === "user" && /credentials/.test(message)));
  const { problems } = await parseConfig(`notifications: [{ type: mattermst }]\n${SITES}`);
  assert(problems[0]!.message.endsWith('found "mattermst", did you mean "mattermost"?'));
});

Deno.test("a header that HTTP does not allow is left out, and a bad base address of a vendor too", async () => {
  const { channels, messages } = await readChannel("headers: { 'X One': one, X-Two: two }");
  assertEquals(channels[0]!.headers, { "X-Two": "two" });
  assertEquals(messages, [
    "error:4:16 notifications[0].headers.X One: is no name that HTTP allows for a header",
  ]);
  const { config, problems } = await parseConfig(
    `notifications: [{ type: pagerduty, integration-key: $KEY, url: events.eu }]\n${SITES}`,
  );
  assertEquals(config!.notifications, [{ type: "pagerduty", "integration-key": "$KEY" }]);
  assertEquals(problems.map(({ isIgnored, channel }) => [isIgnored, channel]), [[true, undefined]]);
});

Deno.test("channels under a misspelled or misplaced key are an error, which a run reports to other channels", async () => {
  const list = "[{ type: slack, webhook-url: https://hook.example }]";
  for (
    const [text, expected] of [
      [`sites: [{ name: A, url: https://a.example, notifcations: ${list} }]`, "did you mean"],
      [`defaults: { notifications: ${list} }\n${SITES}`, "move it to the top level"],
      [`status-website: { notifications: ${list} }\n${SITES}`, "move it to the top level"],
    ] as const
  ) {
    const { config, problems } = await parseConfig(text);
    assertEquals([config!.sites.length, problems.length], [1, 1], text);
    const [{ severity, message, channel }] = problems as [typeof problems[0]];
    assertEquals([severity, channel], ["error", "the list of notification channels"], text);
    assert(message.includes(expected), message);
  }
});

Deno.test("a priority that a channel does not have is an error, and its default counts", async () => {
  const wrong: [channel: string, messages: string][] = [
    ["type: pushover, token: $T, user: $U, priority: 3", "one of -2, -1, 0, 1, 2, found"],
    ["type: jsm, api-key: $KEY, priority: high", "one of P1, P2, P3, P4, P5, found"],
  ];
  for (const [channel, expected] of wrong) {
    const { config, problems } = await parseConfig(`notifications: [{ ${channel} }]\n${SITES}`);
    assertEquals(config!.notifications.map(({ priority }) => priority), [undefined]);
    assertEquals(problems.map(({ isIgnored }) => isIgnored), [true]);
    assert(problems[0]!.message.startsWith(`expected ${expected}`), problems[0]!.message);
  }
});
