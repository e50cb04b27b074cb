import { assertEquals } from "@std/assert";
import { PROJECT, TESTS_CONFIG } from "../../helpers/program.ts";
import { listenTo } from "../../helpers/printed_lines.ts";

/** A program that goes on for a while after its first signal. */
const PROGRAM = `
import { interruption } from "${PROJECT}/lib/io/terminal.ts";
const work = setInterval(() => {}, 1000);
using stop = interruption();
stop.signal.addEventListener("abort", async () => {
  console.log("stopping");
  await new Promise((end) => setTimeout(end, Number(Deno.args[0])));
  clearInterval(work);
});
console.log("ready");
await new Promise((end) => stop.signal.addEventListener("abort", end));
`;

function start(seconds: number): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--config", TESTS_CONFIG, PROGRAM, `${seconds * 1000}`],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

Deno.test("Ctrl-C that a launcher passes on as well is one, and the program ends by itself", async () => {
  const child = start(0.2);
  const printed = listenTo(child.stdout, child.stderr);
  await printed.waitFor(/^ready$/m);
  child.kill("SIGINT");
  await printed.waitFor(/^stopping$/m);
  child.kill("SIGINT");
  assertEquals((await child.status).code, 0, printed.all());
});

Deno.test("a second signal, half a second after the first, ends the program at once", async () => {
  const child = start(60);
  const printed = listenTo(child.stdout, child.stderr);
  await printed.waitFor(/^ready$/m);
  child.kill("SIGINT");
  await printed.waitFor(/^stopping$/m);
  await new Promise((end) => setTimeout(end, 800));
  child.kill("SIGINT");
  assertEquals((await child.status).signal, "SIGINT");
});
