import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as v from "valibot";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import {
  CHANNEL_STATES,
  type ChannelStates,
  formatChannels,
} from "../../../lib/notifications/channel_state.ts";
import { CHANNELS } from "../../helpers/senders.ts";
import { planMessageEffects } from "../../../lib/notifications/message_effects.ts";
import { createMessageHandler } from "../../../lib/notifications/message_handler.ts";
import {
  dropOld,
  enqueueEffects,
  type Entry,
  executeEffects,
  selectClaimed,
  settle,
} from "../../../lib/outbox/outbox.ts";
import { parseSteps, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";
import { messageOf, sendingWith } from "../../helpers/vendors/messages.ts";
import { checkSlack } from "../../helpers/vendors/slack.ts";
import {
  type SeenRequest,
  type VendorAnswer,
  vendorServer,
} from "../../helpers/vendors/vendor_server.ts";

interface Chat {
  notification(url: string): Notification;
  /** The vendor's answer to the nth message. */
  posted(number: number): unknown;
  /** Number of the message that a request updates; `undefined` if it posts a new one. */
  findUpdated(request: SeenRequest): number | undefined;
  /** An answer to an update of a message that somebody has deleted. */
  gone: VendorAnswer;
}

const CHATS: Record<string, Chat> = {
  slack: {
    notification: (url) => ({ type: "slack", url, "bot-token": "xoxb-1", channel: "#ops" }),
    posted: (number) => ({ ok: true, channel: "C1", ts: `170.${number}` }),
    findUpdated: ({ path, json }) =>
      path === "/api/chat.update" && json.channel === "C1" ? Number(json.ts.slice(4)) : undefined,
    gone: { status: 200, body: '{"ok":false,"error":"message_not_found"}' },
  },
  discord: {
    notification: (url) => ({ type: "discord", "webhook-url": `${url}/webhooks/1/x?thread_id=7` }),
    posted: (number) => ({ id: String(number), type: 0 }),
    findUpdated: ({ method, path, query, json }) => {
      if (method === "POST") return undefined;
      assertEquals([method, query.get("thread_id"), json.content, json.allowed_mentions], [
        "PATCH",
        "7",
        null,
        { parse: [] },
      ]);
      return Number(/^\/webhooks\/1\/x\/messages\/(\d+)$/.exec(path)![1]);
    },
    gone: { status: 404, body: '{"message":"Unknown Message","code":10008}' },
  },
  telegram: {
    notification: (url) => ({ type: "telegram", url, "bot-token": "1:a", "chat-id": "-100" }),
    posted: (number) => ({ ok: true, result: { message_id: number } }),
    findUpdated: ({ path, json }) =>
      path === "/bot1:a/editMessageText" ? json.message_id : undefined,
    gone: {
      status: 400,
      body: '{"ok":false,"error_code":400,"description":"Bad Request: message to edit not found"}',
    },
  },
};

const SHOWN =
  /(?:ann has acknowledged: )?\ba (?:is (?:still )?down|is up again|has degraded performance)|Acknowledged by ann|Runbook/g;

/** Plays a story with a chat; returns a line for each request, and the last state and outbox. */
async function play(
  { notification, posted, findUpdated }: Chat,
  story: string,
  { updates = [], ...keys }: Partial<Notification> & { updates?: VendorAnswer[] } = {},
) {
  await using server = await vendorServer({ status: 500 });
  const configured = { ...notification(server.url), ...keys };
  const channel = toSubscribers({ notifications: [configured], sites: [] })[0]!;
  const channels = new Map([[channel.key, configured]]);
  const sites = new StoryOfSites();
  const lines: string[] = [];
  let states: ChannelStates = {};
  let outbox: Entry[] = [];
  let number = 0;
  for (const [minute, conditions] of parseSteps(story)) {
    const now = NOW.add({ minutes: minute });
    const run = { id: String(minute), time: now };
    const { acknowledged: _, ...changes } = conditions;
    const found = sites.run(changes, now);
    const acknowledged = { by: "ann", at: NOW.toString() };
    const runbook = "https://wiki.example/a";
    const ongoing = "acknowledged" in conditions
      ? found.ongoing.map((event) => ({ ...event, acknowledged, runbook }))
      : found.ongoing;
    const causes = { ...found, ongoing, channels: [channel], states, now };
    const planned = planMessageEffects(causes, outbox);
    states = v.parse(CHANNEL_STATES, JSON.parse(JSON.stringify(formatChannels(planned.channels))));
    const handler = createMessageHandler({ channels, sending: sendingWith(), issues: new Map() });
    outbox = enqueueEffects(
      dropOld(planned.outbox, now),
      planned.effects,
      { message: handler },
      run,
    );
    const claimed = selectClaimed(outbox, run.id);
    // Each message is posted, and then the first one is updated.
    server.answers.splice(0);
    for (let count = 0; count < claimed.length; count++) {
      const answer = { status: 200, body: JSON.stringify(posted(++number)) };
      server.answers.push(answer, updates.shift() ?? { ...answer });
    }
    const before = server.seen.length;
    const { results, bugs } = await executeEffects(claimed, outbox, { message: handler });
    assertEquals(bugs, []);
    assert(results.every((one) => "receipt" in one), JSON.stringify(results));
    outbox = settle(outbox, results, now);
    for (const request of server.seen.slice(before)) {
      const updated = findUpdated(request);
      const text = JSON.stringify(request.json).replaceAll("\\", "");
      const shown = [...text.matchAll(SHOWN)].map(([words]) => words);
      lines.push(
        `${minute} ${updated === undefined ? "new" : `update ${updated}`}: ${
          [...new Set(shown)].join(", ")
        }`,
      );
    }
  }
  return { lines, states, outbox };
}

const STORY = "0 a degraded; 5 a down; 10; 40; 60 a up; 65";

Deno.test("a chat's first message about an incident shows its present state, and each change is a new message", async () => {
  for (const [name, chat] of Object.entries(CHATS)) {
    const { lines, states } = await play(chat, STORY, { reminders: [1_800_000] });
    assertEquals(lines, [
      "0 new: a has degraded performance",
      "5 new: a is down",
      "5 update 1: a is down",
      "40 new: a is still down",
      "40 update 1: a is still down",
      "60 new: a is up again",
      "60 update 1: a is up again",
    ], name);
    assertEquals(states, {}, name);
  }
});

Deno.test("a message that can't be updated, or already shows this, delays and fails no other", async () => {
  const unmodified =
    '{"ok":false,"error_code":400,"description":"Bad Request: message is not modified"}';
  for (const chat of Object.values(CHATS)) {
    for (const answer of [chat.gone, { status: 400, body: unmodified }, { status: 403 }]) {
      const { lines, outbox } = await play(chat, "0 a down; 60 a up", {
        updates: [{ status: 200 }, answer],
      });
      assertEquals(lines, [
        "0 new: a is down",
        "60 new: a is up again",
        "60 update 1: a is up again",
      ]);
      const [, receipt] = outbox.map(({ done }) => done?.receipt);
      assert(typeof receipt?.["updated"] === "string", JSON.stringify(receipt));
    }
  }
});

Deno.test("a message about several sites is not updated, and a webhook of Slack can't be", async () => {
  const story = "0 a down, b down; 60 a up";
  const group = { "group-notifications": true };
  const { lines } = await play(CHATS["discord"]!, story, group);
  assertEquals(lines.filter((line) => line.includes("update")), []);
  const webhook = { ...CHATS["slack"]!, posted: () => "ok" };
  const hooked = await play({
    ...webhook,
    notification: (url) => ({ type: "slack", "webhook-url": `${url}/services/x` }),
  }, STORY);
  assertEquals(hooked.lines.map((line) => line.replace(/: .*/, "")), ["0 new", "5 new", "60 new"]);
});

Deno.test("a first message is remembered for longer than the outbox keeps its receipt", async () => {
  const days = 60 * 24;
  const { lines } = await play(CHATS["discord"]!, `0 a down; 5; ${3 * days}; ${5 * days} a up`);
  assertEquals(lines.at(-1), `${5 * days} update 1: a is up again`);
});

Deno.test("a first message says who has acknowledged the outage, and keeps the runbook", async () => {
  for (const chat of Object.values(CHATS)) {
    const { lines } = await play(chat, "0 a down; 5 acknowledged; 60 a up");
    assertEquals(lines, [
      "0 new: a is down",
      "5 new: ann has acknowledged: a is down, Runbook",
      "5 update 1: a is down, Acknowledged by ann, Runbook",
      "60 new: a is up again",
      "60 update 1: a is up again",
    ]);
  }
});

Deno.test("the next incident of a site has a first message of its own", async () => {
  const { lines } = await play(CHATS["telegram"]!, "0 a down; 10 a up; 20 a down; 30 a up");
  assertEquals(lines.at(-1), "30 update 3: a is up again");
});

Deno.test("a bot of Slack that answers 200 with an error did not take the message", async () => {
  const errors: [error: string, kind: string, requests: number, words: string][] = [
    ["invalid_auth", "misconfigured", 1, "change bot-token"],
    ["not_in_channel", "misconfigured", 1, "invite the bot"],
    ["channel_not_found", "misconfigured", 1, "check channel"],
    ["missing_scope", "misconfigured", 1, "chat:write"],
    ["invalid_blocks", "permanent", 1, "invalid_blocks"],
    ["ratelimited", "transient", 3, "answered 429"],
    ["fatal_error", "transient", 3, "answered 503"],
  ];
  for (const [error, kind, requests, words] of errors) {
    await using server = await vendorServer({
      status: 200,
      body: JSON.stringify({ ok: false, error }),
    });
    const notification = CHATS["slack"]!.notification(server.url);
    const work = CHANNELS.slack.send(notification, messageOf(), sendingWith());
    const failure = await work.catch((error) => error);
    assertEquals([failure.kind, server.seen.length], [kind, requests], error);
    assertStringIncludes(failure.message, words);
    const [{ path, headers, json }] = server.seen as [SeenRequest];
    assertEquals([path, headers["authorization"]], ["/api/chat.postMessage", "Bearer xoxb-1"]);
    assertEquals(headers["content-type"], "application/json; charset=utf-8");
    checkSlack(json);
  }
});

Deno.test("in any story each message but the first of an incident updates the first one", async () => {
  const condition = fc.constantFrom("a down", "a degraded", "a up", "");
  const steps = fc.array(condition, { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(...Object.values(CHATS)), async (changes, chat) => {
      const story = changes.map((change, index) => `${20 * index} ${change}`.trim()).join("; ");
      const { lines, states } = await play(chat, story, { reminders: [1_800_000] });
      const expected: string[] = [];
      let first: number | undefined;
      let count = 0;
      for (const line of lines.filter((one) => one.includes(" new: "))) {
        expected.push(line);
        count++;
        if (first !== undefined) expected.push(line.replace("new", `update ${first}`));
        first = line.endsWith("is up again") ? undefined : first ?? count;
      }
      assertEquals(lines, expected, story);
      assertEquals(Object.keys(states).length, first === undefined ? 0 : 1, story);
    }),
    { numRuns: runs(20) },
  );
});
