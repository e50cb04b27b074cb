import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { type Subscriber, toSubscribers } from "../../../lib/notifications/channel_list.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { opensAlert } from "../../../lib/notifications/news.ts";
import type { Subject } from "../../../lib/notifications/subject.ts";
import type { Condition } from "../../../lib/state.ts";
import { MINUTE } from "../../helpers/channels.ts";
import { type Fate, Mailbox } from "../../helpers/mailbox.ts";
import { NOW } from "../../helpers/outcomes.ts";
import fc, { runs } from "../../helpers/property.ts";
import { repetitions } from "../../helpers/repetitions.ts";

// NOW is 10:05 UTC: quiet hours are minutes 55 to 115 of each day.
const QUIET = { quiet: { from: "11:00", to: "12:00" } };
const EXCEPT = { quiet: { ...QUIET.quiet, except: "critical" as const } };

const SLUGS = Array.from({ length: 25 }, (_, index) => `s${index + 1}`);
/** Sites of which two kinds of channels are not notified. */
const ODD = SLUGS.filter((slug) => Number(slug.slice(1)) % 2 === 1);

/** Kinds of channels, by name. */
const KINDS: Readonly<Record<string, Partial<Notification>>> = {
  chat: { type: "ntfy" },
  "chat of outages": { type: "ntfy", on: ["down"], tags: ["!odd"] },
  "chat with an interval": { type: "ntfy", "min-interval": 1_200, ...QUIET },
  "grouped chat": { type: "ntfy", "group-notifications": true, "group-interval": 1_800 },
  pagerduty: { type: "pagerduty", on: ["down", "degraded"], ...QUIET },
  jsm: { type: "jsm", after: 15 * MINUTE, sites: ODD.map((slug) => `!${slug}`) },
  pushover: { type: "pushover", priority: "2", retry: 60, expire: 3_600, ...EXCEPT },
  "incident-io": { type: "incident-io", reminders: [30 * MINUTE] },
};

function makeChannel(keys: Partial<Notification>): Subscriber {
  const sites = SLUGS.map((slug) => ({
    ...{ name: slug, slug, notifications: [], severity: "critical" as const },
    tags: ODD.includes(slug) ? ["odd"] : ["even"],
  }));
  return toSubscribers({ notifications: [{ type: "email", ...keys }], sites })[0]!;
}

function isQuietAt({ quiet }: Partial<Notification>, minute: number): boolean {
  return quiet !== undefined && minute % 1_440 >= 55 && minute % 1_440 < 115;
}

interface Run {
  minute: number;
  conditions: Readonly<Record<string, Condition>>;
  fate: Fate;
  /** Sites that somebody acknowledges, or mutes for some minutes. */
  taken: readonly string[];
  muted: readonly [slug: string, minutes: number][];
}

/** Runs, at the end of which everything is up and all gates are open. */
interface RandomStory {
  runs: readonly Run[];
  lostAt?: number;
}

const FATE = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fate>("sent") },
  { weight: 3, arbitrary: fc.constantFrom<Fate>("fails", "refused", "killed", "unnoted", "lacks") },
);
const ONE = fc.record({
  minutes: fc.constantFrom(5, 5, 5, 5, 20, 60),
  /** `all` are all sites. */
  changes: fc.array(
    fc.tuple(
      fc.constantFrom("all", "one", "one", "few"),
      fc.nat(24),
      fc.constantFrom("up", "up", "down", "down", "degraded"),
    ),
    { maxLength: 2 },
  ),
  fate: FATE,
  taken: fc.array(fc.nat(24), { maxLength: 2 }),
  muted: fc.array(fc.tuple(fc.nat(24), fc.constantFrom(10, 45)), { maxLength: 1 }),
});

/** Random stories of 1 to 25 sites. */
function storyArbitrary({ isLost = false } = {}): fc.Arbitrary<RandomStory> {
  return fc.record({
    count: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 25 })),
    runs: fc.array(ONE, { minLength: 2, maxLength: 18 }),
    lost: fc.nat(17),
  }).map(({ count, runs, lost }) => {
    const slugs = SLUGS.slice(0, count);
    const at = (index: number) => slugs[index % count]!;
    let minute = 20;
    const played = runs.map(({ minutes, changes, fate, taken, muted }): Run => {
      minute += minutes;
      const conditions = changes.flatMap(([what, index, condition]) => {
        const own = what === "all"
          ? slugs
          : what === "one"
          ? [at(index)]
          : slugs.slice(index % count);
        return own.map((slug) => [slug, condition as Condition] as const);
      });
      return {
        ...{ minute, fate, conditions: Object.fromEntries(conditions) },
        taken: taken.map(at),
        muted: muted.map(([index, length]) => [at(index), length]),
      };
    });
    const up = Object.fromEntries(slugs.map((slug) => [slug, "up" as const]));
    const rest = [5, 10, 200, 240, 280].map((later): Run => ({
      ...{ minute: minute + later, fate: "sent", taken: [], muted: [] },
      conditions: later === 5 ? up : {},
    })).map((run) => ({ ...run, minute: awake(run.minute) }));
    return {
      runs: [...played, ...rest],
      ...isLost ? { lostAt: played[lost % played.length]!.minute } : {},
    };
  });
}

/** The last runs are outside of quiet hours. */
function awake(minute: number): number {
  return isQuietAt(QUIET, minute) ? minute + 60 : minute;
}

/** The incidents of a story as they came and went, by id. */
interface Played {
  mailbox: Mailbox;
  ends: ReadonlyMap<string, number>;
  /** Each incident with the minutes of the runs in which nobody had to act on it: `INCIDENT MINUTE`. */
  settled: ReadonlySet<string>;
}

/** Plays a story for a channel, which may be another one from a minute on; `onRun` is called before each run. */
function playRandom(
  { runs, lostAt }: RandomStory,
  channelAt: (minute: number) => Subscriber,
  onRun: (mailbox: Mailbox, minute: number) => void = () => {},
): Played {
  const ends = new Map<string, number>();
  const taken = new Map<string, number>();
  const settled = new Set<string>();
  let mutes: [slug: string, from: number, until: number][] = [];
  const at = (minute: number) => NOW.add({ minutes: minute });
  const mark = (subject: Subject, minute: number): Subject => {
    const { slug, incident, end } = subject;
    if (end !== undefined && !ends.has(incident)) ends.set(incident, minute);
    const since = taken.get(incident);
    const mute = mutes.findLast(([name, from, until]) =>
      name === slug && from <= minute && minute < until
    );
    if (end !== undefined || since !== undefined || mute !== undefined) {
      settled.add(`${incident} ${minute}`);
    }
    return {
      ...subject,
      ...since === undefined
        ? {}
        : { event: { ...subject.event, acknowledged: { by: "jo", at: `${at(since)}` } } },
      ...mute === undefined ? {} : { mute: { by: "jo", at: at(mute[1]), until: at(mute[2]) } },
    };
  };
  const open = new Map<string, string>();
  const mailbox = new Mailbox(channelAt, {
    ...lostAt === undefined ? {} : { lostAt },
    mark(subject, minute) {
      if (subject.end === undefined) open.set(subject.slug, subject.incident);
      return mark(subject, minute);
    },
  });
  for (const run of runs) {
    // People act between two runs.
    for (const slug of run.taken) {
      const incident = open.get(slug);
      if (incident !== undefined && !ends.has(incident) && !taken.has(incident)) {
        taken.set(incident, run.minute - 1);
      }
    }
    mutes = [
      ...mutes,
      ...run.muted.map(([slug, length]): typeof mutes[0] => [
        slug,
        run.minute - 1,
        run.minute - 1 + length,
      ]),
    ];
    onRun(mailbox, run.minute);
    mailbox.run(run.minute, run.conditions, run.fate);
  }
  return { mailbox, ends, settled };
}

/** Stories for each of five properties of a kind of channel. */
const NUM_RUNS = repetitions(runs(12, 400), 2_000);

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
