import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type Clock, systemClock } from "../../lib/io/clock.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { git } from "../helpers/scratch.ts";
import { watching } from "../helpers/watching.ts";

function configOf(url: string): string {
  return `canaries: []\nissues: false\nsites:
  - { name: Shop, url: "${url}", interval: 10 }
  - { name: Blog, url: "${url}" }
`;
}

/** A clock that is some seconds ahead of another. */
function later(clock: Clock, seconds: number): Clock {
  return { ...systemClock, now: () => clock.now().add({ seconds }) };
}

Deno.test("while watch runs, the monitor is healthy up to three intervals after its last check, without the remote", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = join(scratch.path, "remote.git");
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url),
  });
  await git(scratch.path, "init", "-q", "--bare", remote);
  await git(folder, "remote", "add", "origin", remote);
  await git(folder, "push", "-q", "-u", "origin", "main");
  const seen: [number, string][] = [];
  const ask = async (clock: Clock) => {
    const { code, stdout } = await runTask("status", { folder, clock, args: ["--healthy"] });
    seen.push([code, stdout.trim()]);
  };
  const ended = await watching(folder, async ({ runs, clock, stop }) => {
    if (runs === 3) {
      await Deno.rename(remote, `${remote}.away`);
      await ask(later(clock, -10));
      await ask(later(clock, 19));
      await ask(later(clock, 25));
      await Deno.rename(`${remote}.away`, remote);
    }
    if (runs === 4) stop();
  });
  assertEquals(ended.code, 0, ended.stderr);
  assertEquals(seen.map(([code, text]) => [code, text.split(":")[0]]), [
    [0, "healthy"],
    [0, "healthy"],
    [1, "unhealthy"],
  ]);
  assertStringIncludes(seen[2]![1], "ago, the next was expected after 10 seconds");
});

Deno.test("without watch, the schedule of the runs counts, and no check at all is unhealthy", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await scratch.write(".monitorrc.yml", configOf(site.url));
  let now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const clock: Clock = { ...systemClock, now: () => now };
  const ask = async (...args: string[]) => {
    const options = { folder: scratch.path, clock, args: ["--healthy", ...args] };
    const { code, stdout } = await runTask("status", options);
    return [code, stdout.trim()];
  };
  assertEquals(await ask(), [
    1,
    "unhealthy: no check is known here",
  ]);
  assertEquals((await runTask("update", { folder: scratch.path, clock })).code, 0);
  now = now.add({ minutes: 15 });
  assertEquals(await ask(), [0, "healthy: last check 15 minutes ago"]);
  now = now.add({ seconds: 1 });
  assertEquals(await ask(), [
    1,
    "unhealthy: last check 15 minutes 1 second ago, the next was expected after 5 minutes",
  ]);
  assertEquals(await ask("--json"), [
    1,
    JSON.stringify(
      { healthy: false, lastCheck: "2026-11-21T10:00:00.000Z", interval: 300_000 },
      null,
      2,
    ),
  ]);
  assertEquals((await ask("Shop"))[0], 2);
  await scratch.write(
    ".monitorrc.yml",
    `${configOf(site.url)}workflowSchedule: { uptime: "0 * * * *" }\n`,
  );
  now = now.add({ hours: 4 });
  assertStringIncludes(String((await ask())[1]), "ago, the next was expected after 1 hour");
});

Deno.test("after a weekend without scheduled runs, the monitor is unhealthy once three are missing", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await scratch.write(
    ".monitorrc.yml",
    `${configOf(site.url)}workflowSchedule: { uptime: "*/5 8-18 * * 1-5" }\n`,
  );
  // A Friday.
  let now = Temporal.Instant.from("2026-11-20T18:55:04.321Z");
  const clock: Clock = { ...systemClock, now: () => now };
  assertEquals((await runTask("update", { folder: scratch.path, clock })).code, 0);
  const codes: number[] = [];
  for (const time of ["2026-11-22T12:00:00Z", "2026-11-23T08:10:00Z", "2026-11-23T08:11:00Z"]) {
    now = Temporal.Instant.from(time);
    codes.push(
      (await runTask("status", { folder: scratch.path, clock, args: ["--healthy"] })).code,
    );
  }
  assertEquals(codes, [0, 0, 1]);
});

Deno.test("a clone answers by the checks that it has", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": `${configOf(site.url)}history: { commitEvery: 0 }\n`,
  });
  let now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const clock: Clock = { ...systemClock, now: () => now };
  assertEquals((await runTask("update", { folder, clock })).code, 0);
  const clone = await cloneRemote(folder, join(scratch.path, "clone"));
  now = now.add({ minutes: 2 });
  const asked = await runTask("status", { folder: clone, clock, args: ["--healthy"] });
  assertEquals([asked.code, asked.stdout], [0, "healthy: last check 2 minutes ago\n"]);
});
