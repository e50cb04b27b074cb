import { assertEquals } from "@std/assert";
import type { ChannelStates } from "../../../lib/notifications/channel_state.ts";
import type { EventKind } from "../../../lib/notifications/message.ts";
import { planMessages } from "../../../lib/notifications/plan_messages.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";

/** The events a channel is sent in runs 5 minutes apart, some of which do not know it. */
function toldTo(
  on: EventKind[],
  runs: readonly { shop?: Condition; isAbsent?: true; isPartial?: false }[],
): string[] {
  const story = new StoryOfSites();
  const channel = channelOf({ on, "min-interval": 240 });
  let states: ChannelStates = {};
  return runs.flatMap(({ shop, isAbsent = false, isPartial = isAbsent }, index) => {
    const now = NOW.add({ milliseconds: index * 5 * MINUTE });
    const channels = isAbsent ? [] : [channel];
    const found = story.run(shop === undefined ? {} : { shop }, now);
    const planned = planMessages({ channels, isPartial, ...found, states, now });
    states = planned.states;
    return planned.messages.flatMap(({ message: { events } }) => events.map(({ kind }) => kind));
  });
}

const DOWN_UP: EventKind[] = ["down", "up"];

Deno.test("a channel that was missing from a partial configuration is notified of the end of its outages when it is back", () => {
  assertEquals(
    toldTo(DOWN_UP, [{ shop: "down" }, { shop: "up", isAbsent: true }, {}, { shop: "down" }]),
    ["down", "up", "down"],
  );
});

Deno.test("a channel without recoveries is notified of none, also when it is back", () => {
  assertEquals(
    toldTo(["down"], [{ shop: "down" }, { shop: "up", isAbsent: true }, {}, { shop: "down" }]),
    ["down", "down"],
  );
});

Deno.test("a channel is not notified of the end of an outage that started while it was missing", () => {
  const runs = [{ shop: "down", isAbsent: true }, {}, { shop: "up" }, { shop: "down" }] as const;
  assertEquals(toldTo(DOWN_UP, runs), ["down"]);
});

Deno.test("the state of a channel that a complete configuration lacks is dropped", () => {
  const gone = { isAbsent: true, isPartial: false } as const;
  assertEquals(toldTo(DOWN_UP, [{ shop: "down" }, gone, { shop: "up" }]), ["down"]);
});
