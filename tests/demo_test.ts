import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cleanEnvironment, output, PROJECT } from "./helpers/program.ts";
import { listenTo } from "./helpers/spoken_lines.ts";

Deno.test("the demo shows a site going down and coming back, and what the repository remembers", async () => {
  const { code, stdout, stderr } = await output(startDemo());
  assertEquals([code, stderr], [0, ""]);
  assertMatch(
    stdout,
    /Shop is down \(answered 503 Service Unavailable\) since \d\d:\d\d UTC, confirmed by 3 attempts over \d+ s → history\/incidents\/.*-shop\.yml/,
  );
  assertMatch(stdout, /Shop is up again after \d+ seconds?/);
  assertStringIncludes(stdout, "connection reset");
  assertStringIncludes(stdout, "🟥 Shop is down (503 in 0 ms) and 1 more [skip ci]");
  assertMatch(stdout, /^✉ Shop is down: answered 503 Service Unavailable, since /m);
  assertMatch(stdout, /^✉ Shop is up again: It answers as it should since .*, after \d+ second/m);
  assertMatch(stdout, /^Forum is in maintenance until \d\d:\d\d UTC \(30 minutes\): New disks\.$/m);
  assertMatch(stdout, /Forum +maintenance +– +connection reset/);
  assertMatch(stdout, /Members +up +200/);
  assertMatch(stdout, /^Status page: \d+ pages? \(\d+ files, \d+ written\), site\//m);
  assertMatch(
    stdout,
    /7 checks wait in refs\/monitor\/pending at origin|Waiting +no checks/,
  );
});

Deno.test("the demo ends by serving the page where that is asked for, until it is told to stop", async () => {
  const child = startDemo("--serve");
  const spoken = listenTo(child.stdout, child.stderr);
  const [, address] = await spoken.heard(/^Serving it at (http:[^\s,]+\/)[.,]/m);
  const page = await (await fetch(address!)).text();
  for (const name of ["Shop", "Forum", "Members"]) assertStringIncludes(page, name);
  // As a terminal does: all of the group hear of it.
  Deno.kill(-child.pid, "SIGINT");
  const { code } = await child.status;
  assertEquals(code, 0, spoken.all());
  assertMatch(spoken.all(), /^Stopped\.$/m);
});

function startDemo(...args: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo", ...args],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...cleanEnvironment(), INIT_CWD: PROJECT },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
}
