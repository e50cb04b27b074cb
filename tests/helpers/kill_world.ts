import { delay } from "@std/async/delay";
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import type { CheckRow } from "../../lib/history/checks_log.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { retry } from "../../lib/io/requests.ts";
import { calendarFlags } from "./calendar.ts";
import { githubServer } from "./github_server.ts";
import { killGroup } from "./incident_program.ts";
import { output, type ProgramResult, runTask, spawnModule, spawnTask } from "./program.ts";
import {
  allRowsAt,
  cloneRemote,
  incidentsAt,
  removeLocks,
  rowsAt,
  status,
  tip,
  waitingRowsIn,
  writeHook,
} from "./repositories.ts";
import { git, makeRemote, type Scratch } from "./scratch.ts";
import { seededRandom } from "./seeded_random.ts";
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
/** Milliseconds from the start of a program to that of the next: no claim lasts as long. */
const LATER = 900_000;
/** Milliseconds that all programs together may take, so that none is ahead of GitHub's clock. */
const PAST = 2 * 86_400_000;
/** A push may replace a ref between two reads of the remote. */
const PATIENTLY = { delays: [20, 50, 100, 200, 400, 800], clock: systemClock };

/** A monitored clone with a channel and GitHub, whose programs are killed; it knows what they must leave. */
export async function killWorld(scratch: Scratch, seed: number) {
  await using stack = new AsyncDisposableStack();
  const random = seededRandom(seed);
  const github = stack.use(await githubServer());
  /** Ids of the messages with each event, in the order in which the events came first. */
  const messages = new Map<string, string[]>();
  /** What the pager was asked for, by alert. */
  const alerts = new Map<string, string[]>();
  let isDown = false;
  let outages = 0;
  let later = -PAST;
  let checks = 0;
  let awaited: { moment: Moment; reached(): void } | undefined;
  const reach = (moment: Moment) => awaited?.moment === moment && awaited.reached();

  const hook = stack.use(httpServer(async (request) => {
    const { id, events } = await request.json();
    for (const { id: event } of events) messages.set(event, [...messages.get(event) ?? [], id]);
    reach("while a message is sent");
    await delay(50);
    reach("when a message was taken");
    return new Response();
  }));
  const pager = stack.use(httpServer(async (request) => {
    const { event_action: action, dedup_key: alert } = await request.json();
    alerts.set(alert, [...alerts.get(alert) ?? [], action]);
    reach("while a message is sent");
    await delay(50);
    reach("when a message was taken");
    return Response.json({ status: "success" }, { status: 202 });
  }));
  github.onRequest = async ({ method }, stage) => {
    if (method === "GET") return;
    reach(stage === "came" ? "while an issue is changed" : "when an issue was changed");
    if (stage === "came") await delay(20);
  };
  const site = stack.use(httpServer(async ({ url }) => {
    if (url.endsWith("/steady")) checks++;
    if (url.endsWith("/slow")) {
      reach("while a slow site is open");
      await delay(SLOW);
    }
    return new Response(null, { status: isDown && url.endsWith("/shop") ? 503 : 200 });
  }));
  const remote = await makeRemote(scratch.path, {
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
      sites: ["shop", "slow", "steady"].map((name) => ({ name, url: `${site.url}/${name}` })),
    }),
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const env = { ...github.env, SECRETS_CONTEXT: JSON.stringify({ HOOK: hook.url, KEY: "7f3a" }) };

  const spawn = (command: Kill["command"], runs: number) => {
    later += LATER;
    if (command === "update") return spawnTask("update", { folder, env, later });
    const argument: WatchRun = { folder, runs, samples: 1, pace: PACE };
    return spawnModule(PROGRAM, argument, env, calendarFlags("0", later));
  };
  /** The rows on this machine and at the remote. */
  const recorded = async () => {
    const published = await retry(() => allRowsAt(remote), PATIENTLY);
    return new Set([...published, ...await waitingRowsIn(folder)].map(toKey));
  };
  const assertKept = async (before: ReadonlySet<string>, what: string) => {
    assertEquals([...before.difference(await recorded())], [], `lost: ${what}`);
  };
  /** Runs a program to its end. */
  const complete = async (command: Kill["command"]) => {
    const before = await recorded();
    later += command === "update" ? LATER : 0;
    const now = () => systemClock.now().add({ milliseconds: later });
    const ended: ProgramResult = command === "update"
      ? await runTask("update", { folder, env, clock: { ...systemClock, now } })
      : await output(spawn("watch", 8));
    assertEquals(ended.code, 0, ended.stdout + ended.stderr);
    await assertKept(before, "at an end");
  };

  const resources = stack.move();
  return {
    messages,
    alerts,
    complete,
    /** Turns the site down or up, which the program notices or not before it is killed. */
    turn() {
      isDown = !isDown;
      if (isDown) outages++;
    },
    /** Kills a program; returns false if it was not awaited, or did not come. */
    async kill({ command, moment, isGroup, isRefused }: Kill): Promise<boolean> {
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
    async assertExact() {
      const committed = (await rowsAt(remote, "main")).map(toKey);
      assertEquals(new Set(committed).size, committed.length);
      // Rows that wait may be on the branch already: the next commit leaves them out.
      const rows = new Map((await allRowsAt(remote)).map((row) => [toKey(row), row]));
      // A result that two runs have recorded has two rows of the same time.
      const results = [...rows.values()].map(({ slug, time }) => `${slug} ${time}`);
      assertEquals(new Set(results).size, results.length);
      const ended = outages - (isDown ? 1 : 0);
      const incidents = await incidentsAt(remote, "main");
      assertEquals(incidents.length, outages);
      assertEquals(incidents.filter(({ end }) => end !== undefined).length, ended);
      const issues = await github.issues();
      assertEquals(issues.map(({ state, comments }) => [state, comments.length]), [
        ...Array.from({ length: ended }, () => ["closed", 1]),
        ...isDown ? [["open", 0]] : [],
      ]);
      assertEquals(github.violations, []);
      assertEquals(messages.size, outages + ended, [...messages.keys()].join());
      for (const [event, ids] of messages) assertEquals(new Set(ids).size, 1, `${event}: ${ids}`);
      // Each alert is opened and ended, and none is opened again after its end.
      assertEquals(
        [...alerts.values()].map((actions) => withoutRepeated(actions).join()),
        Array.from(
          { length: outages },
          (_, index) => index < ended ? "trigger,resolve" : "trigger",
        ),
      );
    },
    async assertClean() {
      assertEquals([await status(folder), await tip(folder)], ["", await tip(remote, "main")]);
      assertEquals(await git(folder, "for-each-ref", "refs/monitor/build", "refs/worktree"), "");
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

/** Kills a process without what it started. */
function killOne(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    assert(error instanceof Deno.errors.NotFound, `${error}`);
  }
}
