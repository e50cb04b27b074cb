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

/** systemd's findings about a unit, with the program in its place. */
async function analyzed(command: string[], text: string) {
  await using scratch = await makeScratch();
  await scratch.write("monitor.service", text.replace("/opt/monitor-action", PROJECT));
  const { code, stdout, stderr } = await new Deno.Command(findTool("systemd")!, {
    args: [...command, join(scratch.path, "monitor.service")],
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
