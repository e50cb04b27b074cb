import { assert, assertEquals } from "@std/assert";
import fc from "../../helpers/property.ts";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import {
  parseMessageEffect,
  planMessageEffects,
} from "../../../lib/notifications/message_effects.ts";
import type { Subscriber } from "../../../lib/notifications/channel_list.ts";
import type { ChannelStates } from "../../../lib/notifications/channel_state.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { eventHeadline } from "../../../lib/notifications/headlines.ts";
import type { EffectHandlers } from "../../../lib/outbox/effect.ts";
import {
  claimedBy,
  dropOld,
  enqueueEffects,
  type Entry,
  settle,
} from "../../../lib/outbox/outbox.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";

/**
 * What becomes of the messages of a run: sent, refused for now, refused for good, claimed by a run that is
 * killed before or after it sends them, or without their secret.
 */
type Fate = "sent" | "fails" | "refused" | "killed" | "unnoted" | "lacks" | { retryAfter: number };
type Step = [minute: number, conditions: Record<string, Condition>, fate?: Fate];

/** A channel that messages don't always reach. */
class Mailbox {
  readonly sent: { minute: number; id: string; events: readonly SiteEvent[] }[] = [];
  /** Incidents of which a killed run may have sent a message. */
  readonly uncertain = new Set<string>();
  outbox: Entry[] = [];
  memory: ChannelStates = {};
  readonly #channel: Subscriber;
  readonly #story = new StoryOfSites();

  constructor(keys: Partial<Notification> = {}) {
    this.#channel = channelOf(keys);
  }

  run(minute: number, conditions: Record<string, Condition>, fate: Fate = "sent"): void {
    const now = NOW.add({ minutes: minute });
    const run = { id: String(minute).padStart(8, "0"), time: now };
    const handlers: EffectHandlers = {
      message: {
        claimMinutes: 3,
        findObstacle: () => fate === "lacks" ? "a secret" : undefined,
        execute: () => Promise.resolve({}),
      },
    };
    const { effects, channels, outbox } = planMessageEffects({
      channels: [this.#channel],
      ...this.#story.run(conditions, now),
      states: this.memory,
      now,
    }, this.outbox);
    this.memory = channels;
    this.outbox = enqueueEffects(dropOld(outbox, now), effects, handlers, run);
    const claimed = claimedBy(this.outbox, run.id);
    if (fate === "killed") {
      for (const { data } of claimed) {
        const { message } = parseMessageEffect(data)!;
        for (const { incident } of message.events) this.uncertain.add(incident);
      }
      return;
    }
    const carried = claimed.map(({ id, data }) => {
      if (fate !== "sent" && fate !== "unnoted") {
        const more = typeof fate === "object" ? fate : {};
        const kind = fate === "refused" ? "permanent" as const : "transient" as const;
        return { id, failure: "refused", kind, ...more };
      }
      const { message: { id: name, events } } = parseMessageEffect(data)!;
      this.sent.push({ minute, id: name, events });
      return { id, receipt: {} };
    });
    if (fate !== "unnoted") this.outbox = settle(this.outbox, carried, now);
  }

  play(steps: readonly Step[]): this {
    for (const step of steps) this.run(...step);
    return this;
  }

  texts(): string[] {
    return this.sent.map(({ minute, events }) =>
      `${minute}: ${events.map((event) => eventHeadline(event)).join(", ")}`
    );
  }
}

const SHOP_DOWN = { shop: "down" } as const;
const SHOP_UP = { shop: "up" } as const;

for (const fate of ["fails", "lacks"] as const) {
  const why = fate === "fails" ? "a channel takes nothing" : "its secret is missing";
  Deno.test(`an outage that starts and ends while ${why} is one message, which says how long it was`, () => {
    const { sent, texts } = bound(
      new Mailbox().play([[0, SHOP_DOWN, fate], [5, {}, fate], [12, SHOP_UP, fate], [15, {}]]),
    );
    assertEquals(texts(), ["15: Shop was down for 12 minutes".replace("Shop", "shop")]);
    assertEquals(sent[0]!.events.map(({ kind, incident }) => [kind, incident]), [
      ["up", "2026-11-21-shop-1"],
    ]);
  });

  Deno.test(`several outages while ${why} are one message with an event each`, () => {
    const steps: Step[] = [[0, SHOP_DOWN], [5, SHOP_UP], [10, SHOP_DOWN], [15, SHOP_UP]];
    const more: Step[] = [[20, SHOP_DOWN], [25, {}]];
    const late = (all: readonly Step[]): Step[] => all.map(([at, found]) => [at, found, fate]);
    assertEquals(bound(new Mailbox().play([...late(steps), [30, {}]])).texts(), [
      "30: shop was down for 5 minutes, shop was down for 5 minutes",
    ]);
    assertEquals(bound(new Mailbox().play([...late([...steps, ...more]), [30, {}]])).texts(), [
      "30: shop was down for 5 minutes, shop was down for 5 minutes, shop is down",
    ]);
  });
}

/** A mailbox whose methods can be taken apart. */
function bound(mailbox: Mailbox) {
  return { sent: mailbox.sent, texts: () => mailbox.texts() };
}

Deno.test("the end of an outage that was sent is sent once, however often it could not be sent", () => {
  const mailbox = new Mailbox().play([
    [0, SHOP_DOWN],
    [5, SHOP_UP, "fails"],
    [10, SHOP_DOWN, "fails"],
    [15, SHOP_UP, "fails"],
    [20, {}],
  ]);
  assertEquals(mailbox.texts(), [
    "0: shop is down",
    "20: shop is up again, shop was down for 5 minutes",
  ]);
});

Deno.test("the next outage is sent with the end of the one before, in one message", () => {
  const mailbox = new Mailbox().play([
    [0, SHOP_DOWN],
    [5, SHOP_UP, "fails"],
    [10, SHOP_DOWN, "fails"],
    [15, {}],
  ]);
  assertEquals(mailbox.texts(), ["0: shop is down", "15: shop is up again, shop is down"]);
});

Deno.test("an unsent message without newer events keeps its id and the time for which it is retried", () => {
  const mailbox = new Mailbox().play([[0, SHOP_DOWN, "fails"]]);
  const [{ id, planned, expires }] = mailbox.outbox as [Entry];
  mailbox.run(5, {}, "fails");
  mailbox.run(10, { api: "down" }, "fails");
  assertEquals(mailbox.outbox.map((entry) => entry.id)[0], id);
  assertEquals([mailbox.outbox[0]!.planned, mailbox.outbox[0]!.expires], [planned, expires]);
  mailbox.run(15, {});
  assertEquals(mailbox.texts(), ["15: shop is down", "15: api is down"]);
});

Deno.test("a channel's Retry-After is respected, also for messages that are condensed meanwhile", () => {
  const mailbox = new Mailbox().play([
    [0, SHOP_DOWN, { retryAfter: 600_000 }],
    [5, SHOP_UP],
    [9, {}],
    [10, {}],
  ]);
  assertEquals(mailbox.texts(), ["10: shop was down for 5 minutes"]);
});

Deno.test("while a message is claimed others are sent, and after three minutes it is sent as well", () => {
  const mailbox = new Mailbox().play([
    [0, SHOP_DOWN, "killed"],
    [1, { api: "down" }],
    [2, {}],
    [3, {}],
  ]);
  assertEquals(mailbox.texts(), ["1: api is down", "3: shop is down"]);
});

Deno.test("the end of an outage waits for its claimed start, and replaces it after the claim expires", () => {
  const mailbox = new Mailbox().play([[0, SHOP_DOWN, "killed"], [2, SHOP_UP], [3, {}]]);
  assertEquals(mailbox.texts(), ["3: shop was down for 2 minutes"]);
});

Deno.test("the recovery of an outage whose message was given up is not sent, the next outage is", () => {
  const mailbox = new Mailbox().play([
    [0, SHOP_DOWN, "refused"],
    [5, {}],
    [10, SHOP_UP],
    [15, SHOP_DOWN],
  ]);
  assertEquals(mailbox.texts(), ["15: shop is down"]);
});

Deno.test("a message without its secret expires after two days, and its recovery is not sent", () => {
  const mailbox = new Mailbox().play([
    [0, SHOP_DOWN, "lacks"],
    [48 * 60 + 1, {}, "lacks"],
    [48 * 60 + 2, SHOP_UP],
  ]);
  assertEquals(mailbox.texts(), []);
});

Deno.test("a reminder that could not be sent is sent later, and not after the end", () => {
  const reminders = [600_000];
  const late = new Mailbox({ reminders }).play([
    [0, SHOP_DOWN],
    [10, {}, "fails"],
    [15, {}],
    [16, SHOP_UP],
  ]);
  assertEquals(late.texts(), ["0: shop is down", "15: shop is still down", "16: shop is up again"]);
  const over = new Mailbox({ reminders }).play([
    [0, SHOP_DOWN],
    [10, {}, "fails"],
    [15, SHOP_UP],
  ]);
  assertEquals(over.texts(), ["0: shop is down", "15: shop is up again"]);
});

const CONDITION = fc.constantFrom<Condition>("up", "up", "down", "degraded");
const FATES: Fate[] = ["sent", "fails", "killed", "lacks", { retryAfter: 700_000 }];
const runsWith = (fates: Fate[]) =>
  fc.array(
    fc.record({
      minutes: fc.constantFrom(1, 5, 5, 20),
      conditions: fc.record({ shop: CONDITION, api: CONDITION }, { requiredKeys: [] }),
      fate: fc.constantFrom(...fates),
    }),
    { maxLength: 30 },
  );
const KEYS = fc.record({
  "min-interval": fc.constantFrom(0, 0, 600),
  "group-notifications": fc.boolean(),
  "group-interval": fc.constantFrom(0, 900),
});

/** Makes runs and two more after them in which everything is sent; returns how the sites are in the end. */
function afterRuns(
  runs: ReturnType<typeof runsWith> extends fc.Arbitrary<infer T> ? T : never,
  keys: ConstructorParameters<typeof Mailbox>[0],
) {
  const mailbox = new Mailbox(keys);
  const states: Record<string, Condition> = { shop: "up", api: "up" };
  let minute = 0;
  for (const { minutes, conditions, fate } of runs) {
    minute += minutes;
    mailbox.run(minute, conditions as Record<string, Condition>, fate);
    Object.assign(states, conditions);
  }
  for (const later of [60, 120]) mailbox.run(minute + later, {});
  return { mailbox, states };
}

Deno.test("whatever fails, a channel is sent the present state in the end, down and up alternate, and a site is in one message of a run", () => {
  fc.assert(fc.property(runsWith(FATES), KEYS, (runs, keys) => {
    const { mailbox, states } = afterRuns(runs, keys);
    for (const slug of ["shop", "api"]) {
      const own = mailbox.sent.map(({ minute, events }) => (
        { minute, events: events.filter((event) => event.slug === slug) }
      )).filter(({ events }) => events.length > 0);
      const minutes = own.map(({ minute }) => minute);
      assertEquals(new Set(minutes).size, minutes.length);
      const told = own.flatMap(({ events }) => events).flatMap(({ kind, was, incident }) =>
        was === undefined
          ? [{ kind, incident }]
          : [{ kind: was, incident }, { kind: "up", incident }]
      );
      const kinds = told.map(({ kind }) => kind);
      for (const [index, { kind, incident }] of told.entries()) {
        // A state is repeated if a killed run may have sent another one since.
        const isRepeated = kind === (kinds[index - 1] ?? "up");
        assert(!isRepeated || mailbox.uncertain.has(incident), kinds.join());
      }
      assertEquals(kinds.at(-1) ?? "up", states[slug]);
    }
  }));
});

Deno.test("however many runs are killed after they have sent, no alert of a vendor stays open when its outage is over", () => {
  fc.assert(fc.property(runsWith([...FATES, "unnoted", "unnoted"]), KEYS, (runs, keys) => {
    const { mailbox, states } = afterRuns(runs, keys);
    const alerts = new Map<string, string>();
    for (const { kind, slug, incident } of mailbox.sent.flatMap(({ events }) => events)) {
      if (kind === "up") alerts.delete(incident);
      else alerts.set(incident, slug);
    }
    const failing = Object.keys(states).filter((slug) => states[slug] !== "up");
    assertEquals([...alerts.values()].sort(), failing.sort());
  }));
});
