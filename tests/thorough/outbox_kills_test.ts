import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { STATE_FOLDER } from "../../lib/config/record_path.ts";
import { parseRunState } from "../../lib/history/run_state.ts";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { outboxProcess, outboxRun } from "../helpers/outbox_program.ts";
import {
  allRowsAt,
  cloneRemote,
  incidentsAt,
  makeRepository,
  pendingAt,
  status,
} from "../helpers/repositories.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";

/** From one step to the next before which a run is killed. */
const STEP = repetitions(2, 1);

/** A site with successive runs, on a clock that the test moves. Without a remote, the run state is on the branch. */
async function makeScene(scratch: Scratch, hasRemote = true) {
  const files = { ".monitorrc.yml": "" };
  const folder = hasRemote
    ? await cloneRemote(await makeRemote(scratch.path, files), join(scratch.path, "clone"))
    : await makeRepository(join(scratch.path, "local"), files);
  const remote = hasRemote ? join(scratch.path, "remote.git") : folder;
  const ledger = join(scratch.path, "ledger");
  await Deno.writeTextFile(ledger, "");
  let now = Temporal.Instant.from("2026-11-21T10:05:00Z");
  let runs = 0;
  return {
    remote,
    folder,
    /** A run some minutes after the last one. */
    after(minutes: number, state: "up" | "down") {
      now = now.add({ minutes });
      const id = String(++runs).padStart(8, "0");
      return { folder, ledger, id, time: now.toString(), state };
    },
    /** The executed effects, in order. */
    executed: async () =>
      (await Deno.readTextFile(ledger)).split("\n").filter((line) => line !== "")
        .map((line) => line.split(" ")[0]!),
    /** The entry of an effect in the outbox. */
    async entry(id: string) {
      const texts = hasRemote ? await pendingAt(remote) : await stateAt(remote);
      const { runState } = parseRunState(texts);
      return runState?.outbox.find((entry) => entry.id === id);
    },
  };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** The effect that the change of a turn means, turns counted from 1: each odd one opens an incident. */
function effectOf(turn: number): string {
  const number = Math.ceil(turn / 2);
  const end = number === 1 ? "" : `-${number}`;
  return `2026-11-21-shop${end}/${turn % 2 === 1 ? "open" : "close"}`;
}

/** Asserts that later runs execute a killed run's effect, once or unmarked twice. Returns the effect as often. */
async function assertExecuted(scene: Scene, id: string, state: "up" | "down") {
  const times = async () => (await scene.executed()).filter((one) => one === id).length;
  const before = await times();
  const entry = await scene.entry(id);
  const isClaimed = entry?.claim !== undefined;
  await outboxRun(scene.after(5, state));
  assertEquals(await times(), isClaimed ? before : 1, `${id} while a claim may hold`);
  await outboxRun(scene.after(6, state));
  assertEquals(await times(), isClaimed ? before + 1 : 1, `${id} after the claim`);
  assert((await scene.entry(id))?.done?.receipt !== undefined, id);
  assert(entry?.done === undefined || before === 1, `${id} is marked and was not executed`);
  return Array<string>(isClaimed ? before + 1 : 1).fill(id);
}

/** The run state on a branch. */
async function stateAt(folder: string): Promise<Map<string, string>> {
  const text = await git(folder, "show", `HEAD:${STATE_FOLDER}/memory.json`);
  return new Map([["memory.json", text]]);
}

for (const hasRemote of [true, false]) {
  const place = hasRemote ? "with a remote" : "without a remote";

  Deno.test(`a run killed at any step, ${place}, loses no effect: later runs execute it once, or again with the same id`, async () => {
    await using scratch = await makeScratch();
    const scene = await makeScene(scratch, hasRemote);
    const { remote, folder } = scene;
    const wrapped = await wrapGit(scratch.path);
    const commands = hasRemote
      ? ["fetch", "fast-import", "push"]
      : ["fast-import", "read-tree", "update-ref"];
    await outboxRun(scene.after(0, "up"));
    const killed: string[] = [];
    const owed: string[] = [];
    let pushed = 1;
    for (let turn = 1;; turn++) {
      const state = turn % 2 === 1 ? "down" : "up";
      await wrapped.killBefore(1 + (turn - 1) * STEP, commands);
      const run = scene.after(5, state);
      const { code, stderr } = await outboxProcess(run, wrapped.env);
      assertEquals(code, code === 0 ? 0 : 137, stderr);
      if (code === 0) break;
      killed.push((await wrapped.calls()).at(-1)!);
      const rows = await allRowsAt(remote);
      const hasRow = rows.some((row) => row.run === run.id);
      owed.push(...await assertExecuted(scene, effectOf(turn), state));
      pushed += hasRow ? 3 : 2;
      const kept = await allRowsAt(remote);
      assertEquals(new Set(kept.map((row) => row.run)).size, kept.length, killed.join());
      assertEquals(kept.length, pushed, killed.join());
      assertEquals(await status(folder), "");
      const open = (await incidentsAt(remote, "main")).filter(({ end }) => end === undefined);
      assertEquals(open.length, turn % 2, killed.join());
    }
    // Once for the results, and once for the executed effects.
    const steps = hasRemote ? ["push"] : ["read-tree", "update-ref", "read-tree"];
    const expected = ["fast-import", ...steps, "fast-import", ...steps];
    const all = hasRemote ? ["fetch", ...expected] : expected;
    assertEquals(killed, all.filter((_, index) => index % STEP === 0));
    assertEquals((await scene.executed()).filter((id) => owed.includes(id)), owed);
    assertEquals(await git(folder, "for-each-ref", "refs/monitor/build", "refs/worktree"), "");
  });
}

Deno.test("a run killed right before or after executing an effect leaves it to a run after its claim", async () => {
  await using scratch = await makeScratch();
  const scene = await makeScene(scratch);
  await outboxRun(scene.after(0, "up"));
  for (const [turn, fate] of [[1, "killed before"], [2, "killed after"]] as const) {
    const state = turn === 1 ? "down" : "up";
    const { code, stderr } = await outboxProcess({ ...scene.after(5, state), fate });
    assertEquals(code, 137, stderr);
    const done = (await scene.executed()).filter((id) => id === effectOf(turn));
    assertEquals(done.length, turn - 1);
    await assertExecuted(scene, effectOf(turn), state);
  }
  assertEquals(await scene.executed(), [effectOf(1), effectOf(2), effectOf(2)]);
});

Deno.test("while a run executes an effect, no other run does", async () => {
  await using scratch = await makeScratch();
  const scene = await makeScene(scratch);
  await outboxRun(scene.after(0, "up"));
  const began = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const slow = outboxRun(scene.after(5, "down"), async () => {
    began.resolve();
    await free.promise;
  });
  await began.promise;
  assertEquals(await outboxRun(scene.after(5, "down")), []);
  free.resolve();
  assertEquals((await slow).length, 1);
  assertEquals(await outboxRun(scene.after(15, "down")), []);
  assertEquals(await scene.executed(), [effectOf(1)]);
});

Deno.test("an effect whose token is missing waits for a run with that token", async () => {
  await using scratch = await makeScratch();
  const scene = await makeScene(scratch);
  await outboxRun(scene.after(0, "up"));
  for (const fate of ["lacks its token", "lacks its token"] as const) {
    assertEquals(await outboxRun({ ...scene.after(5, "down"), fate }), []);
    assertEquals((await scene.entry(effectOf(1)))?.claim, undefined);
  }
  const executed = await outboxRun(scene.after(5, "down"));
  assertEquals(executed.map(({ entry }) => entry.id), [effectOf(1)]);
  assertEquals(await scene.executed(), [effectOf(1)]);
});

Deno.test("a permanent error is given up at once, and a transient one is retried by each run of a day", async () => {
  await using scratch = await makeScratch();
  const scene = await makeScene(scratch);
  await outboxRun(scene.after(0, "up"));
  const executed = await outboxRun({ ...scene.after(5, "down"), fate: "fails for good" });
  assertEquals(executed.map((one) => "failed" in one && [one.entry.id, one.failed.kind]), [
    [effectOf(1), "permanent"],
  ]);
  assert((await scene.entry(effectOf(1)))?.done !== undefined);
  assertEquals(await outboxRun(scene.after(5, "down")), []);

  for (const minutes of [5, 5, 23 * 60]) {
    const tried = await outboxRun({ ...scene.after(minutes, "up"), fate: "fails for now" });
    assertEquals(tried.map(({ entry }) => entry.id), [effectOf(2)]);
    const { done, failure } = (await scene.entry(effectOf(2)))!;
    assertEquals([done, failure], [undefined, "fails for now"]);
  }
  assertEquals((await outboxRun({ ...scene.after(90, "up"), fate: "fails for now" })).length, 1);
  const { done } = (await scene.entry(effectOf(2)))!;
  assertEquals([done?.receipt, done === undefined], [undefined, false]);
  assertEquals(await outboxRun(scene.after(5, "up")), []);
  assertEquals(await scene.executed(), []);
});
