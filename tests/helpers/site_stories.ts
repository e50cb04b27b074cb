import type { Random } from "./seeded_random.ts";
import { type Answer, SILENCE, type Watched, type WatchedWorld } from "./watched_sites.ts";

/** A time in which a site fails, in seconds since the start. */
interface Outage {
  from: number;
  to: number;
  hangs: boolean;
  /** True if the site that it depends on is down for all of it. */
  isExplained: boolean;
}

export interface Story {
  name: string;
  interval: number;
  /** Seconds that it takes to answer if it is up. */
  takes: number;
  dependsOn?: string;
  outages: Outage[];
  /** Times at which it fails too briefly to be down. */
  hiccups: number[];
}

export interface Stories {
  seconds: number;
  sites: Story[];
  /** The longest push and the longest message, in seconds. */
  push: number;
  sends: number;
  /** Time in which the remote does not answer. */
  away?: readonly [from: number, to: number];
}

const DELAYS = [3, 5];
const RECHECK = 1;
/** Seconds that a failing and a hanging attempt take. */
const [FAILS, HANGS] = [0.05, 40];
const HICCUP = 2;
/** Seconds after which any outage is recorded, or its end. */
const SETTLED = 400;
/** Seconds in which a failing site is checked, and found to be down or up. */
const NOTICED = 200;

/** Length of a story, in seconds. */
const LENGTH = 4_000;

/** Invents sites that answer, fail, hang and depend on each other. */
export function inventStories(random: Random): Stories {
  const between = (least: number, most: number) => least + (most - least) * random();
  const oneOf = <T>(...all: T[]): T => all[Math.floor(random() * all.length)]!;
  const count = Math.floor(between(3, 8));
  const sites: Story[] = [];
  for (let index = 0; index < count; index++) {
    const parent = index > 0 && random() < 0.6 ? oneOf(...sites) : undefined;
    const interval = oneOf(10, 10, 20, 30, 60);
    const outages: Outage[] = [];
    const hiccups: number[] = [];
    const ofParent = parent === undefined ? [] : parent.outages;
    let at = between(0, 400);
    while (at < LENGTH) {
      const next = ofParent.find(({ to }) => to > at - SETTLED);
      if (next !== undefined && random() < 0.7) {
        // It fails with the other one, and is back before it.
        const from = Math.max(at, next.from + oneOf(0, between(5, 150), between(0, 400)));
        at = next.to + SETTLED;
        const [least, most] = [from + NOTICED, next.to - NOTICED];
        if (least > most) continue;
        const to = between(least, most);
        outages.push({ from, to, hangs: random() < 0.3, isExplained: true });
      } else {
        const to = at + between(SETTLED, 1_400);
        const isApart = ofParent.every((one) => one.to + SETTLED < at || to + SETTLED < one.from);
        if (isApart && to + SETTLED < LENGTH) {
          outages.push({ from: at, to, hangs: random() < 0.4, isExplained: false });
        }
        at = to + SETTLED;
      }
      if (random() < 0.4) hiccups.push(at);
      at += between(SETTLED, 900);
    }
    sites.push({
      name: `s${index}`,
      interval,
      // Others depend on it: while it answers, nobody knows that it fails since.
      takes: oneOf(between(0.01, 0.3), between(0.01, 0.3), between(0.01, 9)),
      ...parent === undefined ? {} : { dependsOn: parent.name },
      outages,
      hiccups,
    });
  }
  const parents = new Set(sites.map(({ dependsOn }) => dependsOn));
  for (const site of sites) if (parents.has(site.name)) site.takes = Math.min(site.takes, 0.3);
  const from = between(0, LENGTH);
  return {
    seconds: LENGTH,
    sites,
    push: oneOf(0, 1, 20),
    sends: oneOf(0, 2),
    ...random() < 0.3 ? { away: [from, from + between(60, 600)] as const } : {},
  };
}

export function toWorld(
  { seconds, sites, push, sends, away }: Stories,
  random: Random,
): WatchedWorld {
  const bySite = new Map(sites.map((site) => [site.name, site]));
  return {
    seconds: seconds + 2 * SETTLED,
    config: {
      canaries: [],
      driftAlarm: false,
      issues: false,
      reopenWithin: 0,
      retry: { delays: DELAYS, jitter: 0 },
      recheckDelay: RECHECK,
      notifications: [{ type: "webhook", url: "https://hooks.example.com/", on: ["down", "up"] }],
      sites: sites.map(({ name, interval, dependsOn }) => ({
        name,
        url: `http://${name}/`,
        interval,
        ...dependsOn === undefined ? {} : { dependsOn },
      })),
    },
    answer: (name, at) => answerOf(bySite.get(name)!, at),
    push: (at) => away !== undefined && away[0] < at && at < away[1] ? undefined : push * random(),
    sends: () => sends * random(),
  };
}

function answerOf({ takes, outages, hiccups }: Story, at: number): Answer {
  const outage = outages.find(({ from, to }) => from <= at && at < to);
  if (outage !== undefined) return { isUp: false, takes: outage.hangs ? 2 * HANGS : FAILS };
  const isBrief = hiccups.some((from) => from <= at && at < from + HICCUP);
  return isBrief ? { isUp: false, takes: FAILS } : { isUp: true, takes };
}

/** Finds the mistakes in a watched world: each site has to be watched as if it were alone. */
export function findMistakes(stories: Stories, watched: Watched): string[] {
  const mistakes: string[] = [];
  const expect = (isTrue: boolean, text: string) => void (isTrue || mistakes.push(text));
  const inTime = (at: number, [from, to]: readonly [number, number], text: string) =>
    expect(from <= at && at <= to + 0.01, `${text} at ${at}, expected from ${from} to ${to}`);
  expect(watched.stderr === "" || stories.away !== undefined, watched.stderr);
  for (const { name, interval, takes, outages, dependsOn } of stories.sites) {
    const attempts = watched.attempts.filter((one) => one.name === name);
    const checks = attempts.filter(({ number }) => number === 1);
    for (const [index, { number, from }] of attempts.entries()) {
      const before = attempts[index - 1];
      const isNext = number === 1 || number === (before?.number ?? 0) + 1;
      const isApart = before === undefined || before.to <= from;
      expect(isNext && isApart, `${name} is in two checks at ${from}`);
    }
    for (const [index, { from }] of checks.entries()) {
      const before = checks[index - 1];
      const last = attempts.findLast((one) => one.to <= from);
      if (before === undefined || last?.isUp !== true) continue;
      // After a hiccup, or to confirm that it is up again, a slow site may take longer than its interval.
      const longest = Math.ceil((last.to - before.from) / interval) * interval + 1;
      expect(
        from - before.from <= longest,
        `${name} is not checked from ${before.from} to ${from}`,
      );
    }
    const rows = watched.rows.filter(({ slug }) => slug === name);
    expect(rows.length === checks.length, `${name} has ${rows.length} rows of ${checks.length}`);

    const incidents = watched.incidents.filter(({ slug }) => slug === name)
      .sort((one, other) => one.start - other.start);
    expect(
      incidents.length === outages.length,
      `${name} has ${incidents.length} incidents of ${outages.length}`,
    );
    const due: { kind: string; from: number; to: number }[] = [];
    // A result waits for its batch, and for a push before its own.
    const recording = 2 + 2 * Math.max(stories.push, stories.away === undefined ? 0 : SILENCE);
    // A failing check ends once the site that it depends on is recorded, which may hang.
    const waits = dependsOn === undefined ? 0 : recording;
    for (const [index, { from, to, hangs, isExplained }] of outages.entries()) {
      const { start = 0, end = 0 } = incidents[index] ?? {};
      const attempt = hangs ? HANGS : FAILS;
      inTime(start, [from, from + interval + 1], `${name} is down`);
      const longest = attempt + waits + (isExplained ? HANGS : 0);
      inTime(end, [to, to + longest + interval + 1], `${name} is up`);
      expect(
        incidents[index]?.isExplained === isExplained,
        `${name} is explained wrongly at ${start}`,
      );
      if (isExplained) {
        const isDown = ({ slug, state, at }: Watched["recorded"][number], site: string) =>
          slug === site && state === "down" && at >= from;
        const first = watched.recorded.findIndex((one) => isDown(one, name));
        const { run, at } = watched.recorded[first] ?? {};
        const isAfter = watched.recorded.some((one, index) =>
          one.slug === dependsOn && one.state === "down" && one.at >= from - 2_000 &&
          (index < first || one.run === run)
        );
        expect(isAfter, `${name} is recorded at ${at} before ${dependsOn}`);
        continue;
      }
      const retries = 3 * attempt + DELAYS[0]! + DELAYS[1]!;
      const sent = recording + waits + stories.sends;
      due.push({ kind: "down", from: start, to: start + retries + sent });
      due.push({ kind: "up", from: end, to: end + 2 * takes + RECHECK + sent });
    }
    const messages = watched.messages.filter(({ slug }) => slug === name);
    const kinds = (all: readonly { kind: string }[]) => all.map(({ kind }) => kind).join(" ");
    expect(
      kinds(messages) === kinds(due),
      `messages of ${name}: ${kinds(messages)}, expected ${kinds(due)}`,
    );
    for (const [index, { from, to }] of due.entries()) {
      const { at = 0, kind } = messages[index] ?? {};
      inTime(at, [from, to], `the message that ${name} is ${kind}`);
    }
  }
  return mistakes;
}
