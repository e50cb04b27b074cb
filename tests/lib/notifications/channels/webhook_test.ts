import { describeDestination } from "../../../../lib/config/channels/kinds.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { webhook } from "../../../../lib/notifications/channels/webhook.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { hostileText } from "../../../helpers/hostile_text.ts";
import fc from "../../../helpers/property.ts";
import { messageOf, sendingWith, siteEvent } from "../../../helpers/vendors/messages.ts";
import { type VendorAnswer, vendorServer } from "../../../helpers/vendors/vendor_server.ts";

/** Sends a message to a server; returns the result and the requests. */
async function sent(
  keys: Partial<Notification>,
  { events = [siteEvent()], secrets = {}, answers = [] }: {
    events?: SiteEvent[];
    secrets?: Record<string, string>;
    answers?: VendorAnswer[];
  } = {},
) {
  await using server = await vendorServer({ status: 204 }, answers);
  const { url = "/in", ...others } = keys;
  const notification: Notification = { type: "webhook", url: `${server.url}${url}`, ...others };
  const work = webhook.send(notification, messageOf(...events), sendingWith(secrets));
  const result = await work.catch((error) => error);
  return { result, seen: server.seen, first: server.seen[0]! };
}

const HOSTILE = siteEvent({ name: 'the "shop" & <co>', error: "a=b&c" });

Deno.test("a mass outage is several requests below 1 MB, each with an id of its own and 500 events at most", async () => {
  const events = Array.from({ length: 1200 }, (_, index) => siteEvent({ id: `e${index}` }));
  const { seen } = await sent({}, { events });
  assertEquals(seen.map(({ json }) => json.events.length), [500, 500, 200]);
  assertEquals(seen.map(({ headers }) => headers["x-monitor-delivery"]), [
    "9f3c01ab",
    "9f3c01ab/2",
    "9f3c01ab/3",
  ]);
  assert(seen.every(({ json }) => JSON.stringify(json).length < 500_000));
});

Deno.test("a webhook without a body is sent everything, in one JSON for all events", async () => {
  const { seen, first } = await sent({}, {
    events: [siteEvent({ kind: "up", name: "A", slug: "a", id: "e1" }), siteEvent({ id: "e2" })],
  });
  assertEquals(seen.length, 1);
  assertEquals([first.method, first.headers["content-type"]], ["POST", "application/json"]);
  assertEquals(first.headers["x-monitor-event"], "down");
  assertEquals(first.headers["x-monitor-delivery"], "9f3c01ab");
  assertEquals(first.json, {
    version: "1",
    id: "9f3c01ab",
    type: "down",
    monitor: "acme/status",
    repository: "https://github.com/acme/status",
    page: "https://status.acme.example",
    headline: "Shop is down, A is up again",
    text: [
      "A is up again after 2 hours 5 minutes (07:50 to 09:55 UTC)",
      "Shop is down: answered 503 Service Unavailable, since 09:55 UTC",
    ].join("\n"),
    events: [
      {
        id: "e1",
        type: "up",
        reminder: false,
        site: { name: "A", slug: "a", url: "https://shop.example.com/?key=$KEY" },
        since: "2026-11-21T09:55:03.120Z",
        lasted_ms: 7_500_000,
        code: 200,
        error: "",
        attempts: 1,
        response_time_ms: 123,
        incident: {
          id: "2026-11-21-shop",
          number: 12,
          url: "https://github.com/acme/status/issues/12",
        },
        text: "A is up again after 2 hours 5 minutes (07:50 to 09:55 UTC)",
      },
      {
        id: "e2",
        type: "down",
        reminder: false,
        site: { name: "Shop", slug: "shop", url: "https://shop.example.com/?key=$KEY" },
        since: "2026-11-21T09:55:03.120Z",
        code: 503,
        error: "answered 503 Service Unavailable",
        attempts: 3,
        incident: {
          id: "2026-11-21-shop",
          number: 12,
          url: "https://github.com/acme/status/issues/12",
        },
        text: "Shop is down: answered 503 Service Unavailable, since 09:55 UTC",
      },
    ],
  });
});

Deno.test("a template replaces the texts in that JSON", async () => {
  const { first } = await sent({ "message-template": "$SITE_NAME: $STATUS" }, {
    events: [HOSTILE],
  });
  assertEquals(first.json.events[0].text, 'the "shop" & <co>: down');
  assertEquals(first.json.text, 'the "shop" & <co>: down');
});

const GROUP = [
  siteEvent({ kind: "up", name: "A", slug: "a", id: "e1" }),
  siteEvent({ name: 'the "shop" \\', slug: "shop", id: "e2", error: "a=b&c\n</x>" }),
];

Deno.test("a configured body with $EVENTS or $SUMMARY is sent once for all events of a message", async () => {
  const body =
    '{"events": $EVENTS, "text": "now: $EVENTS", "summary": $SUMMARY, "said": "$SUMMARY", "worst": "$SITE_NAME"}';
  const { seen, first: { json, headers } } = await sent({ body }, { events: GROUP });
  assertEquals([seen.length, headers["x-monitor-delivery"]], [1, "9f3c01ab"]);
  const { first: { json: { events } } } = await sent({}, { events: GROUP });
  assertEquals(json.events, events);
  assertEquals(JSON.parse(json.text.slice("now: ".length)), events);
  assertEquals(
    json.summary,
    [
      'the "shop" \\ is down, A is up again',
      'the "shop" \\ is down: a=b&c </x>, since 09:55 UTC',
      "A is up again after 2 hours 5 minutes (07:50 to 09:55 UTC)",
    ].join("\n"),
  );
  assertEquals([json.said, json.worst], [json.summary, 'the "shop" \\']);
});

Deno.test("$EVENTS and $SUMMARY are encoded for JSON, form fields and the query of an address", async () => {
  const list = await sent({ body: "$EVENTS" }, { events: GROUP });
  assertEquals(list.first.headers["content-type"], "application/json");
  assertEquals(list.first.json.length, 2);
  const form = await sent({ body: "all=$EVENTS&text=$SUMMARY" }, { events: GROUP });
  const fields = new URLSearchParams(form.first.text);
  assertEquals(JSON.parse(fields.get("all")!), list.first.json);
  const get = await sent({ url: "/in?text=$SUMMARY", method: "GET" }, { events: GROUP });
  assertEquals([get.seen.length, get.first.query.get("text")], [
    1,
    fields.get("text")!.replaceAll("\n", " "),
  ]);
  const single = await sent({ body: '{"text": "$SUMMARY"}' });
  assertEquals(
    single.first.json.text,
    "Shop is down: answered 503 Service Unavailable, since 09:55 UTC",
  );
});

Deno.test("a summary of very many events says how many are left out", async () => {
  const events = Array.from({ length: 200 }, (_, index) => siteEvent({ slug: `s${index}` }));
  const { first: { json } } = await sent({ body: '{"text": "$SUMMARY"}' }, { events });
  assert(json.text.length < 2_100, `${json.text.length}`);
  assert(
    /^Shop, Shop and 198 more are down\n.*\nand \d+ more$/s.test(json.text),
    json.text.slice(-200),
  );
});

Deno.test("a configured body is sent once for each event, with a delivery of its own", async () => {
  const events = [siteEvent({ id: "e1" }), siteEvent({ id: "e2", kind: "up" })];
  const { seen } = await sent({ body: '{"text": "$SITE_NAME is $SITE_STATUS"}' }, { events });
  assertEquals(seen.map(({ json }) => json), [{ text: "Shop is down" }, { text: "Shop is up" }]);
  assertEquals(seen.map(({ headers }) => headers["x-monitor-delivery"]), [
    "9f3c01ab/e1",
    "9f3c01ab/e2",
  ]);
  assertEquals(seen.map(({ headers }) => headers["x-monitor-event"]), ["down", "up"]);
});

Deno.test("the same delivery has the same name each time it is tried", async () => {
  const { seen } = await sent({}, { answers: [{ status: 500 }, "reset"] });
  assertEquals(seen.map(({ headers }) => headers["x-monitor-delivery"]), [
    "9f3c01ab",
    "9f3c01ab",
    "9f3c01ab",
  ]);
});

Deno.test("values are escaped for the format of the body", async () => {
  const cases: [body: string, headers: Record<string, string>, type: string, text: string][] = [
    [
      '{"a": "$SITE_NAME", "b": $RESPONSE_CODE}',
      {},
      "application/json",
      '{"a": "the \\"shop\\" & <co>", "b": 503}',
    ],
    ["[$SITE_NAME]", {}, "application/json", '["the \\"shop\\" & <co>"]'],
    [
      "name=$SITE_NAME&error=$ERROR",
      {},
      "application/x-www-form-urlencoded",
      "name=the+%22shop%22+%26+%3Cco%3E&error=a%3Db%26c",
    ],
    ["$SITE_NAME is $STATUS", {}, "text/plain; charset=utf-8", 'the "shop" & <co> is down'],
    [
      "<a b='$SITE_NAME'/>",
      { "content-type": "application/xml" },
      "application/xml",
      "<a b='the &quot;shop&quot; &amp; &lt;co&gt;'/>",
    ],
    [
      '"$SITE_NAME" // not JSON yet',
      { "Content-Type": "application/vnd.x+json" },
      "application/vnd.x+json",
      '"the \\"shop\\" & <co>" // not JSON yet',
    ],
  ];
  for (const [body, headers, type, text] of cases) {
    const { first } = await sent({ body, headers }, { events: [HOSTILE] });
    assertEquals([first.headers["content-type"], first.text], [type, text]);
  }
});

Deno.test("JSON stays JSON whatever a name, an error or a secret is", () => {
  fc.assert(fc.property(hostileText(), hostileText(), (name, error) => {
    const notification: Notification = {
      type: "webhook",
      url: "https://a.example",
      body: '{"a": "x $SITE_NAME \\" $ERROR", "b": [$RESPONSE_TIME, $ERROR], "c": "$SITE_NAMES"}',
    };
    const [{ body }] = webhook.preview(
      notification,
      messageOf(siteEvent({ name, error })),
      sendingWith(),
    ) as [{ body: string }];
    const read = JSON.parse(body);
    assertEquals([read.a, read.b[0], read.c], [`x ${name} " ${error}`, 0, "$SITE_NAMES"]);
    if (!/^\d+$/.test(error)) assertEquals(read.b[1], error);
  }));
});

Deno.test("a secret may be a text in JSON or a whole of it", async () => {
  const secrets = { NAME: 'a "b"', PART: '{"deep": [1]}', WORD: "plain" };
  const { first } = await sent({ body: '{"a": "$NAME", "b": $PART, "c": $WORD}' }, { secrets });
  assertEquals(first.json, { a: 'a "b"', b: { deep: [1] }, c: "plain" });
});

Deno.test("placeholders win over secrets, and no value is looked at again", async () => {
  const secrets = { SITE_NAME: "secret", KEY: "$SITE_NAME", TOKEN: "t" };
  const events = [siteEvent({ name: "$TOKEN" })];
  const { first } = await sent({ body: "$SITE_NAME $KEY ${TOKEN} $TOKEN" }, { secrets, events });
  assertEquals(first.text, "$TOKEN $SITE_NAME ${TOKEN} t");
});

Deno.test("placeholders in an address are encoded, and an event each is sent to it", async () => {
  const events = [HOSTILE, siteEvent({ kind: "up", id: "e2" })];
  const { seen } = await sent({ url: "/in/$SITE_NAME?s=$SITE_STATUS&k=$KEY" }, {
    events,
    secrets: { KEY: "a%2Bb" },
  });
  assertEquals(seen.map(({ path }) => path), [
    "/in/the%20%22shop%22%20%26%20%3Cco%3E",
    "/in/Shop",
  ]);
  assertEquals(seen.map(({ query }) => [...query]), [
    [["s", "down"], ["k", "a+b"]],
    [["s", "up"], ["k", "a+b"]],
  ]);
});

Deno.test("a webhook by GET has no body", async () => {
  const { seen, first } = await sent({ method: "get", url: "/?s=$STATUS" }, {
    events: [siteEvent(), siteEvent({ kind: "up", id: "e2" })],
  });
  assertEquals(seen.map(({ method, query }) => [method, query.get("s")]), [
    ["GET", "down"],
    ["GET", "up"],
  ]);
  assertEquals([first.text, first.headers["content-type"]], ["", undefined]);
});

Deno.test("headers take placeholders and secrets, and a login is encoded", async () => {
  const { first } = await sent({
    method: "PUT",
    headers: {
      Title: "$SITE_NAME",
      Authorization: "Basic $USER:$PASS",
      "User-Agent": "mine",
      "X-Monitor-Event": "own",
    },
  }, {
    secrets: { USER: "me", PASS: "p:w" },
    events: [siteEvent({ name: "Größe\r\nX-Evil: 1 🛒" })],
  });
  assertEquals(first.method, "PUT");
  assertEquals(first.headers["authorization"], `Basic ${btoa("me:p:w")}`);
  assertEquals([first.headers["user-agent"], first.headers["x-monitor-event"]], ["mine", "own"]);
  assertEquals(first.headers["x-evil"], undefined);
  const bytes = Uint8Array.from(first.headers["title"]!, (letter) => letter.charCodeAt(0));
  assertEquals(new TextDecoder().decode(bytes), "Größe X-Evil: 1 🛒");
});

Deno.test("credentials in the address are sent as an Authorization header", async () => {
  await using server = await vendorServer({ status: 200 });
  const url = server.url.replace("//", "//me:$PASS@");
  await webhook.send({ type: "webhook", url }, messageOf(), sendingWith({ PASS: "p@ss/1" }));
  assertEquals(server.seen[0]!.headers["authorization"], `Basic ${btoa("me:p@ss/1")}`);
});

Deno.test("a host that is a secret is not shown", async () => {
  await using server = await vendorServer({ status: 500 });
  const notification: Notification = { type: "webhook", url: "http://$HOST/in" };
  const sending = sendingWith({ HOST: server.url.slice("http://".length) });
  const error = await webhook.send(notification, messageOf(), sending).catch((error) => error);
  assertStringIncludes(error.message, "The webhook (its host is a secret) answered 500");
  assert(!error.message.includes("127.0.0.1"));
});

Deno.test("a method that HTTP does not allow is an error, and no request is made", async () => {
  for (const method of ["TRACE", "CONNECT", "PO ST", "$METHOD"]) {
    const { result, seen } = await sent({ method });
    assertEquals([result.kind, seen.length], ["misconfigured", 0]);
    assertStringIncludes(result.message, "the method can't be sent");
  }
});

Deno.test("a header that HTTP does not allow is an error, and no request is made", async () => {
  const { result, seen } = await sent({ headers: { "not a name": "x" } });
  assertEquals([result.kind, seen.length], ["misconfigured", 0]);
  assertStringIncludes(result.message, "the name of a header is none that HTTP allows");
});

Deno.test("the destination of a webhook depends on the whole request, and shows none of it", () => {
  const of = (keys: Partial<Notification>) =>
    describeDestination({ type: "webhook", url: "$HOOK", ...keys });
  const headers = { Authorization: "Bearer canary" };
  const all = [{}, { method: "PUT" }, { headers }, { body: "canary" }, { body: "canary", headers }];
  assertEquals(new Set(all.map(of)).size, all.length);
  assertEquals(of({ headers, on: ["up"], "min-interval": 5 }), of({ headers }));
  assertEquals(of({}), "webhook $HOOK");
  assert(!of({ headers }).includes("canary"));
});
