import { CHANNEL_KINDS } from "../../../../lib/config/channels/kinds.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { USUAL_SENDING_PACE } from "../../../../lib/notifications/channels/channel.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { EffectError } from "../../../../lib/outbox/effect.ts";
import { closedPort } from "../../../helpers/servers.ts";
import { messageOf, sendingWith } from "../../../helpers/vendors/messages.ts";
import { checkSlack } from "../../../helpers/vendors/slack.ts";
import {
  type SeenRequest,
  type VendorAnswer,
  vendorServer,
} from "../../../helpers/vendors/vendor_server.ts";
import { CANARIES, TRIED, type TriedVendor } from "../../../helpers/vendors/vendors.ts";

const SLACK = TRIED.find(({ type }) => type === "slack")!;

/** The result of a message that was not accepted. */
async function failure(work: Promise<unknown>) {
  const { message, kind, retryAfter } = await assertRejects(() => work, EffectError);
  return { message, kind, retryAfter };
}

/** Sends a message to a vendor with these answers. */
async function sent(
  { channel, notification, yes }: Pick<typeof SLACK, "channel"> & TriedVendor,
  answers: VendorAnswer[],
  changes: Parameters<typeof sendingWith>[1] = {},
) {
  await using server = await vendorServer(yes, answers);
  const sending = sendingWith(CANARIES, changes);
  const work = channel.send(notification(server.url), messageOf(), sending);
  const result = await work.catch((error) => error);
  return { result, seen: server.seen, waits: sending.clock.waits };
}

Deno.test("every channel reports its vendor's answer", async () => {
  for (const vendor of TRIED) {
    const { result, seen } = await sent(vendor, []);
    assertEquals(seen.length, 1, vendor.type);
    assertStringIncludes(result, "answered 20", vendor.type);
    assertEquals(seen[0]!.headers["user-agent"], "monitor-action/1.41.0");
    assert(seen[0]!.headers["content-length"] !== undefined, vendor.type);
    assertEquals(seen[0]!.headers["transfer-encoding"], undefined);
  }
});

Deno.test("a page is no answer of a vendor, whatever its status; only a webhook may answer with one", async () => {
  for (const vendor of TRIED) {
    for (const body of ["<!DOCTYPE html><title>Log in</title>", "\n<head></head>"]) {
      const { result, seen } = await sent(vendor, [{ status: 200, body }]);
      const expected = vendor.type === "webhook" ? undefined : "misconfigured";
      assertEquals([result.kind, seen.length], [expected, 1], vendor.type);
    }
  }
});

Deno.test("a transient failure is retried up to three times, at growing delays", async () => {
  const passing: VendorAnswer[] = [
    { status: 408 },
    { status: 425 },
    { status: 429 },
    { status: 500 },
    { status: 502 },
    { status: 503 },
    { status: 504 },
    "reset",
    "cut",
  ];
  for (const answer of passing) {
    const second = await sent(SLACK, [answer]);
    assertEquals([second.result, second.seen.length], ["answered 200: ok", 2]);
    assertEquals(second.waits, [1000]);
    const never = await sent(SLACK, [answer, answer, answer, answer]);
    assert(never.result instanceof EffectError);
    assertEquals([never.result.kind, never.seen.length], ["transient", 3]);
    assertEquals(never.waits, [1000, 4000]);
    assertEquals(new Set(never.seen.map(({ text }) => text)).size, 1);
  }
});

Deno.test("delays are random, so that channels refused at the same time don't retry at the same time", async () => {
  const waits = await Promise.all([0, 0.5, 1].map(async (random) => {
    const { waits } = await sent(SLACK, [{ status: 500 }], { random: () => random });
    return Math.round(waits[0]!);
  }));
  assertEquals(waits, [800, 1000, 1200]);
});

Deno.test("the wait that a vendor asks for is respected in every form", async () => {
  const forms: [answer: Exclude<VendorAnswer, string>, wait: number][] = [
    [{ status: 429, headers: { "Retry-After": "7" } }, 7_000],
    [{ status: 429, headers: { "Retry-After": "Sat, 21 Nov 2026 10:00:20 GMT" } }, 20_000],
    [{ status: 429, body: '{"message": "limited", "retry_after": 0.65, "global": false}' }, 650],
    [
      { status: 429, body: '{"ok":false,"error_code":429,"parameters":{"retry_after":12}}' },
      12_000,
    ],
    [{ status: 503, headers: { "Retry-After": "3" } }, 3_000],
    [{ status: 429, headers: { "Retry-After": "Sat, 21 Nov 2026 09:00:00 GMT" } }, 0],
    [{ status: 429, headers: { "Retry-After": "soon" } }, 750],
  ];
  for (const [answer, wait] of forms) {
    const { seen, waits } = await sent(SLACK, [answer]);
    assertEquals([seen.length, waits[0]], [2, wait + 250]);
  }
});

Deno.test("a wait that is too long for a job is left to a later run", async () => {
  const long = { status: 429, headers: { "Retry-After": "31" } };
  const { result, seen, waits } = await sent(SLACK, [long]);
  assertEquals([result.kind, result.retryAfter], ["transient", 31_000]);
  assertEquals([seen.length, waits], [1, []]);
});

Deno.test("waits that a vendor asks for are added up over a message", async () => {
  const sixteen = { status: 429, headers: { "Retry-After": "16" } };
  const { result, seen } = await sent(SLACK, [sixteen, sixteen]);
  assertEquals([result.kind, result.retryAfter, seen.length], ["transient", 16_000, 2]);
});

Deno.test("a missing answer is waited for as long as the pace allows", async () => {
  const pace = { ...USUAL_SENDING_PACE, request: 4_000 };
  await Promise.all(TRIED.map(async (vendor) => {
    const { result, seen } = await sent(vendor, ["hang"], { pace });
    assertEquals([typeof result, seen.length], ["string", 2], vendor.type);
  }));
  const hasty = { ...pace, request: 1_000 };
  const { result, seen } = await sent(SLACK, ["hang", "hang", "hang"], { pace: hasty });
  assertEquals([result.kind, seen.length], ["transient", 3]);
  assertStringIncludes(
    result.message,
    "Slack can't be reached: no answer within 1 s (127.0.0.1:",
  );
  assertEquals(USUAL_SENDING_PACE.request, 10_000);
});

Deno.test("an error says that nothing listens, and a later run tries again", async () => {
  const port = closedPort();
  for (const { channel, notification, type } of TRIED) {
    const work = channel.send(
      notification(`http://127.0.0.1:${port}`),
      messageOf(),
      sendingWith(CANARIES),
    );
    const { message, kind } = await failure(work);
    assertStringIncludes(message, `can't be reached: connection refused (127.0.0.1:${port})`, type);
    assertEquals(kind, "transient");
  }
});

Deno.test("a redirect is not followed, and its target is not shown", async () => {
  await using other = await vendorServer({ status: 200, body: "ok" });
  for (const vendor of TRIED) {
    for (const status of [301, 302, 307, 308]) {
      const headers = { Location: `${other.url}/elsewhere` };
      const { result, seen } = await sent(vendor, [{ status, headers }]);
      assertEquals([result.kind, seen.length], ["misconfigured", 1], vendor.type);
      assertStringIncludes(result.message, `answered ${status}; redirects are not followed`);
      assert(!result.message.includes("elsewhere"));
    }
  }
  assertEquals(other.seen, []);
});

Deno.test("a refusal that a person can end says what to change, and no refusal is repeated at once", async () => {
  for (const vendor of TRIED) {
    for (const status of [401, 403, 404, 410]) {
      const { result, seen } = await sent(vendor, [{ status }]);
      assertEquals([result.kind, seen.length], ["misconfigured", 1], vendor.type);
    }
    for (const status of [400, 405, 413, ...vendor.type === "jsm" ? [] : [422]]) {
      const { result, seen } = await sent(vendor, [{ status, body: "bad" }]);
      assertEquals([result.kind, seen.length], ["permanent", 1], vendor.type);
      assertStringIncludes(result.message, `(127.0.0.1:`);
      assertStringIncludes(result.message, `answered ${status}: bad`);
    }
  }
});

Deno.test("a secret without a value is named, and no request is made", async () => {
  for (const { channel, notification, yes, type } of TRIED) {
    await using server = await vendorServer(yes);
    const work = channel.send(notification(server.url), messageOf(), sendingWith());
    const { message, kind } = await failure(work);
    assertEquals([kind, server.seen.length], ["misconfigured", 0], type);
    const [, names = ""] = /secrets? (.*) (?:is|are) missing: pass --secrets FILE/.exec(message) ??
      [];
    for (const name of names.split(/, | and /)) {
      assert(JSON.stringify(notification("http://a")).includes(`$${name}`), message);
    }
  }
});

Deno.test("an error names the missing setting of a channel", async () => {
  for (const { channel, type } of TRIED) {
    const bare = { type } as Notification;
    const { message, kind } = await failure(channel.send(bare, messageOf(), sendingWith()));
    assertEquals(kind, "misconfigured");
    assertStringIncludes(message, CHANNEL_KINDS[bare.type].needs[0]);
  }
});

Deno.test("an error about an invalid address names the key and its secrets", async () => {
  for (const wrong of ["not an address", "ftp://a.example/x", "http://"]) {
    const notification = { type: "slack", "webhook-url": "$HOOK" } as const;
    const work = SLACK.channel.send(notification, messageOf(), sendingWith({ HOOK: wrong }));
    const { message, kind } = await failure(work);
    assertEquals(kind, "misconfigured");
    assertStringIncludes(message, "webhook-url ($HOOK) is not an http or https address");
    assert(!message.includes(wrong));
  }
});

Deno.test("an error about an invalid base address names the keys it depends on", async () => {
  const notification = { type: "pagerduty", "integration-key": "k", url: "gateway" } as const;
  const { channel } = TRIED.find(({ type }) => type === "pagerduty")!;
  const { message } = await failure(channel.send(notification, messageOf(), sendingWith()));
  assertStringIncludes(message, "integration-key and url is not an http or https address");
});

Deno.test("spaces and line breaks around a secret don't matter", async () => {
  await using server = await vendorServer(SLACK.yes);
  const notification = { type: "slack", "webhook-url": "$HOOK" } as const;
  const sending = sendingWith({ HOOK: ` ${server.url}/services/x\n` });
  await SLACK.channel.send(notification, messageOf(), sending);
  assertEquals(server.seen.map(({ path }) => path), ["/services/x"]);
});

Deno.test("a bot of Slack that answers 200 with an error did not take the message", async () => {
  const errors: [error: string, kind: string, requests: number, words: string][] = [
    ["invalid_auth", "misconfigured", 1, "change bot-token"],
    ["not_in_channel", "misconfigured", 1, "answered 200: not_in_channel; invite the bot"],
    ["channel_not_found", "misconfigured", 1, "check channel"],
    ["missing_scope", "misconfigured", 1, "chat:write"],
    ["invalid_blocks", "permanent", 1, "invalid_blocks"],
    ["ratelimited", "transient", 3, "answered 200: ratelimited"],
    ["fatal_error", "transient", 3, "answered 200: fatal_error"],
  ];
  for (const [error, kind, requests, words] of errors) {
    await using server = await vendorServer({
      status: 200,
      body: JSON.stringify({ ok: false, error }),
    });
    const notification: Notification = {
      type: "slack",
      url: server.url,
      "bot-token": "xoxb-1",
      channel: "#ops",
    };
    const work = SLACK.channel.send(notification, messageOf(), sendingWith());
    const refusal = await failure(work);
    assertEquals([refusal.kind, server.seen.length], [kind, requests], error);
    assertStringIncludes(refusal.message, words);
    const [{ path, headers, json }] = server.seen as [SeenRequest];
    assertEquals([path, headers["authorization"]], ["/api/chat.postMessage", "Bearer xoxb-1"]);
    assertEquals(headers["content-type"], "application/json; charset=utf-8");
    checkSlack(json);
  }
});
