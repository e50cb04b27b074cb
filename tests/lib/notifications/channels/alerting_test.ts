import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { upptimeChannels, withSingleRecipients } from "../../../../lib/config/upptime/channels.ts";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { ChannelType, Notification } from "../../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { checkMatrix } from "../../../helpers/vendors/alerting.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { sendTo } from "../../../helpers/vendors/vendors.ts";
import type { VendorAnswer } from "../../../helpers/vendors/vendor_server.ts";

const KEY = "0123456789abcdef";

function sent(
  notification: (url: string) => Notification,
  events: SiteEvent[] = [siteEvent()],
  answers: VendorAnswer[] = [],
) {
  return sendTo(notification, { events, answers, secrets: { KEY } });
}

const matrix = (url: string): Notification => ({
  type: "matrix",
  url,
  token: "$KEY",
  room: "!abc/d:acme.example",
});
const pushover = (url: string): Notification => ({
  type: "pushover",
  url,
  token: "$KEY",
  user: "u1",
});
const emergency = (url: string): Notification => ({ ...pushover(url), priority: "2", retry: 120 });
const jsm = (url: string): Notification => ({ type: "jsm", url, "api-key": "$KEY" });
const incidentIo = (url: string): Notification => ({
  type: "incident-io",
  url: `${url}/v2/alert_events/http/01GW`,
  token: "$KEY",
});
const twilio = (url: string): Notification => ({
  type: "twilio",
  url,
  token: "$KEY",
  "account-sid": "AC0",
  "from-number": "+15005550006",
  "to-number": "436641234567",
});
const apprise = (url: string): Notification => ({ type: "apprise", url: `${url}/notify/ops` });

Deno.test("the transaction id of a Matrix message is its message id, and the message mentions nobody", async () => {
  const { seen, bodies } = await sent(matrix, [siteEvent({ name: "<b>@room", error: "a & b" })]);
  assertEquals(seen[0]!.method, "PUT");
  assertEquals(
    seen[0]!.path,
    "/_matrix/client/v3/rooms/!abc%2Fd%3Aacme.example/send/m.room.message/9f3c01ab",
  );
  assertEquals(seen[0]!.headers["authorization"], `Bearer ${KEY}`);
  assertEquals(bodies[0], {
    msgtype: "m.text",
    body: [
      "🛑 <b>@\u200broom is down",
      "a & b",
      "Since: 09:55 UTC",
      "Code: 503",
      "Address: https://shop.example.com/?key=$KEY",
      "Incident: https://github.com/acme/status/issues/12",
      "Status page: https://status.acme.example/history/shop",
    ].join("\n"),
    format: "org.matrix.custom.html",
    formatted_body: [
      "🛑 <strong>&lt;b&gt;@\u200broom is down</strong>",
      "a &amp; b",
      "Since: 09:55 UTC",
      "Code: 503",
      "Address: https://shop.example.com/?key=$KEY",
      '<a href="https://github.com/acme/status/issues/12">Incident</a> · <a href="https://status.acme.example/history/shop">Status page</a>',
    ].join("<br>"),
    "m.mentions": {},
  });
});

Deno.test("a message of Matrix fits into an event, however much its texts have to be escaped", () => {
  const long = '"&'.repeat(3_000);
  const event = siteEvent({ name: long, error: long, url: `https://a.example/${long}` });
  for (const events of [[event], manyEvents(200, { name: long, error: long })]) {
    const [{ body }] = CHANNELS.matrix.preview(
      matrix("https://a.example"),
      messageOf(...events),
      sendingWith(),
    ) as [{ body: unknown }];
    checkMatrix(body);
  }
});

Deno.test("Matrix notifies people of an outage, and shows a recovery without a sound", async () => {
  const typeOf = async (...kinds: SiteEvent["kind"][]) =>
    (await sent(matrix, kinds.map((kind, index) => siteEvent({ kind, slug: `s${index}` }))))
      .bodies[0].msgtype;
  assertEquals(await typeOf("up"), "m.notice");
  assertEquals(await typeOf("up", "degraded"), "m.text");
  assertEquals(await typeOf("test"), "m.text");
});

Deno.test("a template for Matrix is HTML, and plain text without its tags", async () => {
  const template = "<b>$SITE_NAME</b> is $STATUS";
  const { bodies } = await sent(
    (url) => ({ ...matrix(url), "message-template": template }),
    [siteEvent({ name: "<i>A" })],
  );
  assertEquals(bodies[0].body, "<i>A is down");
  assertEquals(bodies[0].formatted_body, "<b>&lt;i&gt;A</b> is down");
});

Deno.test("an older server of Matrix asks to wait in its body", async () => {
  const limited = {
    status: 429,
    body: '{"errcode":"M_LIMIT_EXCEEDED","error":"Too many requests","retry_after_ms":2500}',
  };
  const { waits, seen } = await sent(matrix, [siteEvent()], [limited]);
  assertEquals([waits, new Set(seen.map(({ path }) => path)).size], [[2750], 1]);
});

Deno.test("Pushover gets an outage with a high priority, and everything else with the usual one", async () => {
  const { seen, bodies } = await sent(pushover);
  assertEquals(seen[0]!.path, "/1/messages.json");
  assertEquals(bodies[0], {
    token: KEY,
    user: "u1",
    title: "Shop is down",
    message: [
      "answered 503 Service Unavailable",
      "Since: 09:55 UTC",
      "Address: https://shop.example.com/?key=$KEY",
    ].join("\n"),
    priority: 1,
    timestamp: 1795254903,
    url: "https://github.com/acme/status/issues/12",
    url_title: "Incident",
  });
  for (const [priority, down, up] of [[undefined, 1, 0], ["0", 0, 0], ["-1", -1, -1]] as const) {
    const configured = (url: string) => ({ ...pushover(url), priority });
    const priorities = await Promise.all(
      (["down", "degraded", "up"] as const).map(async (kind) =>
        (await sent(configured, [siteEvent({ kind })])).bodies[0].priority
      ),
    );
    assertEquals(priorities, [down, up, up]);
  }
});

Deno.test("an emergency of Pushover is for critical outages, and its end is a message like others", async () => {
  const { priority, retry, expire } = (await sent(emergency)).bodies[0];
  assertEquals([priority, retry, expire], [2, 120, 3600]);
  const others: Partial<SiteEvent>[] = [
    { kind: "degraded" },
    { severity: "warning" },
    { kind: "up" },
    { kind: "notice", news: "acknowledged" },
  ];
  for (const changes of others) {
    const { seen, bodies } = await sent(emergency, [siteEvent(changes)]);
    assertEquals(seen.map(({ path }) => path), ["/1/messages.json"]);
    assertEquals([bodies[0].priority, bodies[0].tags], [0, undefined]);
  }
});

Deno.test("a quota of Pushover that is used up is no wait of minutes, but until it is renewed", async () => {
  const at = Date.parse("2026-12-01T06:00:00Z");
  const used = (headers: Record<string, string>) => ({
    status: 429,
    headers,
    body: '{"status":0,"errors":["application has exceeded its monthly limit"]}',
  });
  const allHeaders: Record<string, string>[] = [{ "X-Limit-App-Reset": String(at / 1000) }, {}];
  for (const headers of allHeaders) {
    const { result, seen, waits } = await sent(pushover, [siteEvent()], [used(headers)]);
    assertEquals([seen.length, waits, result.kind], [1, [], "misconfigured"]);
    assertEquals(result.retryAfter, at - Date.parse("2026-11-21T10:00:00Z"));
    assertMatch(result.message, /answered 429: .*; the messages of this application are used up/);
  }
});

Deno.test("Pushover is retried 5 seconds after a server error, and an hour after a client error", async () => {
  const passing = await sent(pushover, [siteEvent()], [{ status: 500 }]);
  assertEquals([passing.waits, passing.seen.length], [[5000], 2]);
  for (
    const [error, cure] of [
      ["application token is invalid", "check token"],
      ["user identifier is not a valid user, group, or subscribed user key", "check user"],
    ] as const
  ) {
    const body = JSON.stringify({ status: 0, errors: [error] });
    const { result, seen } = await sent(pushover, [siteEvent()], [{ status: 400, body }]);
    assertEquals([result.kind, seen.length, result.retryAfter], ["misconfigured", 1, 3_600_000]);
    assertStringIncludes(result.message, cure);
  }
});

Deno.test("JSM gets an outage and its end with the same alias", async () => {
  const down = await sent(jsm);
  assertEquals(down.seen[0]!.path, "/v2/alerts");
  assertEquals(down.seen[0]!.headers["authorization"], `GenieKey ${KEY}`);
  assertEquals(down.bodies[0], {
    message: "Shop is down",
    description: [
      "answered 503 Service Unavailable, since 09:55 UTC",
      "Address: https://shop.example.com/?key=$KEY",
      "Incident: https://github.com/acme/status/issues/12",
      "Status page: https://status.acme.example/history/shop",
    ].join("\n"),
    priority: "P1",
    entity: "Shop",
    tags: ["shop", "down"],
    details: {
      incident: "2026-11-21-shop",
      error: "answered 503 Service Unavailable",
      code: "503",
      url: "https://shop.example.com/?key=$KEY",
    },
    alias: "acme:status:shop:2026-11-21-shop",
    source: "acme/status",
  });
  const up = await sent(jsm, [siteEvent({ kind: "up" })]);
  assertEquals(up.seen[0]!.path, "/v2/alerts/acme%3Astatus%3Ashop%3A2026-11-21-shop/close");
  assertEquals([...up.seen[0]!.query], [["identifierType", "alias"]]);
  const both = await sent(jsm, [siteEvent(), siteEvent({ kind: "up" })]);
  assertEquals(both.seen.map(({ path }) => path), [up.seen[0]!.path]);
});

Deno.test("JSM's answer 202 counts as sent; priority and tags are those configured", async () => {
  const accepted = { status: 202, body: '{"result":"Request will be processed","took":0.1}' };
  const configured = (url: string) => ({ ...jsm(url), priority: "P2", tags: ["team-web"] });
  const { result, bodies } = await sent(configured, [siteEvent()], [accepted]);
  assertEquals(result, "answered 202");
  assertEquals([bodies[0].priority, bodies[0].tags], ["P2", ["team-web", "shop", "down"]]);
  for (const changes of [{ kind: "degraded" }, { severity: "warning" }] as const) {
    const { bodies } = await sent(configured, [siteEvent(changes)]);
    assertEquals(bodies[0].priority, "P3");
  }
});

Deno.test("JSM has a default address, and Opsgenie's can be configured", () => {
  const address = (url?: string) => {
    const [request] = CHANNELS.jsm.preview(
      { type: "jsm", "api-key": "$KEY", url },
      messageOf(),
      sendingWith(),
    ) as { address: string }[];
    return request!.address;
  };
  assertEquals(address(), "https://api.atlassian.com/jsm/ops/integration/v2/alerts");
  assertEquals(address("https://api.eu.opsgenie.com"), "https://api.eu.opsgenie.com/v2/alerts");
});

Deno.test("incident.io gets an outage and its end with the same key", async () => {
  const down = await sent(incidentIo, [siteEvent({ error: "*a* <b>" })]);
  assertEquals(down.seen[0]!.path, "/v2/alert_events/http/01GW");
  assertEquals(down.seen[0]!.headers["authorization"], `Bearer ${KEY}`);
  const { title, status, deduplication_key, source_url, description } = down.bodies[0];
  assertEquals([title, status, deduplication_key, source_url], [
    "Shop is down",
    "firing",
    "acme/status:shop:2026-11-21-shop",
    "https://github.com/acme/status/issues/12",
  ]);
  assert(description.startsWith("\\*a\\* \\<b\\>, since 09:55"), description);
  const up = await sent(incidentIo, [siteEvent({ kind: "up" })]);
  assertEquals(up.bodies.map(({ status, deduplication_key }) => [status, deduplication_key]), [
    ["resolved", "acme/status:shop:2026-11-21-shop"],
  ]);
  const limited = {
    status: 429,
    body: '{"type":"too_many_requests","status":429,"rate_limit":{"retry_after":3}}',
    headers: { "Retry-After": "3" },
  };
  const { waits, result } = await sent(incidentIo, [siteEvent()], [limited]);
  assertEquals([waits, result], [[3250], "answered 202"]);
});

Deno.test("Twilio gets a form with one segment and the login of the account or of an API key", async () => {
  const { seen, forms } = await sent(twilio);
  assertEquals(seen[0]!.path, "/2010-04-01/Accounts/AC0/Messages.json");
  assertEquals(seen[0]!.headers["content-type"], "application/x-www-form-urlencoded");
  assertEquals(seen[0]!.headers["authorization"], `Basic ${btoa(`AC0:${KEY}`)}`);
  assertEquals(forms[0], {
    To: "+436641234567",
    From: "+15005550006",
    Body:
      "Shop is down: answered 503 Service Unavailable, since 09:55 UTC https://github.com/acme/status/issues/12",
    RiskCheck: "disable",
  });
  const service = await sent((url) => ({
    ...twilio(url),
    "key-sid": "SK1",
    "from-number": `MG${"0".repeat(32)}`,
  }));
  assertEquals(service.seen[0]!.headers["authorization"], `Basic ${btoa(`SK1:${KEY}`)}`);
  assertEquals([service.forms[0]!["From"], service.forms[0]!["MessagingServiceSid"]], [
    undefined,
    `MG${"0".repeat(32)}`,
  ]);
});

Deno.test("a text message is as long as one segment of its alphabet, or two if its end needs them", async () => {
  const long = "x ".repeat(200);
  const texts: [changes: Partial<SiteEvent>, text: RegExp, longest: number][] = [
    [{ error: long }, /^Shop is down: x x .* x\.\.\., since 09:55 UTC https:\S+\/12$/, 160],
    [
      { name: "Café “Zoë” – Łódź…", error: "ok" },
      /^Café "Zoe" - Lodz\.\.\. is down: ok, since 09:55 UTC https:/,
      160,
    ],
    [
      { name: "Магазин", error: long },
      /^Магазин is down: x .*\.\.\., since .* https:\S+\/12$/,
      134,
    ],
    [{ name: "🛒 Shop", error: "" }, /^🛒 Shop is down, since 09:55 UTC https:/, 134],
    [{ error: "{}".repeat(100) }, /^Shop is down: [{}]+\.\.\., since .* https:/, 122],
    [
      { error: "down in Rome (up in Oslo): reset" },
      /^Shop is down in Rome \(up in Oslo\): reset, since 09:55 UTC https:/,
      160,
    ],
  ];
  for (const [changes, text, longest] of texts) {
    const { forms } = await sent(twilio, [siteEvent(changes)]);
    assertMatch(forms[0]!["Body"]!, text);
    assert(forms[0]!["Body"]!.length <= longest, forms[0]!["Body"]);
  }
  const many = await sent(twilio, manyEvents(50));
  assert(many.seen.length === 1 && many.forms[0]!["Body"]!.length <= 160);
  const template = { "message-template": "$SITE_NAME: $ERROR" };
  const own = await sent((url) => ({ ...twilio(url), ...template }), [siteEvent({ error: long })]);
  assertEquals(own.forms[0]!["Body"]!.length <= 459 && own.forms[0]!["Body"]!.length > 300, true);
});

Deno.test("a Twilio error says what to change, even inside a successful response", async () => {
  const codes: [status: number, body: string, cure: string][] = [
    [401, '{"code":20003,"message":"Authenticate"}', "check account-sid and token"],
    [400, '{"code":21211,"message":"The \'To\' number is not valid"}', "check to-number"],
    [400, '{"code":21610,"message":"Attempt to send to unsubscribed recipient"}', "opted out"],
    [400, '{"code":21606,"message":"The \'From\' number is not valid"}', "check from-number"],
    [201, '{"sid":"SM1","status":"failed","error_code":30034}', "its registration"],
  ];
  for (const [status, body, cure] of codes) {
    const { result, seen } = await sent(twilio, [siteEvent()], [{ status, body }]);
    assertEquals([result.kind, seen.length], ["misconfigured", 1], body);
    assertStringIncludes(result.message, cure);
  }
  const busy = { status: 429, body: '{"code":20429,"message":"Too many requests"}' };
  assertEquals((await sent(twilio, [siteEvent()], [busy])).result, "answered 201");
});

Deno.test("Apprise gets plain text, the kind of the event and the tags of targets", async () => {
  const { seen, bodies } = await sent((url) => ({ ...apprise(url), tags: ["ops", "oncall"] }));
  assertEquals(seen[0]!.path, "/notify/ops");
  assertEquals(bodies[0].title, "🛑 Shop is down");
  assertEquals([bodies[0].type, bodies[0].format, bodies[0].tag], [
    "failure",
    "text",
    "ops,oncall",
  ]);
  assertStringIncludes(bodies[0].body, "Incident: https://github.com/acme/status/issues/12");
  assertEquals((await sent(apprise, [siteEvent({ kind: "up" })])).bodies[0].type, "success");
});

Deno.test("Apprise's 204 counts as not sent, and 424 as sent to nobody or only to some targets", async () => {
  const nothing = await sent(apprise, [siteEvent()], [{ status: 204 }]);
  assertEquals(nothing.result.kind, "misconfigured");
  assertStringIncludes(nothing.result.message, "answered 204; nothing is saved for the key");
  const failed = (...details: string[][]): VendorAnswer => ({
    status: 424,
    body: JSON.stringify({ error: "One or more notification could not be sent", details }),
  });
  const warning = ["WARNING", "2026-11-21 10:00:00", "Failed to send Discord notification"];
  const nobody = await sent(apprise, [siteEvent()], [failed(warning)]);
  assertEquals([nobody.result.kind, nobody.refused], ["misconfigured", []]);
  assertStringIncludes(nobody.result.message, "no target was notified");
  const some = await sent(apprise, [siteEvent()], [
    failed(warning, ["INFO", "2026-11-21 10:00:00", "Sent Telegram notification."]),
  ]);
  assertStringIncludes(some.result, "answered 424");
  assertEquals([some.seen.length, some.refused.length], [1, 1]);
});

const SINGLE: ChannelType[] = ["jsm", "incident-io"];

Deno.test("a repeated event has the key of its alert, and no two incidents share one", () => {
  for (const type of SINGLE) {
    const keyOf = (changes: Partial<SiteEvent>) => {
      const notification: Notification = {
        type,
        url: "https://a.example/x",
        token: "k",
        "api-key": "k",
      };
      const [{ body }] = CHANNELS[type].preview(
        notification,
        messageOf(siteEvent(changes)),
        sendingWith(),
      ) as [{ body: { alias?: string; deduplication_key?: string } }];
      return body.alias ?? body.deduplication_key;
    };
    assertEquals(keyOf({ reminder: true }), keyOf({}));
    const slug = "x".repeat(600);
    const keys = ["a", "b"].map((end) => keyOf({ slug: slug + end, incident: slug + end }));
    assert(new Set(keys).size === 2 && keys.every((key) => key!.length <= 512));
  }
});

Deno.test("Upptime's secrets are channels that name them, one for each number of Twilio", () => {
  const secrets = withSingleRecipients({
    NOTIFICATION_EMAIL_SMTP: "true",
    NOTIFICATION_EMAIL: "jo@a.example",
    NOTIFICATION_EMAIL_SMTP_HOST: "mail.example",
    NOTIFICATION_EMAIL_SMTP_PORT: "25",
    NOTIFICATION_EMAIL_SMTP_USERNAME: "jo",
    NOTIFICATION_SLACK: "true",
    NOTIFICATION_SLACK_WEBHOOK: "true",
    NOTIFICATION_SLACK_WEBHOOK_URL: "a",
    NOTIFICATION_DISCORD_WEBHOOK_URL: "a",
    NOTIFICATION_TEAMS: "true",
    NOTIFICATION_TEAMS_WEBHOOK_URL: "a",
    NOTIFICATION_SMS_TWILIO: "true",
    NOTIFICATION_SMS_TWILIO_ACCOUNT_SID: "AC1",
    NOTIFICATION_SMS_TWILIO_AUTH_TOKEN: "t",
    NOTIFICATION_SMS_FROM: "+15005550006",
    NOTIFICATION_SMS_TO: "+15005550001, +15005550002",
    NOTIFICATION_GOOGLE_CHAT_WEBHOOK_URL: "a",
    NOTIFICATION_ZULIP_MESSAGE_URL: "a",
    NOTIFICATION_ZULIP_API_EMAIL: "a",
    NOTIFICATION_ZULIP_API_KEY: "a",
    NOTIFICATION_GOTIFY: "true",
    NOTIFICATION_GOTIFY_URL: "a",
    NOTIFICATION_GOTIFY_TOKEN: "a",
    NOTIFICATION_CUSTOM_WEBHOOK: "true",
    NOTIFICATION_CUSTOM_WEBHOOK_URL: "a",
  });
  const channels = upptimeChannels((name) => secrets[name] ?? "");
  assertEquals(
    channels.map(({ type, on: _on, body: _body, headers: _headers, ...keys }) =>
      [type, ...Object.values(keys)].join(" ").replaceAll("$NOTIFICATION_", "$")
    ),
    [
      "email $EMAIL_SMTP_HOST $EMAIL_SMTP_PORT $EMAIL_SMTP_USERNAME $EMAIL_SMTP_PASSWORD $EMAIL $EMAIL",
      "slack $SLACK_WEBHOOK_URL",
      "discord $DISCORD_WEBHOOK_URL",
      "teams $TEAMS_WEBHOOK_URL",
      "twilio $SMS_TWILIO_ACCOUNT_SID $SMS_TWILIO_AUTH_TOKEN $SMS_FROM $SMS_TO_1",
      "twilio $SMS_TWILIO_ACCOUNT_SID $SMS_TWILIO_AUTH_TOKEN $SMS_FROM $SMS_TO_2",
      "google-chat $GOOGLE_CHAT_WEBHOOK_URL",
      "zulip $ZULIP_MESSAGE_URL $ZULIP_API_EMAIL $ZULIP_API_KEY",
      "gotify $GOTIFY_URL $GOTIFY_TOKEN",
      "webhook $CUSTOM_WEBHOOK_URL",
    ],
  );
  assertEquals(
    ["1", "2"].map((number) => secrets[`NOTIFICATION_SMS_TO_${number}`]),
    ["+15005550001", "+15005550002"],
  );
});
