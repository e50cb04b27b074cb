import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { systemClock } from "../../../lib/io/clock.ts";
import { run } from "../../../main.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { cleanEnvironment, PROJECT, recordedIo } from "../../helpers/program.ts";
import { cloneRemote, incidentsAt, rowsAt, runStateAt, tip } from "../../helpers/repositories.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { httpServer } from "../../helpers/servers.ts";

/**
 * A repository that version 1.41.0 has written in four runs: Shop went down in the third, while neither GitHub
 * nor the webhook answered. Two checks are in the pending ref, four effects in the outbox.
 */
const BUNDLE = join(PROJECT, "tests", "testdata", "takeover", "version-1.41.0.bundle");
const LAST_RUN = Temporal.Instant.from("2026-11-23T02:26:03.162Z");

Deno.test("a repository of version 1.41.0 is continued with its pending ref and its outbox", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const codes = new Map([["/shop", 503]]);
  await using site = httpServer(({ url }) =>
    new Response("ok", { status: codes.get(new URL(url).pathname) ?? 200 })
  );
  const received: { type: string; id: string }[] = [];
  await using receiver = httpServer(async (request) => {
    const { type, id } = await request.json();
    received.push({ type, id });
    return new Response("ok");
  });
  const remote = join(scratch.path, "remote.git");
  await git(scratch.path, "init", "--quiet", "--bare", remote);
  await git(remote, "fetch", "--quiet", BUNDLE, "+refs/*:refs/*");
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const config = join(folder, ".monitorrc.yml");
  const text = await Deno.readTextFile(config);
  await Deno.writeTextFile(config, text.replaceAll("http://127.0.0.1:18080", site.url));
  const update = async (minutes: number) => {
    const started = systemClock.now();
    const now = () => LAST_RUN.add({ minutes }).add(systemClock.now().since(started));
    const io = recordedIo({
      env: {
        ...cleanEnvironment(),
        ...github.env,
        SECRETS_CONTEXT: JSON.stringify({ HOOK_URL: receiver.url }),
      },
    });
    const code = await run(["update", `--root=${folder}`], {
      ...io,
      clock: { ...systemClock, now },
    });
    assertEquals([code, io.stderr.text], [0, ""], io.stdout.text);
  };
  const branch = await tip(remote, "main");
  const before = (await runStateAt(remote))!;
  assertEquals([before.rows.length, before.outbox.length], [2, 4]);

  // Shop is still down: effects that the old program could not execute are executed once.
  for (const minutes of [5, 10]) {
    await update(minutes);
    assertEquals(received, [{ type: "down", id: "81720687d7d7eef0" }]);
    assertEquals((await github.issues()).map(({ title, state }) => [title, state]), [
      ["🛑 Shop is down", "open"],
    ]);
    assertEquals(github.dispatched.toSorted(), ["static_site", "summary"]);
    assertEquals(await tip(remote, "main"), branch);
  }
  const state = (await runStateAt(remote))!;
  assertEquals([state.rows.length, state.sites["shop"]?.failing?.runs], [6, 4]);
  assertEquals(state.sites["shop"]?.failing?.since, before.sites["shop"]?.failing?.since);

  codes.set("/shop", 200);
  await update(15);
  assertEquals(received.map(({ type }) => type), ["down", "up"]);
  assertEquals((await github.issues()).map((issue) => issue.state), ["closed"]);
  const rows = await rowsAt(remote, "main");
  assertEquals([rows.length, new Set(rows.map(({ run }) => run)).size], [14, 7]);
  const [incident, ...others] = await incidentsAt(remote, "main");
  assertEquals([incident?.slug, incident?.issue, others], ["shop", 1, []]);
  assertEquals((await runStateAt(remote))!.rows, []);
});
