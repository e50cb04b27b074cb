import { assertEquals, assertMatch } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { ChannelState, NotifiedOutage } from "../../../lib/notifications/channel_state.ts";
import { readChannelAcknowledgements } from "../../../lib/notifications/posted_messages.ts";
import type { Entry } from "../../../lib/outbox/outbox.ts";
import { channelOf } from "../../helpers/channels.ts";
import { sendingWith } from "../../helpers/vendors/messages.ts";
import { type VendorAnswer, vendorServer } from "../../helpers/vendors/vendor_server.ts";

const YES = {
  status: 200,
  body: '{"status":1,"acknowledged":1,"acknowledged_at":1795255140,"acknowledged_by_device":"a"}',
};

/** Reads the acknowledgements of these outages; returns the requests too. */
async function read(
  outages: { incident: string; posted?: string; hoursAgo?: number }[],
  { answer = YES, outbox = () => [], closed = [] }: {
    answer?: VendorAnswer;
    outbox?(queue: string): Partial<Entry>[];
    closed?: string[];
  } = {},
) {
  await using server = await vendorServer(answer);
  const notification: Notification = {
    type: "pushover",
    url: server.url,
    token: "t",
    user: "u",
    priority: "2",
  };
  const channel = channelOf(notification);
  const sending = sendingWith();
  const now = sending.clock.now();
  const notified = outages.map(({ incident, posted, hoursAgo = 0 }): NotifiedOutage => ({
    ...{ slug: incident, kind: "down", incident, at: now.subtract({ hours: hoursAgo }) },
    ...posted === undefined ? {} : { posted },
  }));
  const state: ChannelState = { held: [], notified };
  const found = await readChannelAcknowledgements({
    channels: [channel, channelOf({ type: "slack", "webhook-url": server.url })],
    states: { [channel.key]: state },
    outbox: outbox(`message/${channel.key}`) as Entry[],
    isOpen: (incident) => !closed.includes(incident),
  }, sending);
  const { acknowledgements, notes } = found;
  return {
    incidents: acknowledgements.map(({ incident, by }) => `${incident} ${by}`),
    notes,
    asked: server.seen.map(({ path }) => /receipts\/(\w+)/.exec(path)![1]),
  };
}

Deno.test("each open emergency of the last hours is asked about once", async () => {
  const { incidents, asked, notes } = await read([
    { incident: "a", posted: "r1" },
    { incident: "b", posted: "r2", hoursAgo: 3 },
    { incident: "old", posted: "r3", hoursAgo: 5 },
    { incident: "closed", posted: "r4" },
    { incident: "quiet" },
  ], { closed: ["closed"] });
  assertEquals([incidents, asked, notes], [["a a (Pushover)", "b a (Pushover)"], ["r1", "r2"], []]);
});

Deno.test("the receipt of the last message counts, also if no run has planned anything since", async () => {
  const { asked } = await read([{ incident: "a", posted: "r1" }], {
    outbox: (queue) =>
      ["r2", "r3"].map((id) => ({
        queue,
        done: {
          at: Temporal.Now.instant(),
          receipt: { answer: "answered 200", posted: { id, incidents: ["a"] } },
        },
      })),
  });
  assertEquals(asked, ["r3"]);
});

Deno.test("a service that does not answer is not asked again in a run, and a note says why", async () => {
  const outages = ["a", "b"].map((incident) => ({ incident, posted: incident }));
  const { incidents, asked, notes } = await read(outages, { answer: { status: 503 } });
  assertEquals([incidents, asked, notes.length], [[], ["a"], 1]);
  assertMatch(
    notes[0]!,
    /^Who has acknowledged in pushover is unknown: Pushover \(.*\) answered 503$/,
  );
});
