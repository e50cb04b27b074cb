import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { EventKind, SiteEvent } from "../../../lib/notifications/message.ts";
import type { Condition } from "../../../lib/state.ts";
import { channelOf, Inbox, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";
import fc from "../../helpers/property.ts";

const CONDITION = fc.constantFrom<Condition>("up", "up", "down", "degraded");
const RUN = fc.record({
  minutes: fc.constantFrom(1, 5, 5, 5, 20, 90),
  conditions: fc.record({ shop: CONDITION, api: CONDITION, constructor: CONDITION }, {
    requiredKeys: [],
  }),
});
const STORY = fc.array(RUN, { maxLength: 40 });
const KEYS = fc.record({
  "min-interval": fc.constantFrom(0, 0, 600, 900, 7200),
  "group-notifications": fc.boolean(),
  "group-interval": fc.constantFrom(0, 0, 900, 3600),
  reminders: fc.constantFrom<number[]>([], [], [600_000, 3_600_000]),
});

/** Longer than any interval: everything that waits is sent by then. */
const LATER = 24 * 60;

interface StoryRun {
  /** Since the run before. */
  minutes: number;
  conditions: Partial<Record<string, Condition>>;
}

interface Played {
  inbox: Inbox;
  happened: SiteEvent[];
  /** Minutes of all runs. */
  runs: number[];
}

function play(story: readonly StoryRun[], keys: Partial<Notification>, isReread = true): Played {
  const sites = new StoryOfSites();
  const inbox = new Inbox(channelOf(keys), isReread);
  const states = new Map<string, string>();
  const happened: SiteEvent[] = [];
  const runs: number[] = [];
  let minute = 0;
  for (const { minutes, conditions } of [...story, { minutes: LATER, conditions: {} }]) {
    minute += minutes;
    const subjects = sites.run(conditions, NOW.add({ minutes: minute }));
    const changed = subjects.filter(({ incident, state }) =>
      states.get(incident) !== (state ?? "up")
    );
    for (const { incident, state } of changed) states.set(incident, state ?? "up");
    happened.push(...changed.map(({ event }) => event));
    runs.push(minute);
    inbox.run(minute, subjects);
  }
  return { inbox, happened, runs };
}

/** Events of a site that were notified, starts and ends apart, without reminders. */
function kindsOf({ messages }: Inbox, slug: string): EventKind[] {
  return messages.flatMap(({ message: { events } }) => events)
    .filter((event) => event.slug === slug && event.reminder === undefined)
    .flatMap(({ kind, was }) => was === undefined ? [kind as EventKind] : [was, "up" as const]);
}

const SLUGS = ["shop", "api", "constructor"];

Deno.test("whatever happens, down and up alternate, and every outage is notified once, with its end", () => {
  fc.assert(fc.property(STORY, KEYS, (story, keys) => {
    const { inbox, happened } = play(story, keys);
    for (const slug of SLUGS) {
      const sent = kindsOf(inbox, slug);
      for (const [index, kind] of sent.entries()) {
        const before = sent[index - 1] ?? "up";
        assert(kind !== before, sent.join());
      }
      const started = sent.filter((kind, index) =>
        kind !== "up" && (sent[index - 1] ?? "up") === "up"
      );
      const own = happened.filter((event) => event.slug === slug);
      assertEquals(started.length, new Set(own.map(({ incident }) => incident)).size);
      const ended = (kind: string) => kind === "up";
      const ends = own.map(({ kind }) => kind).filter(ended);
      assertEquals(sent.filter(ended).length, ends.length);
    }
  }));
});

Deno.test("whatever happens, two messages are an interval apart, and nothing waits for longer than that", () => {
  fc.assert(fc.property(STORY, KEYS, (story, keys) => {
    const { inbox, happened, runs } = play(story, keys);
    const least = keys["min-interval"] / 60;
    const minutes = inbox.messages.map(({ minute }) => minute);
    for (const [index, minute] of minutes.entries()) {
      assert(index === 0 || least === 0 || minute - minutes[index - 1]! >= least, minutes.join());
    }
    const longest = Math.max(least, keys["group-notifications"] ? keys["group-interval"] / 60 : 0);
    const starts = new Map(
      happened.toReversed().map((event) => [`${event.slug} ${event.incident}`, event]),
    );
    for (const { slug, incident, since } of starts.values()) {
      const at = Temporal.Instant.from(since).since(NOW).total("milliseconds") / MINUTE;
      const latest = runs.find((minute) => minute >= at + longest)!;
      const isSent = inbox.messages.some(({ minute, message: { events } }) =>
        minute <= latest &&
        events.some((event) => event.slug === slug && event.since >= since)
      );
      assert(isSent, `${incident} at ${at}`);
    }
  }));
});

Deno.test("whatever happens, a channel that is notified of some events alone gets each outage once", () => {
  const on = fc.constantFrom<EventKind[]>(["down"], ["up"], ["down", "up"]);
  fc.assert(fc.property(STORY, KEYS, on, (story, keys, on) => {
    // An outage that is only a degradation by the time at which it can be sent is sent at its end.
    const conditions = Object.fromEntries(SLUGS.map((slug) => [slug, "up" as const]));
    const { inbox, happened } = play([...story, { minutes: LATER, conditions }], { ...keys, on });
    for (const slug of SLUGS) {
      const own = happened.filter((event) => event.slug === slug);
      const outages = new Set(
        own.filter(({ kind }) => kind === "down").map(({ incident }) => incident),
      );
      const ends = own.filter(({ kind, incident }) =>
        kind === "up" && (!on.includes("down") || outages.has(incident))
      );
      const sent = kindsOf(inbox, slug);
      assertEquals(
        sent.filter((kind) => kind === "down").length,
        on.includes("down") ? outages.size : 0,
      );
      const ups = sent.filter((kind) => kind === "up").length;
      if (on.length === 2) assertEquals(ups, ends.length);
      else if (on.includes("up")) {
        assertEquals([ups > 0, ups <= ends.length], [ends.length > 0, true]);
      }
      assert(!sent.includes("degraded"));
    }
  }));
});

Deno.test("whatever happens, saving and loading the state of channels between runs changes nothing", () => {
  fc.assert(fc.property(STORY, KEYS, (story, keys) => {
    assertEquals(play(story, keys).inbox.messages, play(story, keys, false).inbox.messages);
  }));
});

Deno.test("whatever happens, no two messages of a channel have the same id", () => {
  fc.assert(fc.property(STORY, KEYS, (story, keys) => {
    const ids = play(story, keys).inbox.messages.map(({ message }) => message.id);
    assertEquals(new Set(ids).size, ids.length);
  }));
});
