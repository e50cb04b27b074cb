import { assert, assertEquals, assertMatch } from "@std/assert";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { killGroup } from "../helpers/incident_program.ts";
import { githubServer } from "../helpers/github_server.ts";
import { spawnTask } from "../helpers/program.ts";
import { allRowsAt, incidentsAt, memoryAt, writeHook } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer, rawServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

/** Seconds after which a site that hangs is down: changes are recorded a second after they are confirmed. */
const HANG = 5;

/** Sites, one of which can be made to hang, a channel and GitHub, and what happens to these, in its order. */
async function rig(top: Record<string, unknown> = {}, slow: Record<string, unknown> = {}) {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const order: string[] = [];
  let hangs = false;
  const hanging = stack.use(
    await rawServer((socket) => {
      if (!hangs) return void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      order.push("Slow is asked");
      socket.on("data", () => {});
      socket.on("close", () => order.push("Slow has not answered"));
    }),
  );
  github.onRequest = ({ method, body }, stage) => {
    const title = (body as { title?: string } | undefined)?.title;
    if (stage === "done" && method === "POST" && title !== undefined) order.push(title);
  };
  const keys = { requestTimeout: HANG, retry: { delays: [] } };
  const scene = stack.use(
    await alertRig(scratch, {
      sites: { Shop: {}, Post: {}, Slow: { url: hanging.url, ...keys, ...slow } },
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
      top,
    }),
  );
  const resources = stack.move();
  return {
    ...{ github, hook, order, scene },
    remote: scene.remote,
    turn: scene.turn,
    hang: (to: boolean) => hangs = to,
    update: (...args: string[]) => scene.update({ env: github.env, args }),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** What a remote knows of the last run, without times: rows, incidents, and what is remembered. */
async function historyOf(remote: string) {
  const memory = (await memoryAt(remote))!;
  const rows = (await allRowsAt(remote)).filter(({ run }) => run === memory.run);
  const incidents = await incidentsAt(remote, "main");
  return {
    rows: rows.map(({ slug, state, code, attempts }) => [slug, state, code, attempts].join(" "))
      .sort(),
    incidents: incidents.map(({ slug, kind, code, end }) =>
      [slug, kind, code, end !== undefined].join(" ")
    )
      .sort(),
    sites: Object.entries(memory.sites).map(([slug, { recent, failing }]) =>
      [slug, recent, failing?.runs].join(" ")
    ).sort(),
    // Each push starts the workflows that show it.
    outbox: memory.outbox.filter(({ carrier }) => carrier !== "dispatch")
      .map(({ id, done }) => `${id.replace(/[0-9a-f]{16}.*/, "")} ${done !== undefined}`).sort(),
  };
}

Deno.test("a site that hangs delays no alert: what is confirmed is recorded and sent first, and the rest follows", async () => {
  await using hanging = await rig();
  await using quick = await rig();
  for (const { update, turn, hang, order, hook, remote, github } of [hanging, quick]) {
    const isQuick = order === quick.order;
    assertEquals((await update()).code, 0);
    const first = await git(remote, "rev-parse", "main");
    turn(503, "Shop");
    if (isQuick) turn(503, "Slow");
    else hang(true);
    const { code, stdout, stderr } = await update("--json");
    assertEquals([code, stderr], [0, ""]);
    const { sites, carried } = JSON.parse(stdout);
    assertEquals(
      sites.map(({ slug, state }: { slug: string; state: string }) => `${slug} ${state}`),
      isQuick ? ["shop down", "post up", "slow up"] : ["shop down", "post up", "slow down"],
    );
    assert(carried.every(({ state }: { state: string }) => state === "done"), stdout);
    const commits = await git(remote, "rev-list", "--count", `${first}..main`);
    assertEquals(commits, isQuick ? "1" : "2");
    assertEquals(github.violations, []);
    if (isQuick) continue;
    assertEquals(heardBy(hook), ["shop down", "slow down"]);
    assertEquals(order, [
      "Slow is asked",
      "🛑 Shop is down",
      "Slow has not answered",
      "🛑 Slow is down",
    ]);
  }
});

Deno.test("a channel that hangs delays neither what is recorded later in the run, nor other channels", async () => {
  await using scene = await rig({ issues: false });
  const { update, turn, hang, hook, order, remote } = scene;
  const silent = await rawServer((socket) => {
    order.push("the other channel is asked");
    socket.on("data", () => {});
    socket.on("close", () => order.push("the other channel has not answered"));
  });
  await update();
  const told = [{ type: "webhook" as const, url: hook.url, on: ["down" as const] }];
  const notifications = [...told, { ...told[0]!, url: silent.url }];
  await scene.scene.configure({ notifications, top: { issues: false } });
  turn(503, "Shop");
  hang(true);
  const updating = update("--json");
  while (hook.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  order.push("both are told");
  await silent[Symbol.asyncDispose]();
  const { carried } = JSON.parse((await updating).stdout);
  assertEquals(order, [
    "Slow is asked",
    "the other channel is asked",
    "Slow has not answered",
    "both are told",
    "the other channel has not answered",
  ]);
  assertEquals(heardBy(hook), ["shop down", "slow down"]);
  const memory = (await memoryAt(remote))!;
  const messages = memory.outbox.filter(({ carrier }) => carrier === "message");
  assertEquals(messages.map(({ what, done }) => `${what} ${done !== undefined}`).sort(), [
    "tell webhook about Shop false",
    "tell webhook about Shop true",
    "tell webhook about Slow false",
    "tell webhook about Slow true",
  ]);
  assertEquals(messages.filter(({ claim }) => claim !== undefined), []);
  const failed = carried.filter(({ state }: { state: string }) => state !== "done");
  assertEquals(failed.map(({ state }: { state: string }) => state), ["failed"]);
});

Deno.test("in several pushes a run leaves the same history as in one", async () => {
  const histories = [];
  for (const isHanging of [true, false]) {
    await using scene = await rig({}, isHanging ? {} : { requestTimeout: 0.2 });
    const { update, turn, hang, remote } = scene;
    await update();
    turn(503, "Shop");
    hang(true);
    assertEquals((await update()).code, 0);
    histories.push(await historyOf(remote));
    turn(200);
    hang(false);
    assertEquals((await update()).code, 0);
    histories.push(await historyOf(remote));
  }
  assertEquals(histories.slice(0, 2), histories.slice(2));
});

Deno.test("a failure that is put down to a site that was recorded before is told on its issue, and sent to nobody", async () => {
  await using scene = await rig({}, { dependsOn: "shop" });
  const { update, turn, hang, hook, github, remote } = scene;
  await update();
  turn(503, "Shop");
  hang(true);
  const { code, stdout } = await update();
  assertEquals(code, 0);
  assertMatch(stdout, /^Slow is down \(.*it depends on Shop, which is down\)/m);
  assertEquals(heardBy(hook), ["shop down"]);
  const [issue, ...others] = await github.issues();
  assertEquals(others, []);
  assertMatch(issue!.comments[0]!.body, /Slow/);
  const incidents = await incidentsAt(remote, "main");
  assertEquals(incidents.map(({ slug, affects }) => [slug, affects]), [["shop", ["slow"]], [
    "slow",
    [],
  ]]);
});

Deno.test("a run that is killed between its pushes has told what it recorded, and the next run tells the rest", async () => {
  await using scene = await rig();
  const { update, turn, hang, hook, github, remote } = scene;
  await update();
  turn(503, "Shop");
  hang(true);
  const child = spawnTask("update", { folder: scene.scene.folder, env: github.env });
  const noted = async () =>
    (await memoryAt(remote))?.outbox.some(({ carrier, done }) => carrier === "message" && done);
  while (!await noted()) await new Promise((resolve) => setTimeout(resolve, 50));
  killGroup(child.pid);
  await child.output();
  assertEquals(heardBy(hook), ["shop down"]);
  assertEquals((await incidentsAt(remote, "main")).map(({ slug }) => slug), ["shop"]);

  assertEquals((await update()).code, 0);
  assertEquals(heardBy(hook), ["shop down", "slow down"]);
  assertEquals((await github.issues()).map(({ title }) => title), [
    "🛑 Shop is down",
    "🛑 Slow is down",
  ]);
  const rows = await allRowsAt(remote);
  assertEquals(new Set(rows.map(({ run, slug }) => `${run} ${slug}`)).size, rows.length);
});

Deno.test("in a first run, too, a refused connection is reported before a site that hangs, if a canary answers", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const canary = stack.use(await rawServer((socket) => void socket.end()));
  const order: string[] = [];
  const hook = stack.use(httpServer(async (request) => {
    order.push((await request.json()).events[0].site.slug);
    return new Response();
  }));
  const hanging = stack.use(
    await rawServer((socket) => {
      socket.on("data", () => {});
      socket.on("close", () => order.push("Slow has not answered"));
    }),
  );
  const scene = stack.use(
    await alertRig(scratch, {
      sites: {
        Shop: { url: `http://127.0.0.1:${closedPort()}` },
        Slow: { url: hanging.url, requestTimeout: HANG, retry: { delays: [] } },
      },
      notifications: [{ type: "webhook", url: hook.url }],
      top: { canaries: [new URL(canary.url).host] },
    }),
  );
  const { code, stderr } = await scene.update();
  assertEquals([code, stderr], [0, ""]);
  assertEquals(order, ["shop", "Slow has not answered", "slow"]);
});

thoroughly(
  "several pushes of a run keep everything once, also if the branch is protected, or the remote knows no atomic pushes",
  async () => {
    for (const kind of ["protected", "not atomic"] as const) {
      await using scene = await rig();
      const { update, turn, hang, hook, github, remote } = scene;
      if (kind === "protected") await writeHook(remote, "update", 'test "$1" != refs/heads/main');
      else await git(remote, "config", "receive.advertiseAtomic", "false");
      await update();
      turn(503, "Shop");
      hang(true);
      await update();
      assertEquals(heardBy(hook), ["shop down", "slow down"], kind);
      const { memory, rows } = { memory: (await memoryAt(remote))!, rows: await allRowsAt(remote) };
      const own = new Set(rows.map(({ run, slug }) => `${run} ${slug}`));
      assertEquals(own.size, 6, kind);
      assertEquals(
        Object.values(memory.sites).map(({ recent }) => recent).sort(),
        ["ud", "ud", "uu"],
        kind,
      );
      turn(200);
      hang(false);
      await update();
      assertEquals(heardBy(hook).slice(2).sort(), ["shop up", "slow up"], kind);
      assertEquals((await github.issues()).map(({ state }) => state), ["closed", "closed"], kind);
    }
  },
);
