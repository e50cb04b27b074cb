import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { systemClock } from "../../lib/io/clock.ts";
import { retry } from "../../lib/io/requests.ts";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { eventually } from "../helpers/eventually.ts";
import { githubServer } from "../helpers/github_server.ts";
import { output, spawnTask } from "../helpers/program.ts";
import { SEED } from "../helpers/property.ts";
import { repetitions } from "../helpers/repetitions.ts";
import {
  allRowsAt,
  incidentsAt,
  makeRepository,
  remoteAndClone,
  runStateAt,
  status,
  waitingRowsIn,
} from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { httpServer } from "../helpers/servers.ts";
import { throughSsh } from "../helpers/ssh_remote.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";

/** Times that a process is ended at some moment. */
const ENDS = repetitions(4, 20);

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
    await makeRig(scratch, {
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
      const waiting = await waitingRowsIn(rig.folder);
      const published = await retry(() => allRowsAt(rig.remote), PATIENTLY);
      return [...new Set([...published, ...waiting].map(({ run }) => run))];
    },
    async [Symbol.asyncDispose]() {
      await stack.disposeAsync();
    },
  };
}

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

/** A site that hangs, one whose channel hangs, and one that takes long to confirm, each in a round of its own. */
async function openRounds(scratch: Awaited<ReturnType<typeof makeScratch>>) {
  const stack = new AsyncDisposableStack();
  const over = Promise.withResolvers<void>();
  const downs = new Set<string>();
  const asked = new Map<string, number>();
  const site = stack.use(httpServer(async ({ url }) => {
    const name = new URL(url).pathname.slice(1);
    asked.set(name, (asked.get(name) ?? 0) + 1);
    if (name === "hanging") await over.promise;
    return new Response(null, { status: downs.has(name) ? 503 : 200 });
  }));
  const chat = stack.use(await vendorServer({ status: 200 }));
  const { remote, folder } = await remoteAndClone(
    scratch,
    JSON.stringify({
      interval: 10,
      recheckDelay: 0.05,
      canaries: [],
      notifications: [{ type: "webhook", "webhook-url": "$HOOK", on: ["down", "up"] }],
      sites: ["hanging", "shop", "confirmed", "steady"].map((name) => ({
        name,
        url: `${site.url}/${name}`,
        retry: { delays: [name === "confirmed" ? 60 : 0.05] },
        requestTimeout: 30,
      })),
    }),
  );
  const ssh = await throughSsh(scratch.path, { folder, remote });
  const env = { ...ssh.env, SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) };
  return {
    folder,
    remote,
    ssh,
    env,
    chat,
    downs,
    /** Waits until a site is asked once more. */
    async askedAgain(name: string) {
      const before = asked.get(name) ?? 0;
      await until(() => (asked.get(name) ?? 0) > before);
    },
    async [Symbol.asyncDispose]() {
      over.resolve();
      await stack.disposeAsync();
    },
  };
}

/** Stops a program, and returns how it ended, and the seconds that this took. */
async function stop(child: Deno.ChildProcess, signal: Deno.Signal = "SIGTERM") {
  const start = performance.now();
  Deno.kill(child.pid, signal);
  const ended = await output(child);
  return { ...ended, seconds: (performance.now() - start) / 1000 };
}

for (
  const [remoteState, limit] of [["answers", 10], ["does not answer", 20]] as const
) {
  Deno.test(`with three rounds open watch ends in ${limit} s if its remote ${remoteState}, and the next start records and sends the rest`, async () => {
    await using scratch = await makeScratch();
    await using world = await openRounds(scratch);
    const { folder, remote, ssh, env, chat, downs, askedAgain } = world;
    const child = spawnTask("watch", { folder, env });
    await askedAgain("steady");
    await until(async () => (await allRowsAt(remote)).length >= 3);
    chat.answers.push(...Array<VendorAnswer>(100).fill("hang"));
    downs.add("shop");
    if (limit === 20) await ssh.fallSilent();
    await askedAgain("steady");
    downs.add("confirmed");
    await askedAgain("confirmed");
    if (limit === 10) await until(() => chat.seen.length === 1);
    const { code, stderr, seconds } = await stop(child);
    assertEquals(code, 0, stderr);
    assert(seconds < limit, `${seconds}`);
    assertEquals(
      stderr.includes("The last checks stay on this machine until the next start"),
      limit === 20,
      stderr,
    );
    const before = (await allRowsAt(remote)).filter(({ slug }) => slug === "shop");
    assertEquals(before.map(({ state }) => state).includes("down"), limit === 10);

    const waiting = await waitingRowsIn(folder);
    assertEquals(
      waiting.some(({ slug, state }) => `${slug} ${state}` === "shop down"),
      limit === 20,
    );

    if (limit === 20) await ssh.answer();
    chat.answers.length = 0;
    // No claim on the message lasts as long.
    const next = spawnTask("watch", { folder, env, later: 900_000 });
    await until(async () => {
      const { outbox = [] } = await retry(() => runStateAt(remote), PATIENTLY) ?? {};
      return outbox.some(({ handler, done }) => handler === "message" && done !== undefined);
    });
    assertEquals((await stop(next, "SIGINT")).code, 0);
    assertEquals([...new Set(listMessages(chat))], ["shop down"]);
    assertEquals(new Set(chat.seen.map(({ json }) => json.id)).size, 1);
    const rows = await allRowsAt(remote);
    assertEquals(rows.filter(({ slug }) => slug === "hanging"), []);
    const runs = new Set(rows.map(({ run }) => run));
    assertEquals(waiting.filter(({ run }) => !runs.has(run)), []);
    const shop = rows.filter(({ slug }) => slug === "shop").map(({ state }) => state);
    assertEquals(shop.slice(0, 2), ["up", "down"]);
    const incidents = await incidentsAt(remote, "main");
    assertEquals(incidents.map(({ slug, end }) => [slug, end]), [["shop", undefined]]);
    assertEquals(await status(folder), "");
  });
}

Deno.test("a GitHub that hangs does not keep watch from ending", async () => {
  await using scratch = await makeScratch();
  await using rig = await makeRig(scratch);
  rig.turn(503);
  await using github = await githubServer();
  const isAsked = Promise.withResolvers<void>();
  github.fault(() => true, "hang", { times: 1_000 });
  github.onRequest = () => isAsked.resolve();
  const waiting = spawnTask("watch", { folder: rig.folder, env: github.env });
  await isAsked.promise;
  const { code, seconds, stderr } = await stop(waiting);
  assertEquals(code, 0, stderr);
  assert(seconds < 10, `${seconds}`);
});

Deno.test("watch ends in 20 s, with nothing recorded, if its remote has not answered since the start", async () => {
  await using scratch = await makeScratch();
  await using world = await openRounds(scratch);
  const { folder, remote, ssh, env, askedAgain } = world;
  await ssh.fallSilent();
  const child = spawnTask("watch", { folder, env });
  await askedAgain("steady");
  const { code, stderr, seconds } = await stop(child, "SIGINT");
  assertEquals(code, 0, stderr);
  assert(seconds < 20, `${seconds}`);
  await ssh.answer();
  const next = spawnTask("watch", { folder, env });
  await until(async () => (await retry(() => allRowsAt(remote), PATIENTLY)).length > 0);
  assertEquals((await stop(next)).code, 0);
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
