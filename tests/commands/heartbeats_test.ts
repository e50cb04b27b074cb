import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parseIncident } from "../../lib/history/incident.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";

const CONFIG = `canaries: []
timezone: Europe/Vienna
sites:
  - name: Backup
    check: heartbeat
    every: 1d
    grace: 1h
    variable: HEARTBEAT_BACKUP
`;

Deno.test("the last heartbeat in the variable makes a job pending, overdue after its deadline, and up again", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  const now = Temporal.Now.instant().round({ smallestUnit: "second", roundingMode: "floor" });
  const run = async (task: string, value?: string, ...args: string[]) => {
    const env = value === undefined ? undefined : { HEARTBEAT_BACKUP: value };
    const { code, stdout, stderr } = await runTask(task, { folder: scratch.path, env, args });
    return { code, stderr, stdout };
  };
  const site = async () => {
    const { sites } = JSON.parse((await run("status", undefined, "--json")).stdout);
    const { state, responseTime, lastBeat } = sites[0];
    return { state, responseTime, lastBeat };
  };

  const first = await run("update", "");
  assertEquals([first.code, first.stderr], [0, ""]);
  assertStringIncludes(first.stdout, "pending: no beat has come yet");
  assertStringIncludes((await run("status", undefined, "Backup")).stdout, "no beat has come yet");

  const last = now.subtract({ hours: 26 });
  const late = await run("update", `ok ${last}`);
  assertEquals(late.code, 0, late.stderr);
  assertMatch(
    late.stdout,
    /no beat since \S+ \S+ UTC: the one due at \S+ \S+ UTC is more than .* late/,
  );
  const [incidents] = await Array.fromAsync(Deno.readDir(`${scratch.path}/history/incidents`));
  const incident = parseIncident(await scratch.read(`history/incidents/${incidents!.name}`));
  // Before the first run, the job has no state.
  const deadline = last.add({ hours: 25 });
  assertEquals(incident?.start.equals(deadline), true, `${incident?.start} ${deadline}`);

  const value = `ok ${now} 90s`;
  assertEquals((await run("update", value)).code, 0);
  assertEquals(await site(), {
    state: "up",
    responseTime: 90_000,
    lastBeat: `${now.toString({ fractionalSecondDigits: 3 })}`,
  });
  assertEquals((await run("update", value)).code, 0);
  assertEquals((await site()).responseTime, null);

  const gone = await run("update", "");
  assertStringIncludes(gone.stdout, "the variable HEARTBEAT_BACKUP is missing");
  const checked = await run("check", value, "Backup");
  assertMatch(checked.stdout, /read HEARTBEAT_BACKUP\n +→ ok at .*\n[^]*up/);
});

Deno.test("validate shows when a job has to run", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG.replace("every: 1d", 'every: "0 3 * * *"'));
  const { code, stdout } = await runTask("validate", { folder: scratch.path });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Backup  heartbeat  0 3 * * * Europe/Vienna");
});
