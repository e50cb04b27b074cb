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

/** Starts the program, which goes on for some seconds after the first signal, and sends it that. */
async function stopFirst(seconds: number): Promise<Deno.ChildProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--config", TESTS_CONFIG, PROGRAM, `${seconds * 1000}`],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const printed = listenTo(child.stdout, child.stderr);
  await printed.waitFor(/^ready$/m);
  child.kill("SIGINT");
  await printed.waitFor(/^stopping$/m);
  return child;
}

Deno.test("Ctrl-C that npx passes on as well is one, and the program ends by itself", async () => {
  const child = await stopFirst(0.2);
  child.kill("SIGINT");
  assertEquals((await child.status).code, 0);
});

Deno.test("a second signal, half a second after the first, ends the program at once", async () => {
  const child = await stopFirst(60);
  await new Promise((end) => setTimeout(end, 800));
  child.kill("SIGINT");
  assertEquals((await child.status).signal, "SIGINT");
});
