import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { sendTo } from "../../../helpers/vendors/vendors.ts";
import { type VendorAnswer, vendorServer } from "../../../helpers/vendors/vendor_server.ts";

const PAGER = { type: "pagerduty", "integration-key": "$KEY" } as const;
const METRICS = { type: "datadog", "api-key": "$KEY" } as const;

function sent(notification: Notification, events: SiteEvent[], answers: VendorAnswer[] = []) {
  const secrets = { KEY: "0123456789abcdef" };
  return sendTo((url) => ({ ...notification, url }), { events, answers, secrets });
}

/** The addresses that would be sent to. */
function addresses(notification: Notification): string[] {
  const channel = CHANNELS[notification.type as keyof typeof CHANNELS];
  const requests = channel.preview(notification, messageOf(), sendingWith());
  return (requests as { address: string }[]).map(({ address }) => address);
}

Deno.test("PagerDuty gets an outage and its end with the same key", async () => {
  const down = await sent(PAGER, [siteEvent()]);
  assertEquals(down.seen[0]!.path, "/v2/enqueue");
  assertEquals(down.bodies, [{
    routing_key: "0123456789abcdef",
    dedup_key: "acme/status:shop:2026-11-21-shop",
    event_action: "trigger",
    client: "acme/status",
    client_url: "https://status.acme.example",
    payload: {
      summary: "Shop is down: answered 503 Service Unavailable, since 09:55 UTC",
      source: "https://shop.example.com/?key=$KEY",
      severity: "critical",
      timestamp: "2026-11-21T09:55:03.120Z",
      component: "shop",
      group: "acme/status",
      class: "down",
      custom_details: {
        site: "Shop",
        incident: "2026-11-21-shop",
        code: 503,
        error: "answered 503 Service Unavailable",
      },
    },
    links: [
      { href: "https://github.com/acme/status/issues/12", text: "Incident" },
      { href: "https://status.acme.example/history/shop", text: "Status page" },
    ],
  }]);
  const up = await sent(PAGER, [siteEvent({ kind: "up" })]);
  assertEquals(up.bodies, [{
    routing_key: "0123456789abcdef",
    dedup_key: "acme/status:shop:2026-11-21-shop",
    event_action: "resolve",
  }]);
});

Deno.test("PagerDuty gets a hint and what the site's configuration says", async () => {
  const site = { description: "Sells everything", group: "EU", tags: ["db", "web"] };
  const runbook = "https://wiki.example.com/shop";
  const { bodies: [{ payload, links }] } = await sent(PAGER, [
    siteEvent({ ...site, runbook, hint: "It may be overloaded." }),
  ]);
  const { hint, description, group, tags, runbook: steps } = payload.custom_details;
  assertEquals([hint, description, group, tags, steps], [
    "It may be overloaded.",
    "Sells everything",
    "EU",
    "db, web",
    runbook,
  ]);
  assertEquals(links.at(-1), { href: runbook, text: "Runbook" });
});

Deno.test("severity and component are as configured, or derived from the event", async () => {
  const payload = async (notification: Notification, event: SiteEvent) =>
    (await sent(notification, [event])).bodies[0].payload;
  assertEquals((await payload(PAGER, siteEvent({ kind: "degraded" }))).severity, "warning");
  const minor = siteEvent({ kind: "down", severity: "warning" });
  assertEquals((await payload(PAGER, minor)).severity, "warning");
  const configured = { ...PAGER, severity: "error", component: "front" } as const;
  const { severity, component } = await payload(configured, siteEvent({ kind: "degraded" }));
  assertEquals([severity, component], ["error", "front"]);
});

Deno.test("a reminder has the key of its alert, so that it does not page again", async () => {
  const first = await sent(PAGER, [siteEvent()]);
  const second = await sent(PAGER, [siteEvent({ reminder: true })]);
  assertEquals(first.bodies[0].dedup_key, second.bodies[0].dedup_key);
});

Deno.test("PagerDuty gets the last of several events of one incident", async () => {
  const other = siteEvent({ name: "B", slug: "b", incident: "2026-11-21-b" });
  const { bodies } = await sent(PAGER, [siteEvent(), other, siteEvent({ kind: "up" })]);
  assertEquals(bodies.map(({ event_action, dedup_key }) => [event_action, dedup_key]), [
    ["resolve", "acme/status:shop:2026-11-21-shop"],
    ["trigger", "acme/status:b:2026-11-21-b"],
  ]);
});

Deno.test("a key too long for a vendor is cut and stays different from others", async () => {
  const slugs = ["a", "b"].map((end) => "x".repeat(300) + end);
  for (
    const [notification, field, longest] of [
      [PAGER, "dedup_key", 255],
      [METRICS, "aggregation_key", 100],
    ] as const
  ) {
    const { bodies } = await sent(
      notification,
      slugs.map((slug) => siteEvent({ slug, incident: `2026-11-21-${slug}` })),
    );
    const keys = bodies.map((body) => body[field]);
    assert(new Set(keys).size === 2 && keys.every((key: string) => key.length <= longest));
  }
});

Deno.test("an event that PagerDuty refuses does not affect the others", async () => {
  const invalid = {
    status: 400,
    body:
      '{"status":"invalid event","message":"Event object is invalid","errors":["Length of \'payload\' is too long"]}',
  };
  const { result, seen } = await sent(PAGER, manyEvents(4), [invalid]);
  assertEquals([seen.length, result.kind], [4, "permanent"]);
  assertStringIncludes(
    result.message,
    "answered 400: Event object is invalid: Length of 'payload' is too long",
  );
});

Deno.test("if a vendor is unreachable, the events after the first are not tried one by one", async () => {
  const away: VendorAnswer = { status: 503 };
  const { result, seen } = await sent(PAGER, manyEvents(40), [away, away, away]);
  assertEquals([seen.length, result.kind], [3, "transient"]);
});

Deno.test("credentials in the address of a gateway are sent as an Authorization header", async () => {
  await using server = await vendorServer({ status: 202 });
  const url = server.url.replace("//", "//me:$PASS@");
  const secrets = { KEY: "0123456789abcdef", PASS: "p@ss/1" };
  await CHANNELS.pagerduty.send({ ...PAGER, url }, messageOf(), sendingWith(secrets));
  assertEquals(server.seen[0]!.path, "/v2/enqueue");
  assertEquals(server.seen[0]!.headers["authorization"], `Basic ${btoa("me:p@ss/1")}`);
});

Deno.test("no request starts after 100 seconds, so that a slow vendor outlasts no job", async () => {
  await using server = await vendorServer({ status: 202 });
  const sending = sendingWith({ KEY: "0123456789abcdef" });
  const { clock } = sending;
  const now = clock.now.bind(clock);
  clock.elapsed = () => server.seen.length * 50_000;
  const work = CHANNELS.pagerduty.send(
    { ...PAGER, url: server.url },
    messageOf(...manyEvents(9)),
    { ...sending, clock: Object.assign(clock, { now }) },
  );
  const error = await work.catch((error) => error);
  assertEquals([error.kind, server.seen.length], ["transient", 3]);
  assertEquals(error.message, "PagerDuty took 3 of 9 messages in 100 s");
});

Deno.test("Datadog gets each event with its tags", async () => {
  const { seen, bodies } = await sent({ ...METRICS, tags: ["team:web", "env:$KEY"] }, [
    siteEvent(),
    siteEvent({ kind: "up" }),
  ]);
  assertEquals(seen[0]!.path, "/api/v1/events");
  assertEquals(seen[0]!.headers["dd-api-key"], "0123456789abcdef");
  assertEquals(bodies[0], {
    title: "Shop is down",
    text: [
      "answered 503 Service Unavailable, since 09:55 UTC",
      "Address: https://shop.example.com/?key=$KEY",
      "Incident: https://github.com/acme/status/issues/12",
      "Status page: https://status.acme.example/history/shop",
    ].join("\n"),
    alert_type: "error",
    priority: "normal",
    aggregation_key: "acme/status:shop:2026-11-21-shop",
    tags: ["team:web", "env:0123456789abcdef", "site:shop", "status:down"],
    date_happened: 1795254903,
  });
  assertEquals([bodies[1].alert_type, bodies[1].tags.at(-1)], ["success", "status:up"]);
});

Deno.test("an event that is too old for Datadog, or from the future, is dated by its arrival", async () => {
  for (const since of ["2026-11-20T15:00:00Z", "2026-11-21T10:05:00Z"]) {
    const { bodies } = await sent(METRICS, [siteEvent({ since })]);
    assertEquals(bodies[0].date_happened, undefined);
  }
  const { bodies } = await sent(METRICS, [siteEvent({ since: "2026-11-20T17:00:00Z" })]);
  assert(bodies[0].date_happened !== undefined);
});

Deno.test("vendors are reached at their usual address, in a region, or at url", () => {
  assertEquals(addresses(PAGER), ["https://events.pagerduty.com/v2/enqueue"]);
  assertEquals(addresses({ ...PAGER, url: "https://events.eu.pagerduty.com/" }), [
    "https://events.eu.pagerduty.com/v2/enqueue",
  ]);
  assertEquals(addresses({ ...PAGER, url: "https://events.eu.pagerduty.com/v2/enqueue" }), [
    "https://events.eu.pagerduty.com/v2/enqueue",
  ]);
  const datadog = (site?: string) => addresses({ ...METRICS, site })[0];
  assertEquals(datadog(), "https://api.datadoghq.com/api/v1/events");
  assertEquals(datadog("datadoghq.eu"), "https://api.datadoghq.eu/api/v1/events");
  assertEquals(datadog("us5.datadoghq.com"), "https://api.us5.datadoghq.com/api/v1/events");
  assertEquals(datadog("EU1"), "https://api.datadoghq.eu/api/v1/events");
  assertEquals(datadog("https://app.datadoghq.eu/"), "https://api.datadoghq.eu/api/v1/events");
  assertEquals(addresses({ ...METRICS, url: "https://gateway.example/dd" }), [
    "https://gateway.example/dd/api/v1/events",
  ]);
  assertEquals(
    addresses({ type: "telegram", "bot-token": "$TOKEN", "chat-id": "1" }),
    ["https://api.telegram.org/bot$TOKEN/sendMessage"],
  );
});
