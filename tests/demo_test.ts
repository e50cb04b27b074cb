import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cleanEnvironment, output, PROJECT } from "./helpers/program.ts";

Deno.test("the demo shows a site going down and coming back, and what the repository remembers", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...cleanEnvironment(), INIT_CWD: PROJECT },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { code, stdout, stderr } = await output(child);
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
  assertMatch(
    stdout,
    /7 checks wait in refs\/monitor\/pending at origin|Waiting +no checks/,
  );
});
