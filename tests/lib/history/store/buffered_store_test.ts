import { assertEquals } from "@std/assert";
import { RemoteError } from "../../../../lib/git/remote.ts";
import { parseRows } from "../../../../lib/history/checks_log.ts";
import { BufferedStore } from "../../../../lib/history/store/buffered_store.ts";
import type { Decide, Published, Snapshot } from "../../../../lib/history/store/store.ts";
import { MemoryStore } from "../../../helpers/memory_store.ts";
import { NOW, resultOf, siteNamed } from "../../../helpers/outcomes.ts";
import { recordResults } from "../../../helpers/runs.ts";
import { StillClock } from "../../../helpers/still_clock.ts";

const SITE = await siteNamed("Shop", "shop");

/** A remote that can be unreachable, and counts the attempts to publish. */
class Remote extends MemoryStore {
  isReachable = true;
  /** False if it leaves the question for its state unanswered. */
  isAnswering = true;
  attempts = 0;

  override async read(): Promise<Snapshot> {
    const snapshot = await super.read();
    if (this.isAnswering) return snapshot;
    return { ...snapshot, pending: { ...snapshot.pending, isUnknown: true } };
  }

  override publish(decide: Decide): Promise<Published> {
    this.attempts++;
    if (!this.isReachable) return Promise.reject(new RemoteError("Cannot push to origin", true));
    return super.publish(decide);
  }

  /** Every published row, including duplicates. */
  rows(): string[] {
    const logs = [...this.files].filter(([path]) => path.includes("checks/"))
      .map(([, text]) => text);
    return [...logs, this.pending.get("checks.csv") ?? ""].flatMap((text) => parseRows(text))
      .map(({ run }) => run);
  }
}

/** A machine with a buffer file, on which runs are made at times of a clock. */
function machine(remote = new Remote()) {
  const clock = new StillClock(String(NOW));
  let text: string | undefined;
  let count = 0;
  const file = {
    read: () => Promise.resolve(text),
    write: (next: string) => Promise.resolve(void (text = next)),
    remove: () => Promise.resolve(void (text = undefined)),
  };
  const holder = { [Symbol.dispose]() {} };
  const start = (keeps = true) =>
    new BufferedStore(remote, { file, clock, holder: keeps ? holder : undefined });
  let store = start();
  return {
    remote,
    clock,
    file,
    /** Starts again after a kill: only the file is left. */
    restart: (keeps?: boolean) => store = start(keeps),
    flush: () => store.flush(),
    /** Makes a run some seconds after the last, and returns its id. */
    async run(state: "up" | "down" = "up", seconds = 10): Promise<string> {
      clock.pass(1000 * seconds);
      const run = { id: String(++count).padStart(8, "0"), time: clock.now() };
      const seen = { began: run.time, confirmed: run.time };
      const { failure } = await recordResults(store, {
        run,
        results: [resultOf(SITE, state, seen)],
      });
      if (failure !== undefined) throw failure;
      return run.id;
    },
    /** Runs whose rows wait here. */
    waiting: () =>
      parseRows(JSON.parse(text ?? "{}").texts?.["checks.csv"] ?? "").map((row) => row.run),
  };
}

Deno.test("runs without a change wait in the file, and are published after five minutes, with a change, or when asked", async () => {
  const { remote, run, waiting, flush } = machine();
  const first = await run();
  assertEquals([remote.attempts, remote.rows(), waiting()], [1, [first], []]);
  const quiet = [await run(), await run(), await run()];
  assertEquals([remote.attempts, remote.rows(), waiting()], [1, [first], quiet]);
  quiet.push(await run("up", 300));
  assertEquals([remote.attempts, remote.rows(), waiting()], [2, [first, ...quiet], []]);
  quiet.push(await run());
  assertEquals(waiting(), quiet);
  quiet.push(await run("down"));
  assertEquals([remote.rows(), waiting()], [[first, ...quiet], []]);
  assertEquals(remote.commits.length, 2);
  quiet.push(await run("down"));
  await flush();
  assertEquals([remote.rows(), waiting(), remote.commits.length], [[first, ...quiet], [], 2]);
});

Deno.test("after a kill the next start continues with the file, in any command", async () => {
  for (const keeps of [true, false]) {
    const { remote, run, waiting, restart } = machine();
    const all = [await run(), await run(), await run()];
    restart(keeps);
    all.push(await run());
    if (keeps) all.push(await run("down"));
    assertEquals([remote.rows(), waiting()], [all, []]);
  }
});

Deno.test("a file that was published just before a kill duplicates nothing", async () => {
  const { remote, run, file, restart, waiting } = machine();
  const all = [await run(), await run(), await run()];
  const before = await file.read();
  all.push(await run("down"));
  await file.write(before!);
  restart();
  all.push(await run("up"));
  assertEquals([remote.rows(), waiting()], [all, []]);
});

Deno.test("a truncated file is skipped", async () => {
  const { remote, run, file, restart } = machine();
  const first = await run();
  await run();
  await file.write((await file.read())!.slice(0, -9));
  restart();
  const last = await run("down");
  assertEquals(remote.rows(), [first, last]);
});

Deno.test("a concurrent run's outage is adopted, and both runs keep their rows", async () => {
  const remote = new Remote();
  const one = machine(remote);
  const first = await one.run();
  const waits = await one.run();
  const time = one.clock.now();
  const theirs = await recordResults(remote, {
    run: { id: "0000beef", time },
    results: [resultOf(SITE, "down", { began: time, confirmed: time })],
  });
  assertEquals(theirs.decision.outcomes.map(({ change }) => change?.to), ["down"]);
  const last = await one.run("down");
  assertEquals(new Set(remote.rows()), new Set([first, waits, "0000beef", last]));
  // The outage is the other run's: this run found it recorded and committed nothing for it.
  assertEquals(remote.commits.filter(({ message }) => message.includes("is down")).length, 1);
});

Deno.test("while the remote does not answer, no decision is made twice, and all rows arrive later", async () => {
  const { remote, run, waiting } = machine();
  const all = [await run(), await run()];
  remote.isReachable = false;
  all.push(await run("down"), await run("down"), await run("up"), await run("up"));
  assertEquals([remote.attempts, waiting()], [2, all.slice(1)]);
  remote.isReachable = true;
  all.push(await run("up", 60));
  assertEquals([remote.rows(), waiting()], [all, []]);
  const incidents = [...remote.files].filter(([path]) => path.includes("incidents/"));
  assertEquals(incidents.map(([, text]) => /^end: /m.test(text)), [true]);
});

Deno.test("a remote that does not answer what its state is gets no push that an alert would wait for", async () => {
  const { remote, run, waiting } = machine();
  const first = await run();
  remote.isAnswering = false;
  const kept = [await run("down"), await run("down")];
  assertEquals([remote.attempts, remote.rows(), waiting()], [1, [first], kept]);
  remote.isAnswering = true;
  const last = await run("up");
  assertEquals([remote.attempts, remote.rows(), waiting()], [2, [first, ...kept, last], []]);
});
