import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseRows } from "../../lib/history/checks_log.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { retry } from "../../lib/io/requests.ts";
import { alertRig, listMessages } from "../helpers/alert_rig.ts";
import { eventually } from "../helpers/eventually.ts";
import { output, spawnModule, spawnTask } from "../helpers/program.ts";
import { SEED } from "../helpers/property.ts";
import { repetitions } from "../helpers/repetitions.ts";
import {
  allRowsAt,
  incidentsAt,
  makeRepository,
  removeLocks,
  rowsAt,
  runStateAt,
  status,
} from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import type { WatchRun } from "../helpers/watch_program.ts";
import { watching } from "../helpers/watching.ts";

/** Times that a process is ended. */
const ENDS = repetitions(4, 20);
const PROGRAM = join(import.meta.dirname!, "..", "helpers", "watch_program.ts");

/** How the remote is read while runs push: a push may replace a ref between two reads. */
const PATIENTLY = { delays: [20, 50, 100, 200, 400, 800], clock: systemClock };

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(async () => assert(await isDone()));
}

/** A site, a channel, and a clone that is watched by processes that are ended. */
async function endings(scratch: Awaited<ReturnType<typeof makeScratch>>) {
  const stack = new AsyncDisposableStack();
  const chat = stack.use(await vendorServer({ status: 200 }));
  const rig = stack.use(
    await alertRig(scratch, {
      top: { interval: 10, history: { commitEvery: "1h" } },
      notifications: [{ type: "webhook", "webhook-url": "$HOOK", on: ["down", "up"] }],
    }),
  );
  const env = { SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) };
  let code = 200;
  const expected: string[] = [];
  return {
    rig,
    env,
    chat,
    expected,
    /** Turns the site down or up, which a run is to notice. */
    turn() {
      code = code === 200 ? 503 : 200;
      rig.turn(code);
      expected.push(code === 200 ? "shop up" : "shop down");
    },
    /** Runs with a row on this machine or at the remote, also while that changes. */
    async rows(): Promise<string[]> {
      const path = join(rig.folder, ".git", "monitor", "main", "waiting.json");
      const text = await Deno.readTextFile(path).catch(() => "{}");
      const waiting = parseRows(JSON.parse(text).texts?.["checks.csv"] ?? "");
      const published = await retry(() => allRowsAt(rig.remote), PATIENTLY);
      return [...new Set([...published, ...waiting].map(({ run }) => run))];
    },
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync();
    },
  };
}

Deno.test(`${ENDS} kills of watch lose no recorded row and repeat no message (seed ${SEED})`, async () => {
  await using scratch = await makeScratch();
  await using world = await endings(scratch);
  const { rig, env, chat, expected, rows, turn } = world;
  const random = seededRandom(SEED);
  const hasUnnoted = async () => {
    const state = await retry(() => runStateAt(rig.remote), PATIENTLY);
    return state?.outbox.some(({ handler, done }) => handler === "message" && done === undefined);
  };
  let before: string[] = [];
  for (let kill = 1; kill <= ENDS; kill++) {
    if (kill % 2 === 0) turn();
    const later = 3_600_000 * kill;
    const argument: WatchRun = { folder: rig.folder, runs: 100_000, samples: 1, later };
    const child = spawnModule(PROGRAM, argument, env);
    await until(async () => (await rows()).length > before.length + 3);
    await until(() => chat.seen.length === expected.length);
    // A message that is not noted as sent when its process is killed is sent again.
    await until(async () => !await hasUnnoted());
    await new Promise((resolve) => setTimeout(resolve, 500 + 1_000 * random()));
    const recorded = await rows();
    Deno.kill(-child.pid, "SIGKILL");
    await output(child);
    before = await rows();
    assertEquals(recorded.filter((run) => !before.includes(run)), [], `kill ${kill}`);
    assertEquals(listMessages(chat), expected, `kill ${kill}`);
    for (const folder of [rig.folder, rig.remote]) await removeLocks(folder);
  }
  const later = 3_600_000 * (ENDS + 1);
  const { code } = await watching(rig.folder, ({ stop }) => stop(), { env, later });
  assertEquals(code, 0);
  const all = (await allRowsAt(rig.remote)).map(({ run }) => run);
  assertEquals(new Set(all).size, all.length);
  assertEquals(before.filter((run) => !all.includes(run)), []);
  assertEquals([listMessages(chat), await status(rig.folder)], [expected, ""]);
  const incidents = await incidentsAt(rig.remote, "main");
  const ended = incidents.filter(({ end }) => end !== undefined);
  assertEquals(
    [incidents.length, ended.length],
    ["shop down", "shop up"].map((one) => expected.filter((event) => event === one).length),
  );
});

Deno.test(`${ENDS} SIGTERMs end watch with everything pushed and no message repeated (seed ${SEED})`, async () => {
  await using scratch = await makeScratch();
  await using world = await endings(scratch);
  const { rig, env, chat, expected, rows, turn } = world;
  const random = seededRandom(SEED);
  for (let end = 1; end <= ENDS; end++) {
    if (end % 2 === 0) turn();
    const before = await rows();
    const child = spawnTask("watch", { folder: rig.folder, env });
    // Some get the signal in the middle of their run.
    if (end % 2 === 0) await until(async () => (await rows()).length > before.length);
    else await new Promise((resolve) => setTimeout(resolve, 400 + 600 * random()));
    const isCaught = end % 2 === 0;
    Deno.kill(child.pid, "SIGTERM");
    const { code, stdout, stderr } = await output(child);
    // Before it listens for signals there is nothing to end.
    if (isCaught || stdout.includes("Watching")) assertEquals([code, stderr], [0, ""], stdout);
    const all = (await allRowsAt(rig.remote)).map(({ run }) => run);
    assertEquals(new Set(all).size, all.length);
    assertEquals((await rows()).filter((run) => !all.includes(run)), []);
    if (isCaught) assertEquals(listMessages(chat), expected, `${end}`);
  }
  assertEquals([listMessages(chat), await status(rig.folder)], [expected, ""]);
});

Deno.test("a site that hangs when watch is stopped is left out, and the others are recorded", async () => {
  await using scratch = await makeScratch();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const over = Promise.withResolvers<Response>();
  await using site = httpServer((request) => {
    if (!request.url.endsWith("/B")) return new Response("ok");
    resolve();
    return over.promise;
  });
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml":
      `canaries: []\nsites: [{ name: A, url: "${site.url}/A" }, { name: B, url: "${site.url}/B" }]\n`,
  });
  const child = spawnTask("watch", { folder });
  await asked;
  await new Promise((end) => setTimeout(end, 500));
  Deno.kill(child.pid, "SIGTERM");
  const { code, stderr } = await output(child);
  // It has ended without this answer.
  over.resolve(new Response("late"));
  assertEquals([code, stderr], [0, ""]);
  assertEquals((await rowsAt(folder)).map(({ slug, state }) => `${slug} ${state}`), ["a up"]);
  assertEquals(await incidentsAt(folder), []);
});

Deno.test("a second signal ends watch at once", async () => {
  await using scratch = await makeScratch();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const over = Promise.withResolvers<Response>();
  await using site = httpServer(() => {
    resolve();
    return over.promise;
  });
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": `canaries: []\nsites: [{ name: A, url: "${site.url}" }]\n`,
  });
  const child = spawnTask("watch", { folder });
  await asked;
  let hasEnded = false;
  const ended = output(child).finally(() => hasEnded = true);
  // Signals that arrive at the same time are one.
  while (!hasEnded) {
    try {
      Deno.kill(child.pid, "SIGTERM");
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    await Promise.race([ended, new Promise((end) => setTimeout(end, 300))]);
  }
  const { code } = await ended;
  over.resolve(new Response("late"));
  // After one signal it would have ended by itself, with 0.
  assert(code !== 0, `${code}`);
});

Deno.test("while the remote does not answer, watch notifies once, and pushes everything later", async () => {
  await using scratch = await makeScratch();
  await using world = await endings(scratch);
  const { rig, env, chat } = world;
  const ended = await watching(rig.folder, async ({ runs, stop }) => {
    if (runs === 2) rig.turn(503);
    if (runs === 4) await Deno.rename(rig.remote, `${rig.remote}.away`);
    if (runs === 5) rig.turn(200);
    if (runs === 8) await Deno.rename(`${rig.remote}.away`, rig.remote);
    if (runs === 16) stop();
  }, { env });
  assertEquals(ended.code, 0);
  assertEquals(listMessages(chat), ["shop down", "shop up"]);
  assertStringIncludes(ended.stderr, "this waits here until it answers");
  const incidents = await incidentsAt(rig.remote, "main");
  assertEquals(incidents.map(({ end }) => end !== undefined), [true]);
  assertEquals((await allRowsAt(rig.remote)).length, 16);
});
