import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { opensAlert } from "../../../lib/notifications/news.ts";
import fc, { runs } from "../../helpers/property.ts";
import { repetitions } from "../../helpers/repetitions.ts";
import {
  isQuietAt,
  KINDS,
  makeChannel,
  ODD,
  playRandom,
  type RandomStory,
  storyArbitrary,
} from "../../helpers/random_on_call.ts";

/** Stories for each of five properties of a kind of channel. */
const NUM_RUNS = repetitions(runs(40, 400), 2_000);

type Sent = SiteEvent & { minute: number };

/** Plays a story for a kind of channel. */
function play(story: RandomStory, keys: Partial<Notification>) {
  const channel = makeChannel(keys);
  const { mailbox, ends, settled } = playRandom(story, () => channel);
  const all = mailbox.sent.flatMap(({ minute, events }): Sent[] =>
    events.map((event) => ({ ...event, minute }))
  );
  const readable = all.filter(({ silent }) => !silent);
  return { channel, mailbox, ends, settled, all, readable };
}

const isEnd = ({ kind }: SiteEvent) => kind === "up";
const isNews = ({ kind, reminder }: SiteEvent) => kind !== "notice" && !reminder;
const alertOf = ({ alert, incident }: SiteEvent) => alert ?? incident;

for (const [name, keys] of Object.entries(KINDS)) {
  Deno.test(`whatever happens, ${name}: an alert is ended silently and once, in the run that finds its end`, () => {
    fc.assert(
      fc.property(storyArbitrary(), (story) => {
        const { channel, all, ends, settled } = play(story, keys);
        const opened = all.filter((event) => opensAlert(channel, event) && event.kind !== "notice");
        for (const [alert, events] of Map.groupBy(opened, alertOf)) {
          const silent = all.filter((event) => event.silent && alertOf(event) === alert);
          // Nothing ends or acknowledges it while somebody has to act.
          for (const { minute } of silent) {
            const before = events.filter((event) => event.minute < minute);
            const open = before.filter(({ incident }) => !settled.has(`${incident} ${minute}`));
            assertEquals(open.map(({ incident }) => incident), [], `${alert} at ${minute}`);
          }
          const last = Math.max(...events.map(({ minute }) => minute));
          const over = Math.max(...events.map(({ incident }) => ends.get(incident)!));
          const due = story.runs.find(({ minute, fate }) =>
            minute >= over && (fate === "sent" || fate === "unnoted")
          )!.minute;
          const found = silent.filter((event) =>
            channel.alerts === "all" ? isEnd(event) : true
          );
          if (channel.alerts === "all") {
            assertEquals(new Set(found.map(({ id }) => id)).size, 1, alert);
            assertEquals(found[0]!.minute, due, alert);
          } else {
            assert(found.some(({ minute }) => minute >= last && minute <= due), alert);
          }
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });

  Deno.test(`whatever happens, ${name}: who was sent a start is sent its end once, if on has up`, () => {
    fc.assert(
      fc.property(storyArbitrary(), (story) => {
        const { channel, mailbox, readable } = play(story, keys);
        const byIncident = Map.groupBy(readable.filter(isNews), ({ incident }) => incident);
        for (const [incident, events] of byIncident) {
          const ids = new Set(events.filter(isEnd).map(({ id, was }) => `${id} ${was}`));
          const wants = channel.wants(events[0]!.slug).includes("up") && channel.alerts !== "all";
          // What began and ended unseen is one event.
          const isWhole = events.some(({ was }) => was !== undefined);
          assertEquals(ids.size, wants || isWhole ? 1 : 0, incident);
          // Leaving out what was repeated, an end comes last.
          const firsts = [...new Map(events.map((event) => [event.id, event])).values()];
          if (!mailbox.uncertain.has(incident)) {
            assertEquals(
              firsts.findIndex(isEnd),
              wants || isWhole ? firsts.length - 1 : -1,
              incident,
            );
          }
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });

  Deno.test(`whatever happens, ${name}: quiet hours and routes are kept`, () => {
    fc.assert(
      fc.property(storyArbitrary({ isLost: true }), (story) => {
        for (const event of play(story, keys).readable) {
          const isRouted = keys.tags === undefined && keys.sites === undefined;
          assert(isRouted || !ODD.includes(event.slug), event.id);
          if (!isQuietAt(keys, event.minute)) continue;
          assertEquals(keys.quiet!.except, "critical", event.id);
          const isDegraded = event.kind === "degraded" || event.reminder === true;
          assert(!isDegraded, `${event.id} at ${event.minute}`);
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });

  Deno.test(`whatever happens, ${name}: after the run state is lost, no start is sent that the files have`, () => {
    fc.assert(
      fc.property(storyArbitrary({ isLost: true }), (story) => {
        const channel = makeChannel(keys);
        let filed: string[] = [];
        const { mailbox } = playRandom(story, () => channel, (one, minute) => {
          if (minute !== story.lostAt) return;
          filed = Object.values(one.filed).flatMap(({ notified }) =>
            notified.map(({ incident, kind }) => `${incident} ${kind}`)
          );
        });
        const after = mailbox.sent.filter(({ minute }) => minute >= story.lostAt!);
        const again = after.flatMap(({ events }) => events)
          .filter((event) => !event.silent && isNews(event) && event.start === undefined)
          .map(({ incident, kind }) => `${incident} ${kind}`);
        assertEquals(filed.filter((one) => again.includes(one)), []);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  Deno.test(`whatever happens, ${name}: a new channel is notified of nothing that ended before`, () => {
    fc.assert(
      fc.property(storyArbitrary(), fc.nat(17), (story, index) => {
        const { minute: from } = story.runs[index % (story.runs.length - 5)]!;
        const [before, channel] = [makeChannel({}), makeChannel(keys)];
        const { mailbox, ends } = playRandom(story, (minute) => minute < from ? before : channel);
        const late = mailbox.sent.filter(({ minute }) => minute >= from)
          .flatMap(({ events }) => events);
        assertEquals(late.filter(({ incident }) => ends.get(incident)! < from), []);
      }),
      { numRuns: NUM_RUNS },
    );
  });
}
