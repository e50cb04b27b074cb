import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { cleanEnvironment, PROJECT } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { listenTo } from "../helpers/printed_lines.ts";

Deno.test("the demo shows an outage, a recovery and the repository, and can serve the page until it is stopped", async () => {
  const child = startDemo();
  const printed = listenTo(child.stdout);
  const complaints = new Response(child.stderr).text();
  const [, address] = await printed.waitFor(/^Serving it at (http:[^\s,]+\/)[.,]/m);
  const page = await (await fetch(address!)).text();
  for (const name of ["Shop", "Forum", "Members"]) assertStringIncludes(page, name);
  // As a terminal does: all of the group hear of it.
  Deno.kill(-child.pid, "SIGINT");
  const { code } = await child.status;
  await printed.waitFor(/^Stopped\.$/m);
  await printed.waitFor(/^━━ Next step: init\n[^]*^ {2}monitor init https:/m);
  const stdout = printed.all();
  assertEquals([code, await complaints], [0, ""], stdout);
  assertMatch(
    stdout,
    /Shop is down \(answered 503 Service Unavailable\) since \d\d:\d\d UTC, confirmed by 3 attempts over \d+ s → history\/incidents\/.*-shop\.yml/,
  );
  assertMatch(stdout, /Shop is up again after \d+ seconds?/);
  assertStringIncludes(stdout, "connection reset");
  assertStringIncludes(stdout, "🟥 Shop is down (503 in 0 ms) and 1 more [skip ci]");
  assertMatch(stdout, /^✉ Shop is down: answered 503 Service Unavailable, since /m);
  assertMatch(stdout, /^✉ Shop is up again: Recovered at .* after \d+ second/m);
  assertMatch(
    stdout,
    /^Maintenance begins: New disks, until (?:\d{4}-\d\d-\d\d )?\d\d:\d\d UTC \(forum\)/m,
  );
  assertMatch(stdout, /Forum +maintenance +– +connection reset/);
  assertMatch(stdout, /Members +up +200/);
  assertMatch(stdout, /^Status page: \d+ pages? \(\d+ files, \d+ written, 0 removed\), site\//m);
  assertMatch(stdout, /7 checks wait in refs\/monitor\/pending at origin|Waiting +nothing/);
});

async function entries(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

function startDemo(env: Record<string, string> = {}): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo", "--serve"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...cleanEnvironment(), ...env, INIT_CWD: PROJECT },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
}

for (const [signal, exitCode] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
  Deno.test(`the demo ends at ${signal}, and leaves no folder and no process behind`, async () => {
    await using scratch = await makeScratch();
    const child = startDemo({ TMPDIR: scratch.path });
    const printed = listenTo(child.stdout, child.stderr);
    await printed.waitFor(/^━━ Run 2/m);
    assertEquals((await entries(scratch.path)).length, 1);
    // As `kill` does: only the demo itself is notified of it.
    child.kill(signal);
    const { code } = await child.status;
    assertEquals(code, exitCode, printed.all());
    // Any remaining process of the demo would keep its output open.
    await assertRejects(() => printed.waitFor(/never/), Error, "It ended without");
    assertEquals(await entries(scratch.path), []);
  });
}
