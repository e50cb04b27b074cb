import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../lib/config/parse.ts";
import { textWidth } from "../../lib/text/columns.ts";
import { machineClock } from "../helpers/calendar.ts";
import { cleanEnvironment, output, type ProgramResult, PROJECT } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { listenTo } from "../helpers/printed_lines.ts";
import { findTool, testWith } from "../helpers/tools.ts";
import { writeHistory } from "../helpers/written_history.ts";

for (const columns of [1, 200]) {
  testWith(["script"], {
    name:
      `update draws what it waits for, and counts down to retries, on a terminal of ${columns} columns, and leaves nothing of it`,
    async fn() {
      await using scratch = await makeScratch();
      await using site = httpServer(() => new Response("ok"));
      const port = closedPort();
      const refused = `connection refused (127.0.0.1:${port})`;
      await scratch.write(
        ".monitorrc.yml",
        `retry: { delays: [1.5], jitter: 0 }\ncanaries: []\nsites:\n` +
          `  - { name: Good, url: "${site.url}" }\n` +
          `  - { name: 日本語のとても長い名前, url: "http://127.0.0.1:${port}" }\n`,
      );
      const { code, stdout } = await onTerminal("update", columns, scratch.path);
      assertEquals(code, 0, stdout);
      assertStringIncludes(stdout, "\x1b[32m✔\x1b[39m Good");
      assert(/⠙|⠹|⠸/.test(stdout), stdout);
      // The last thing that was drawn is wiped before the last line.
      const wiped = stdout.lastIndexOf("\r\x1b[2K");
      assert(wiped > Math.max(...[..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"].map((frame) => stdout.lastIndexOf(frame))));
      assertStringIncludes(stdout.slice(wiped), "1 up, 1 down. Recorded");
      if (columns === 1) return;
      for (const seconds of [2, 1]) {
        assertStringIncludes(
          stdout,
          `日本語のとても長い名前: ${refused}, retrying in ${seconds} s (2 of 2)`,
        );
      }
      assert(!stdout.includes("… 日"), stdout);
    },
  });
}

testWith(["script"], {
  name: "Ctrl-C on a terminal ends update, which says that nothing was recorded",
  async fn() {
    await using scratch = await makeScratch();
    const never = Promise.withResolvers<Response>();
    await using site = httpServer(() => never.promise);
    const config = `canaries: []\nsites: [{ name: Slow, url: "${site.url}" }]\n`;
    await scratch.write(".monitorrc.yml", config);
    const child = startOnTerminal("update", 80, scratch.path, "piped");
    const printed = listenTo(child.stdout, child.stderr);
    await printed.waitFor(/waiting for Slow/);
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("\x03"));
    await printed.waitFor(/Stopped\. Nothing was recorded\. Not checked: Slow\. /);
    never.resolve(new Response("late"));
    await writer.close();
    assertEquals((await child.status).code, 130);
  },
});

for (const [columns, colors] of [[80, true], [40, false]] as const) {
  testWith(["script"], {
    name: `watch shows a table and then one live line on a terminal of ${columns} columns, ${
      colors ? "with" : "without"
    } colors, and ends without a rest of it`,
    async fn() {
      await using scratch = await makeScratch();
      const never = Promise.withResolvers<Response>();
      await using site = httpServer(({ url }) =>
        url.endsWith("/slow") ? never.promise : new Response("ok")
      );
      await scratch.write(
        ".monitorrc.yml",
        `canaries: []\ninterval: 60\nsites:\n  - { name: Shop, url: "${site.url}" }\n` +
          `  - { name: Slow, url: "${site.url}/slow" }\n`,
      );
      const child = startOnTerminal("watch", columns, scratch.path, "piped", colors);
      const printed = listenTo(child.stdout, child.stderr);
      await printed.waitFor(/Watching 2 sites every minute\./);
      // Rows have no time, and what is drawn is wiped before them.
      await printed.waitFor(/\[2K {2}[^✔\n]*✔[^\n]* Shop +up +200/);
      const line = columns === 80
        ? /\[2K2 sites: 1 up, 1 not checked yet, checking Slow, next check in (\d+) s/
        : /\[2K1 up, 1 not checked yet, (\d+) s/;
      const seconds: number[] = [];
      while (seconds.length < 2) seconds.push(Number((await printed.waitFor(line))[1]));
      assert(seconds[1]! < seconds[0]! && seconds[0]! <= 60, seconds.join(" "));
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode("\x03"));
      await printed.waitFor(/1 not checked yet,[^\r]* stopping/);
      never.resolve(new Response("ok"));
      await printed.waitFor(/Stopped\.\r\n/);
      await writer.close();
      assertEquals((await child.status).code, 0);
      assert(printed.all().endsWith("\r\x1b[2K"), printed.all());
      assertEquals(printed.all().includes("\x1b[39m"), colors);
      assert(!/[⠙⠹⠸]/.test(printed.all()), printed.all());
    },
  });
}

for (const columns of [60]) {
  testWith(["script"], {
    name: `status fits a terminal of ${columns} columns, in colors`,
    async fn() {
      await using scratch = await makeScratch();
      await scratch.write(
        ".monitorrc.yml",
        "sites:\n  - { name: Shop, url: https://shop.example.com }\n" +
          "  - { name: 日本語のとても長い名前のサイト, slug: ja, url: https://ja.example.com }\n",
      );
      const to = machineClock.now();
      const outages = [{ from: to.subtract({ minutes: 125 }) }];
      const sites = [{ slug: "shop", outages }, { slug: "ja" }];
      await writeHistory(scratch.path, sites, { from: to.subtract({ hours: 30 }), to });
      const { code, stdout } = await onTerminal("status", columns, scratch.path);
      assertEquals(code, 0, stdout);
      const shown = stdout.slice(stdout.lastIndexOf("\x1b[2K") + "\x1b[2K".length);
      assertStringIncludes(shown, "\x1b[31mdown 2h 5m");
      assertStringIncludes(shown, "×");
      // deno-lint-ignore no-control-regex
      const lines = shown.replaceAll(/\x1b\[\d+m|\r/g, "").split("\n");
      for (const line of lines.slice(0, 3)) assert(textWidth(line) <= columns, line);
    },
  });
}

testWith(["script"], {
  name:
    "on a terminal, init asks for what no option gives, and every question takes an empty answer",
  async fn() {
    await using scratch = await makeScratch();
    const child = startOnTerminal("init --name Acme", 80, scratch.path, "piped");
    const answers = ["not an address", "example.com example.org", "", "", ""];
    const writer = child.stdin.getWriter();
    let said = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      // Each question is answered once it is drawn.
      if (!chunk.endsWith("\x1b[?2026l")) continue;
      await writer.write(new TextEncoder().encode(`${answers.shift() ?? ""}\n`));
    }
    await writer.close();
    const { code } = await child.status;
    await child.stderr.cancel();
    assertEquals(code, 0, said);
    assertStringIncludes(said, 'Cannot tell what to monitor from "not"');
    const text = await scratch.read(".monitorrc.yml");
    assertStringIncludes(text, "\n  name: Acme\n");
    const { config } = await parseConfig(text);
    assertEquals(config!.sites.map(({ name, url }) => [name, url]), [
      ["example.com", "https://example.com"],
      ["example.org", "https://example.org"],
    ]);
  },
});

/** Runs a task on a terminal of some columns. */
function onTerminal(task: string, columns: number, folder: string): Promise<ProgramResult> {
  return output(startOnTerminal(task, columns, folder, "null"));
}

function startOnTerminal(
  task: string,
  columns: number,
  folder: string,
  stdin: "null" | "piped",
  colors = true,
): Deno.ChildProcess {
  const { NO_COLOR: _, ...env } = cleanEnvironment();
  if (!colors) env["NO_COLOR"] = "1";
  const command = `'${Deno.execPath()}' task --quiet --config '${
    join(PROJECT, "deno.json")
  }' ${task}`;
  return new Deno.Command(findTool("script")!, {
    args: ["-qec", `/bin/stty cols ${columns}; exec ${command}`, "/dev/null"],
    cwd: folder,
    clearEnv: true,
    env: { ...env, INIT_CWD: folder, SHELL: "/bin/sh", TERM: "xterm" },
    stdin,
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(60_000),
  }).spawn();
}
