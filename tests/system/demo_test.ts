import { assertEquals, assertRejects } from "@std/assert";
import { cleanEnvironment, PROJECT } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { listenTo } from "../helpers/printed_lines.ts";

async function entries(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
}

function startDemo(env: Record<string, string> = {}): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
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
