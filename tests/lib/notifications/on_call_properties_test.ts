import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { isOfSite } from "../../../lib/notifications/message.ts";
import { channelOf, Inbox, MINUTE, StoryOfSites } from "../../helpers/channels.ts";
import { NOW } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";

const SLUGS = ["shop", "api"] as const;

/** A run: minutes since the one before, the sites that are down, and those that are acknowledged. */
const RUN = fc.record({
  minutes: fc.constantFrom(1, 5, 5, 5, 5, 20, 90),
  down: fc.subarray([...SLUGS]),
  acknowledged: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    fc.subarray<string>([...SLUGS]),
  ),
});

const KEYS = fc.record({
  after: fc.constantFrom(0, 0, 7, 15, 60),
  // NOW is 10:05, so that these are minutes 55 to 115.
  quiet: fc.constantFrom(false, true, true),
  isExcepted: fc.boolean(),
  reminder: fc.constantFrom(0, 20),
});

type Run = { minute: number; down: readonly string[]; acknowledged: readonly string[] };
interface Plan {
  after: number;
  quiet: boolean;
  isExcepted: boolean;
  reminder: number;
}

const isInQuiet = ({ quiet }: Plan, minute: number) => quiet && minute >= 55 && minute < 115;

/**
 * The messages about a site, incident by incident and from the definition alone: `minute kind`, in no order.
 * The last run is one in which nothing is down, and outside of quiet hours.
 */
function findExpected(story: readonly Run[], slug: string, plan: Plan): string[] {
  const { after, isExcepted, reminder } = plan;
  const isSilent = (minute: number) => isInQuiet(plan, minute) && !isExcepted;
  const owed: string[] = [];
  for (let first = 0; first < story.length; first++) {
    const isDown = (index: number) => story[index]?.down.includes(slug) ?? false;
    if (!isDown(first) || isDown(first - 1)) continue;
    const until = story.findIndex((_, index) => index > first && !isDown(index));
    const open = story.slice(first, until);
    const sent = open.find(({ minute, acknowledged }) =>
      minute - story[first]!.minute >= after && !isSilent(minute) &&
      (after === 0 || !acknowledged.includes(slug))
    );
    const afterwards = story.slice(until).find(({ minute }) => !isSilent(minute))!;
    if (sent !== undefined) {
      owed.push(`${sent.minute} down`, `${afterwards.minute} up`);
      let last = sent.minute;
      for (const { minute } of open.filter(({ minute }) => minute > sent.minute)) {
        if (reminder === 0 || minute - last < reminder || isInQuiet(plan, minute)) continue;
        owed.push(`${minute} still down`);
        last = minute;
      }
      continue;
    }
    // Only quiet hours have held it back, in its last run that could send it.
    const { minute, acknowledged } = open.at(-1)!;
    const isStep = after > 0;
    const wasDue = minute - story[first]!.minute >= after;
    if (wasDue && isSilent(minute) && !(isStep && acknowledged.includes(slug))) {
      owed.push(`${afterwards.minute} was down`);
    }
  }
  return owed.sort();
}

function play(story: readonly Run[], { after, quiet, isExcepted, reminder }: Plan): Inbox {
  const keys: Partial<Notification> = {
    ...after === 0 ? {} : { after: after * MINUTE },
    ...quiet
      ? { quiet: { from: "11:00", to: "12:00", ...isExcepted ? { except: "critical" } : {} } }
      : {},
    ...reminder === 0 ? {} : { reminders: [reminder * MINUTE] },
  };
  const sites = new StoryOfSites();
  const inbox = new Inbox(channelOf(keys));
  /** If incidents were acknowledged in the last run in which they were open. */
  const taken = new Map<string, boolean>();
  for (const { minute, down, acknowledged } of story) {
    const conditions = Object.fromEntries(
      SLUGS.map((slug) => [slug, down.includes(slug) ? "down" as const : "up" as const]),
    );
    const subjects = sites.run(conditions, NOW.add({ minutes: minute }));
    const by = { by: "jo", at: `${NOW}` };
    for (const { slug, incident, end } of subjects) {
      if (end === undefined) taken.set(incident, acknowledged.includes(slug));
    }
    inbox.run(
      minute,
      subjects.map((one) =>
        taken.get(one.incident) ? { ...one, event: { ...one.event, acknowledged: by } } : one
      ),
    );
  }
  return inbox;
}

const STORY = fc.array(RUN, { minLength: 1, maxLength: 40 }).map((story): Run[] => {
  let minute = -5;
  const played = story.map(({ minutes, down, acknowledged }, index) => {
    minute += minutes;
    const before = story[index - 1]?.down ?? [];
    return {
      minute,
      down,
      acknowledged: acknowledged.filter((slug) => before.includes(slug as never)),
    };
  });
  return [...played, { minute: Math.max(minute + 5, 115), down: [], acknowledged: [] }];
});

Deno.test("whatever happens, a channel is sent exactly what its steps, its quiet hours and people leave", () => {
  fc.assert(
    fc.property(STORY, KEYS, (story, keys) => {
      // The message that somebody has acknowledged postpones reminders.
      const isTaken = story.some(({ acknowledged }) => acknowledged.length > 0);
      const plan = isTaken ? { ...keys, reminder: 0 } : keys;
      const { messages } = play(story, plan);
      for (const slug of SLUGS) {
        const sent = messages.flatMap(({ minute, message: { events } }) =>
          events.filter((event) => event.slug === slug && isOfSite(event))
            .map(({ kind, was, reminder }) =>
              `${minute} ${was === undefined ? reminder ? `still ${kind}` : kind : `was ${was}`}`
            )
        );
        assertEquals(sent.sort(), findExpected(story, slug, plan));
      }
    }),
    { numRuns: runs(40, 240) },
  );
});

Deno.test("whatever happens, quiet hours end with one message", () => {
  fc.assert(
    fc.property(STORY, KEYS, (story, plan) => {
      const { messages } = play(story, { ...plan, isExcepted: false });
      const minutes = messages.map(({ minute }) => minute);
      assert(!minutes.some((minute) => isInQuiet(plan, minute)), minutes.join());
      const last = story.findLast(({ minute }) => isInQuiet(plan, minute));
      const end = story.find(({ minute }) => minute >= 115)!.minute;
      if (last !== undefined && last.down.length > 0) {
        assert(minutes.filter((minute) => minute === end).length <= 1, minutes.join());
      }
    }),
  );
});
