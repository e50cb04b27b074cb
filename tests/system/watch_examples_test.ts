import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { validate } from "dockerfile-utils";
import { join } from "node:path";
import { parse } from "plist";
import { COMMANDS } from "../../commands/mod.ts";
import { optionNames } from "../../lib/text/arguments.ts";
import { PROJECT } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { findTool, testWith } from "../helpers/tools.ts";

function example(name: string): Promise<string> {
  return Deno.readTextFile(join(PROJECT, "templates", "examples", name));
}

/** systemd's findings about a unit, with the program in its place and others next to it. */
async function analyzed(
  command: string[],
  text: string,
  { name = "monitor.service", others = {} }: { name?: string; others?: Record<string, string> } =
    {},
) {
  await using scratch = await makeScratch();
  for (const [file, unit] of Object.entries({ ...others, [name]: text })) {
    await scratch.write(
      file,
      unit.replace("/opt/monitor-action", PROJECT)
        .replace("/usr/local/bin/monitor-dispatch", "/bin/sh"),
    );
  }
  const { code, stdout, stderr } = await new Deno.Command(findTool("systemd")!, {
    args: [...command, join(scratch.path, name)],
    env: { SYSTEMD_UNIT_PATH: `${scratch.path}:` },
  }).output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

testWith(["systemd"], {
  name: "the systemd unit is valid, exposes little, and lets V8 compile",
  async fn() {
    const unit = await example("monitor.service");
    assertEquals(await analyzed(["verify", "--man=no"], unit), { code: 0, text: "" });
    const wrong = await analyzed(
      ["verify", "--man=no"],
      unit.replace("KillMode=mixed", "KillMode=x"),
    );
    assertStringIncludes(wrong.text, "kill mode");
    const { text } = await analyzed(["security", "--offline=yes", "--no-pager"], unit);
    const exposure = Number(/exposure level for monitor.service: ([\d.]+)/.exec(text)?.[1]);
    assert(exposure <= 2, text);
    assert(/^Type=exec$/m.test(unit) && !/^MemoryDenyWriteExecute/m.test(unit));
  },
});

testWith(["systemd"], {
  name: "the units of an outside scheduler are valid, expose little, and hide the token",
  async fn() {
    const service = await example("monitor-dispatch.service");
    const timer = await example("monitor-dispatch.timer");
    const verify = ["verify", "--man=no"];
    const name = "monitor-dispatch.service";
    assertEquals(await analyzed(verify, service, { name }), { code: 0, text: "" });
    const ofTimer = (text: string) =>
      analyzed(verify, text, { name: "monitor-dispatch.timer", others: { [name]: service } });
    assertEquals(await ofTimer(timer), { code: 0, text: "" });
    const wrong = await ofTimer(timer.replace("*:0/5", "*:0/x"));
    assertStringIncludes(wrong.text, "calendar specification");
    const { text } = await analyzed(["security", "--offline=yes", "--no-pager"], service, { name });
    const exposure = Number(
      /exposure level for monitor-dispatch.service: ([\d.]+)/.exec(text)?.[1],
    );
    assert(exposure <= 2, text);
    assert(!/^Environment=.*(?:ghp_|github_pat_|TOKEN=)/m.test(service));
  },
});

Deno.test("the launchd agent is a property list with absolute paths", async () => {
  const agent = parse(await example("monitor.plist")) as Record<string, unknown>;
  const [program, command, ...options] = agent["ProgramArguments"] as string[];
  assert(program!.startsWith("/"));
  assertKnown(command!, options);
  const keys = ["Label", "ProgramArguments", "WorkingDirectory", "RunAtLoad", "KeepAlive"];
  assertEquals(keys.filter((key) => !Object.hasOwn(agent, key)), []);
});

Deno.test("the Containerfile has no mistakes, and pins the Deno of the program", async () => {
  const text = await example("Containerfile");
  assertEquals(validate(text), []);
  const mistakes = validate(`${text.replace("WORKDIR /status", "WORKDIR status")}FOO\n`);
  assertEquals(mistakes.length, 2);
  const launcher = await Deno.readTextFile(join(PROJECT, "bin", "monitor"));
  const version = /^version=(.*)$/m.exec(launcher)?.[1];
  assert(text.includes(`FROM denoland/deno:debian-${version}\n`));
  const [command, ...options] = JSON.parse(/^CMD (\[.*)$/m.exec(text)![1]!);
  assertKnown(command, options);
});

/** Fails if a command line has an option that the command does not have. */
function assertKnown(command: string, options: readonly string[]): void {
  const known = [...optionNames(COMMANDS[command]!.options ?? {}), "secrets", "root"];
  const given = options.filter((one) => one.startsWith("--")).map((one) => one.slice(2));
  assertEquals(given.filter((one) => !known.includes(one)), []);
}
