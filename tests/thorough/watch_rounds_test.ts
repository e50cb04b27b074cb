import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { eventually } from "../helpers/eventually.ts";
import { output, spawnTask } from "../helpers/program.ts";
import {
  allRowsAt,
  incidentsAt,
  pathsAt,
  remoteAndClone,
  runStateAt,
} from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { watching } from "../helpers/watching.ts";

/** Sites of which Fine answers, Down fails and Hang never answers, with a channel that answers once the test lets it. */
async function world() {
  const stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const [hanging, sending] = [Promise.withResolvers<Response>(), Promise.withResolvers<void>()];
  const asked: string[] = [];
  const server = stack.use(httpServer(async (request) => {
    const name = new URL(request.url).pathname.slice(1);
    asked.push(name);
    if (name === "Hang") return (await hanging.promise).clone();
    if (name === "hook") await sending.promise;
    return new Response(null, { status: name === "Down" ? 503 : 200 });
  }));
  const textOf = (...names: string[]) =>
    JSON.stringify({
      ...{ interval: 10, canaries: [], retry: { delays: [] } },
      notifications: [{ type: "webhook", url: `${server.url}/hook`, on: ["down", "up"] }],
      sites: names.map((name) => ({ name, url: `${server.url}/${name}` })),
    });
  const start = textOf("Fine", "Down", "Hang");
  const { remote, folder } = await remoteAndClone(scratch, start);
  return {
    ...{ asked, remote, folder, textOf, server },
    write: (text: string) => Deno.writeTextFile(join(folder, ".monitorrc.yml"), text),
    count: (name: string) => asked.filter((one) => one === name).length,
    /** Resolves once Hang is asked, and Down's message is on its way. */
    underWay: () =>
      eventually(() => {
        for (const name of ["Hang", "hook"]) assert(asked.includes(name), asked.join());
        return Promise.resolve();
      }),
    end() {
      hanging.resolve(new Response("late"));
      sending.resolve();
    },
    async [Symbol.asyncDispose]() {
      this.end();
      await stack.disposeAsync();
    },
  };
}

Deno.test("a configuration that changes while a round is open takes effect at once, and a site that it removes leaves nothing", async () => {
  await using rig = await world();
  const ended = await watching(rig.folder, async ({ runs, stop }) => {
    if (runs === 1) {
      await rig.underWay();
      await rig.write(rig.textOf("Fine", "Down"));
    }
    if (runs < 4) return;
    // The message of the first round was still on its way, and not given up.
    assertEquals(rig.count("hook"), 1);
    rig.end();
    stop();
  }, { pace: 0 });
  assertEquals([ended.code, ended.stderr], [0, ""]);
  assertStringIncludes(ended.stdout, "The configuration was read again. Watching 2 sites");
  assertEquals(rig.count("Hang"), 1);
  const rows = await allRowsAt(rig.remote);
  const counts = ["fine", "down", "hang"].map((site) =>
    rows.filter(({ slug }) => slug === site).length
  );
  assertEquals(counts, [rig.count("Fine"), rig.count("Down"), 0]);
  assertEquals((await incidentsAt(rig.remote, "main")).map(({ slug }) => slug), ["down"]);
  assertEquals((await pathsAt(rig.remote, "main")).includes("history/hang.yml"), false);
});

Deno.test("watch ends within 10 s of a signal while a site and a channel hang, with everything recorded", async () => {
  await using rig = await world();
  const child = spawnTask("watch", { folder: rig.folder });
  await rig.underWay();
  const start = performance.now();
  Deno.kill(child.pid, "SIGTERM");
  const { code, stderr } = await output(child);
  const seconds = (performance.now() - start) / 1000;
  assertEquals([code, stderr, rig.count("hook")], [0, "", 1]);
  assert(seconds < 10, `${seconds}`);
  const rows = await allRowsAt(rig.remote);
  assertEquals(rows.map(({ slug, state }) => `${slug} ${state}`), ["fine up", "down down"]);
});

Deno.test("canaries that fail are counted once for each round, not for each of its runs", async () => {
  await using rig = await world();
  // Nothing listens there; the failing site answers late enough for a run of its own.
  const nothing = "127.0.0.1:1";
  const site = (name: string, more: object) => ({
    name,
    url: `${rig.server.url}/${name}`,
    ...more,
  });
  await rig.write(JSON.stringify({
    ...{ interval: 10, canaries: [nothing], retry: { delays: [] } },
    sites: [
      site("Fine", {}),
      site("Near", { check: "tcp-ping", url: nothing }),
      site("Hang", { requestTimeout: 3 }),
    ],
  }));
  const ended = await watching(rig.folder, ({ runs, stop }) => runs === 2 && stop());
  assertEquals(ended.code, 0, ended.stderr);
  const rows = await allRowsAt(rig.remote);
  assertEquals(
    rows.map(({ slug, state }) => `${slug} ${state}`).sort(),
    ["fine up", "fine up", "hang unknown", "hang unknown", "near unknown", "near unknown"],
  );
  assertEquals(new Set(rows.map(({ run }) => run)).size, 4);
  assertEquals((await runStateAt(rig.remote))?.failedCanaries, 2);
});
