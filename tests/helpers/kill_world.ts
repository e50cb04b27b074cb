import { delay } from "@std/async/delay";
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import type { CheckRow } from "../../lib/history/checks_log.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { retry } from "../../lib/io/requests.ts";
import { bodyUntil } from "./announcement_rig.ts";
import { calendarFlags } from "./calendar.ts";
import { KILLED, wrapGit } from "./git_wrapper.ts";
import { githubServer } from "./github_server.ts";
import {
  killGroup,
  killOne,
  output,
  type ProgramResult,
  runTask,
  spawnModule,
  spawnTask,
} from "./program.ts";
import {
  allRowsAt,
  cloneRemote,
  incidentsAt,
  makeRepository,
  removeLocks,
  rowsAt,
  status,
  tip,
  waitingRowsIn,
  writeHook,
} from "./repositories.ts";
import { git, makeRemote, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import type { WatchRun } from "./watch_program.ts";

/** Moments at which a program is killed. */
export const MOMENTS = [
  "at any time",
  "while a message is sent",
  "when a message was taken",
  "while an issue is changed",
  "when an issue was changed",
  "while a slow site is open",
  "between two rounds",
] as const;

type Moment = typeof MOMENTS[number];

// deno-lint-ignore no-explicit-any
type Received = any;

/** What is monitored, and where results go. */
export interface Scene {
  /** @default {true} */
  hasRemote?: boolean;
  /** True if incidents are issues of GitHub, too, and people announce maintenance there. @default {false} */
  hasGitHub?: boolean;
  /** Names of the sites beside the one that is turned down and up; "slow" answers after several rounds. */
  others?: readonly string[];
}

interface Kill {
  command: "update" | "watch";
  moment: Moment;
  /** True if the program is killed with all that it started. */
  isGroup: boolean;
  /** True if the remote refuses pushes until it is killed. */
  isRefused: boolean;
}

const PROGRAM = join(import.meta.dirname!, "watch_program.ts");
/** Milliseconds until the slow site answers: longer than several rounds. */
const SLOW = 1_500;
const PACE = 300;
/** Results that are not recorded while rounds follow at this pace: a round records those of a second. */
const UNRECORDED = 10;
const MINUTE = 60_000;
/** Milliseconds from the start of a program to that of the next: no claim lasts as long. */
const LATER = 15 * MINUTE;
/** Milliseconds that all programs together may take, so that none is ahead of GitHub's clock. */
const PAST = 2 * 86_400_000;
/** A push may replace a ref between two reads of the remote. */
const PATIENTLY = { delays: [20, 50, 100, 200, 400, 800], clock: systemClock };

/** A monitored repository with channels and GitHub, whose programs are killed; it knows what they must leave. */
export async function killWorld(
  scratch: Scratch,
  { hasRemote = true, hasGitHub = false, others = [] }: Scene,
) {
  await using stack = new AsyncDisposableStack();
  const github = stack.use(await githubServer());
  /** Ids of the messages with each event, in the order in which the events came first. */
  const messages = new Map<string, string[]>();
  /** What the pager was asked for, by alert. */
  const alerts = new Map<string, string[]>();
  let isDown = false;
  let outages = 0;
  let announced = 0;
  let later = -PAST;
  let checks = 0;
  let awaited: { moment: Moment; reached(): void } | undefined;
  const reach = (moment: Moment) => awaited?.moment === moment && awaited.reached();
  /** Called before something is written that is no git command; returns false if the program is killed instead. */
  let onWrite: (what: string) => boolean = () => true;

  const channel = (take: (body: Received) => void) =>
    stack.use(httpServer(async (request) => {
      const body: Received = await request.json();
      if (!onWrite("message")) return new Response(null, { status: 500 });
      take(body);
      reach("while a message is sent");
      await delay(awaited === undefined ? 0 : 50);
      reach("when a message was taken");
      return Response.json({ status: "success" }, { status: 202 });
    }));
  const hook = channel(({ id, events }) => {
    for (const { id: event } of events) messages.set(event, [...messages.get(event) ?? [], id]);
  });
  const pager = channel(({ event_action: action, dedup_key: alert }) => {
    alerts.set(alert, [...alerts.get(alert) ?? [], action]);
  });
  github.onRequest = async ({ method, path }, stage) => {
    if (method === "GET") return;
    const what = path.replace(/^\/repos\/[^/]+\/[^/]+\//, "").replace(/\d+/, "N");
    if (stage === "came" && !onWrite(`${method} ${what}`)) return false;
    reach(stage === "came" ? "while an issue is changed" : "when an issue was changed");
    if (stage === "came" && awaited !== undefined) await delay(20);
  };
  const site = stack.use(httpServer(async ({ url }) => {
    if (url.endsWith("/steady")) checks++;
    if (url.endsWith("/slow")) {
      reach("while a slow site is open");
      await delay(SLOW);
    }
    return new Response(null, { status: isDown && url.endsWith("/shop") ? 503 : 200 });
  }));
  const files = {
    ".monitorrc.yml": JSON.stringify({
      interval: 10,
      retry: { delays: [0.05] },
      recheckDelay: 0.05,
      reopenWithin: 0,
      flapThreshold: 1,
      canaries: [],
      history: { commitEvery: "1h" },
      notifications: [
        { type: "webhook", url: "$HOOK", on: ["down", "up"] },
        // Its alerts end silently.
        { type: "pagerduty", url: pager.url, "integration-key": "$KEY", on: ["down"] },
      ],
      sites: ["shop", ...others].map((name) => ({ name, url: `${site.url}/${name}` })),
    }),
  };
  const folder = hasRemote
    ? await cloneRemote(await makeRemote(scratch.path, files), join(scratch.path, "clone"))
    : await makeRepository(join(scratch.path, "local"), files);
  const remote = hasRemote ? join(scratch.path, "remote.git") : folder;
  const wrapped = await wrapGit(scratch.path);
  const env = {
    ...hasGitHub ? github.env : {},
    SECRETS_CONTEXT: JSON.stringify({ HOOK: hook.url, KEY: "7f3a" }),
  };

  const spawn = (command: Kill["command"], runs: number, path: Record<string, string> = {}) => {
    later += LATER;
    if (command === "update") {
      return spawnTask("update", { folder, env: { ...env, ...path }, later });
    }
    const argument: WatchRun = { folder, runs, samples: 1, pace: PACE };
    return spawnModule(PROGRAM, argument, env, calendarFlags("0", later));
  };
  const now = () => systemClock.now().add({ milliseconds: later });
  /** The rows on this machine and at the remote. */
  const recorded = async () => {
    const published = await retry(() => allRowsAt(remote), PATIENTLY);
    return new Set([...published, ...await waitingRowsIn(folder)].map(toKey));
  };
  const assertKept = async (before: ReadonlySet<string>, what: string) => {
    assertEquals([...before.difference(await recorded())], [], `lost: ${what}`);
  };
  /** Runs a program to its end, some milliseconds after the last one. */
  const complete = async (command: Kill["command"], after = LATER) => {
    const before = await recorded();
    later += command === "update" ? after : 0;
    const ended: ProgramResult = command === "update"
      ? await runTask("update", { folder, env, clock: { ...systemClock, now } })
      : await output(spawn("watch", 8));
    assertEquals([ended.code, ended.stderr], [0, ""], ended.stdout);
    await assertKept(before, "at an end");
  };
  const assertTidy = async (what?: string) => {
    assertEquals([await status(folder), await tip(folder)], ["", await tip(remote, "main")], what);
    assertEquals(
      await git(folder, "for-each-ref", "refs/monitor/build", "refs/worktree"),
      "",
      what,
    );
  };
  /** How often each event and alert was sent, and how often issues were changed. */
  const sent = () => ({
    counts: new Map([...messages, ...alerts].map(([key, { length }]) => [key, length])),
    changes:
      github.requests.filter(({ method, path }) => method !== "GET" && path.includes("/issues"))
        .length,
  });
  const isEnded = (key: string) => alerts.get(key)?.at(-1) !== "trigger";

  const resources = stack.move();
  return {
    complete,
    /** Turns the site down or up, which the program notices or not before it is killed. */
    turn() {
      isDown = !isDown;
      if (isDown) outages++;
    },
    /** A person announces maintenance of another site that has ended: a run closes the issue. */
    async announce() {
      const body = bodyUntil(now().subtract({ minutes: 3 }));
      const labels = ["maintenance", "steady"];
      await github.person("acme").open({ title: "Router", body, labels });
      announced++;
    },
    /**
     * Kills an `update` before one of its writes, counted from 1: a git command that changes something, a request
     * that changes something on GitHub, or a message. Asserts that the runs after it recover. Returns the write;
     * undefined if the run made fewer, and ended.
     */
    async killBefore(number: number): Promise<string | undefined> {
      const rows = await recorded();
      const first = sent();
      const settled = [...first.counts.keys()].filter(isEnded);
      await wrapped.killBefore(number);
      const child = spawn("update", 1, wrapped.env);
      onWrite = (what) => {
        const isKilled = wrapped.noteWrite(what);
        if (isKilled) killGroup(child.pid);
        return !isKilled;
      };
      const { code, stdout, stderr } = await output(child);
      onWrite = () => true;
      const write = code === 0 ? undefined : (await wrapped.calls()).at(-1)!;
      const what = `killed before write ${number}, ${write}`;
      if (write !== undefined) assertEquals(code, KILLED, stdout + stderr);
      await assertKept(rows, what);
      const killed = sent();
      // While its claims are valid, nothing that it may have done is repeated.
      await complete("update", MINUTE);
      const held = sent();
      for (const [key, count] of killed.counts) {
        if (count === (first.counts.get(key) ?? 0)) continue;
        assertEquals([key, held.counts.get(key)], [key, count], `${what}: claimed`);
      }
      if (killed.changes > first.changes) assertEquals(held.changes, killed.changes, what);
      await complete("update");
      for (const [key, count] of sent().counts) {
        const repeated = count - (killed.counts.get(key) ?? 0);
        assert(repeated <= (write === undefined ? 0 : 1), `${what}: ${key} sent ${repeated} times`);
        if (settled.includes(key)) assertEquals([key, count], [key, first.counts.get(key)], what);
      }
      await this.assertExact(what);
      await assertTidy(what);
      return write;
    },
    /** Kills a program at a moment; returns false if that was not awaited, or did not come. */
    async kill({ command, moment, isGroup, isRefused }: Kill, random: () => number) {
      if (isRefused) await writeHook(remote, "pre-receive", "exit 1");
      const first = await recorded();
      const start = checks;
      const due = Promise.withResolvers<true>();
      awaited = { moment, reached: () => due.resolve(true) };
      const child = spawn(command, 100_000);
      const limit = moment === "at any time"
        ? random() * 4_000
        : moment === "between two rounds"
        ? 8_000 + random() * 1_500
        : 30_000;
      const end = child.status.then(() => false);
      const isReached = await Promise.race([due.promise, delay(limit).then(() => false), end]);
      if (moment === "while a slow site is open") await delay(random() * SLOW);
      awaited = undefined;
      const before = await recorded();
      if (moment === "between two rounds") {
        const { length } = [...before.difference(first)].filter((key) => key.includes(" steady "));
        assert(checks - start - length <= UNRECORDED, `${length} of ${checks - start}`);
      }
      if (isGroup) killGroup(child.pid);
      else killOne(child.pid);
      await output(child);
      if (isRefused) await Deno.remove(join(remote, "hooks/pre-receive"));
      if (isGroup) { for (const one of [folder, remote]) await removeLocks(one); }
      await assertKept(before, `${command}, ${moment}`);
      return isReached;
    },
    /** Asserts that rows, incidents, issues and messages are those of the turns. */
    async assertExact(what = "") {
      const committed = (await rowsAt(remote, "main")).map(toKey);
      assertEquals(new Set(committed).size, committed.length, what);
      // Rows that wait may be on the branch already: the next commit leaves them out.
      const rows = new Map((await allRowsAt(remote)).map((row) => [toKey(row), row]));
      // A result that two runs have recorded has two rows of the same time.
      const results = [...rows.values()].map(({ slug, time }) => `${slug} ${time}`);
      assertEquals(new Set(results).size, results.length, what);
      const ended = outages - (isDown ? 1 : 0);
      const incidents = await incidentsAt(remote, "main");
      assertEquals(incidents.length, outages, what);
      assertEquals(incidents.filter(({ end }) => end !== undefined).length, ended, what);
      const issues = await github.issues();
      const [announcements, others] = [true, false].map((isAnnouncement) =>
        issues.filter(({ labels }) => labels.includes("maintenance") === isAnnouncement)
          .map(({ state, comments }) => [state, comments.length])
      );
      assertEquals(announcements, Array.from({ length: announced }, () => ["closed", 1]), what);
      const expected = [
        ...Array.from({ length: ended }, () => ["closed", 1]),
        ...isDown ? [["open", 0]] : [],
      ];
      assertEquals(others, hasGitHub ? expected : [], what);
      assertEquals(github.violations, [], what);
      assertEquals(messages.size, outages + ended, `${what}: ${[...messages.keys()]}`);
      for (const [event, ids] of messages) {
        assertEquals(new Set(ids).size, 1, `${what}: ${event}: ${ids}`);
      }
      // Each alert is opened and ended, and none is opened again after its end.
      assertEquals(
        [...alerts.values()].map((actions) => withoutRepeated(actions).join()),
        Array.from(
          { length: outages },
          (_, index) => index < ended ? "trigger,resolve" : "trigger",
        ),
        what,
      );
    },
    async assertClean() {
      await assertTidy();
      for (const one of [folder, remote]) await git(one, "fsck", "--strict");
    },
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

function toKey({ run, slug, time }: CheckRow): string {
  return `${run} ${slug} ${time}`;
}

function withoutRepeated(actions: readonly string[]): string[] {
  return actions.filter((action, index) => action !== actions[index - 1]);
}
