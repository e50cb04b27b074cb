import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { cleanEnvironment, PROJECT } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { findTool, testWith } from "../helpers/tools.ts";
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

/** Starts the demo on a terminal. */
function startOnTerminal(): Deno.ChildProcess {
  return new Deno.Command(findTool("script")!, {
    args: ["-qec", `'${Deno.execPath()}' task --quiet demo`, "/dev/null"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...cleanEnvironment(), INIT_CWD: PROJECT, SHELL: "/bin/sh", TERM: "xterm" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(180_000),
  }).spawn();
}

const QUESTION = /^Enter serves the status page, anything else ends the demo\. $/m;

testWith(["script"], {
  name: "on a terminal the demo serves its page after Enter, until Ctrl-C",
  async fn() {
    const child = startOnTerminal();
    const printed = listenTo(child.stdout, child.stderr);
    const writer = child.stdin.getWriter();
    const type = (text: string) => writer.write(new TextEncoder().encode(text));
    await printed.waitFor(QUESTION);
    await type("\n");
    const [, address] = await printed.waitFor(/^Serving (http:\S+\/) /m);
    assertStringIncludes(await (await fetch(address!)).text(), "Forum");
    await type("\x03");
    await printed.waitFor(/^(?:\^C)?Stopped\./m);
    await child.status;
    await writer.close();
  },
});

for (const [name, typed] of Object.entries({ "another answer": "q\n", "Ctrl-D": "\x04" })) {
  testWith(["script"], {
    name: `on a terminal the demo ends with 0 after ${name}`,
    async fn() {
      const child = startOnTerminal();
      const printed = listenTo(child.stdout, child.stderr);
      const writer = child.stdin.getWriter();
      await printed.waitFor(QUESTION);
      await writer.write(new TextEncoder().encode(typed));
      assertEquals((await child.status).code, 0, printed.all());
      await writer.close();
      assert(!printed.all().includes("Serving "));
    },
  });
}

Deno.test("without a terminal the demo asks nothing and ends with 0", async () => {
  const child = startDemo();
  const printed = listenTo(child.stdout, child.stderr);
  assertEquals((await child.status).code, 0, printed.all());
  assert(!QUESTION.test(printed.all()));
});
