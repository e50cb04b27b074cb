import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { manyEvents, siteEvent } from "../../../helpers/vendors/messages.ts";
import type { VendorAnswer } from "../../../helpers/vendors/vendor_server.ts";
import { CANARIES, sendTo, VENDORS } from "../../../helpers/vendors/vendors.ts";

type Push = "ntfy" | "gotify";

/** Sends events to a vendor with these answers and changes of its usual settings. */
function sent(
  type: Push,
  events: SiteEvent[],
  { answers = [], changes = {} }: { answers?: VendorAnswer[]; changes?: Partial<Notification> } =
    {},
) {
  const notification = (url: string) => ({ ...VENDORS[type].notification(url), ...changes });
  return sendTo(notification, { events, answers });
}

Deno.test("ntfy gets JSON at the root of the server, with priority, emoji, and links to press", async () => {
  const { seen: [request] } = await sent("ntfy", [siteEvent()]);
  assertEquals([request!.method, request!.path], ["POST", "/"]);
  assertEquals(request!.headers["authorization"], `Bearer ${CANARIES.API_KEY}`);
  const { sequence_id, ...body } = request!.json;
  assertEquals(body, {
    topic: CANARIES.TOPIC,
    title: "Shop is down",
    message: [
      "answered 503 Service Unavailable",
      "Since: 09:55 UTC",
      "Address: https://shop.example.com/?key=$KEY",
    ].join("\n"),
    priority: 5,
    tags: ["rotating_light"],
    click: "https://github.com/acme/status/issues/12",
    actions: [
      { action: "view", label: "Incident", url: "https://github.com/acme/status/issues/12" },
      {
        action: "view",
        label: "Status page",
        url: "https://status.acme.example/history/shop",
      },
    ],
  });
  const { seen: [later] } = await sent("ntfy", [siteEvent({ error: "answered 502 Bad Gateway" })]);
  assertEquals(
    sequence_id,
    later!.json.sequence_id,
    "a message that is sent again replaces itself",
  );
});

Deno.test("an outage is loud and a recovery silent, at ntfy and at Gotify", async () => {
  const priorities = async (type: Push, changes: Partial<Notification> = {}) =>
    await Promise.all((["down", "degraded", "up"] as const).map(async (kind) => {
      const { seen: [request] } = await sent(type, [siteEvent({ kind })], { changes });
      return request!.json.priority;
    }));
  assertEquals(await priorities("ntfy"), [5, 4, 2]);
  assertEquals(await priorities("gotify"), [8, 5, 2]);
  assertEquals(await priorities("gotify", { priority: "0" }), [0, 0, 0]);
  const seen = siteEvent({ kind: "notice", title: "jo has acknowledged", news: "acknowledged" });
  const { seen: [acknowledged] } = await sent("ntfy", [seen]);
  assertEquals([acknowledged!.json.priority, acknowledged!.json.tags], [2, ["eyes"]]);
  const { seen: [digest] } = await sent("ntfy", manyEvents(20));
  assertEquals([digest!.json.priority, digest!.json.click], [5, "https://status.acme.example"]);
});

Deno.test("Gotify gets plain text with its token in a header", async () => {
  const { seen: [request] } = await sent("gotify", [siteEvent({ kind: "up" })]);
  assertEquals([request!.path, String(request!.query)], ["/message", ""]);
  assertEquals(request!.headers["x-gotify-key"], CANARIES.KEY);
  const { message, ...body } = request!.json;
  assertStringIncludes(message, "Status page: https://status.acme.example/history/shop");
  assertEquals(body, {
    title: "✅ Shop is up again after 2 hours 5 minutes",
    priority: 2,
    extras: {
      "client::display": { contentType: "text/plain" },
      "client::notification": { click: { url: "https://github.com/acme/status/issues/12" } },
    },
  });
});

Deno.test("a used quota of ntfy is waited for until midnight UTC, and other limits as usual", async () => {
  const limited = (code: number) => ({
    status: 429,
    body: JSON.stringify({ code, http: 429, error: "limit reached" }),
  });
  const quota = await sent("ntfy", [siteEvent()], { answers: [limited(42908)] });
  assertEquals([quota.result.kind, quota.seen.length], ["transient", 1]);
  assertEquals(quota.result.retryAfter, 14 * 3_600_000);
  const often = await sent("ntfy", [siteEvent()], { answers: [limited(42901)] });
  assertEquals([often.seen.length, often.waits], [2, [1_000]]);
});

Deno.test("an address of ntfy with a topic is refused, because JSON sent there would be the text", async () => {
  const url = "https://ntfy.example/mine";
  const { result } = await sent("ntfy", [siteEvent()], { changes: { url } });
  assertEquals(result.kind, "misconfigured");
  assertStringIncludes(result.message, "url is the address of the server, without the topic");
});

Deno.test("a topic that ntfy would refuse is found before anything is sent", async () => {
  for (const topic of ["https://ntfy.sh/mine", "my topic", "x".repeat(65)]) {
    const { result, seen } = await sent("ntfy", [siteEvent()], { changes: { topic } });
    assertEquals([result.kind, seen.length], ["misconfigured", 0]);
    assertStringIncludes(result.message, "topic is not a name of 1 to 64 letters");
    assert(!result.message.includes(topic));
  }
});
