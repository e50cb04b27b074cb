import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { cleanEnvironment, output, PROJECT } from "./helpers/program.ts";
import { makeScratch } from "./helpers/scratch.ts";
import { closedPort, httpServer } from "./helpers/servers.ts";

/** Gives a program a real terminal; part of util-linux. */
const SCRIPT = "/usr/bin/script";
const missing = await Deno.stat(SCRIPT).then(() => false, () => true);
if (missing) {
  await Deno.stderr.write(new TextEncoder().encode(`SKIPPED: there is no ${SCRIPT}\n`));
}

for (const columns of [0, 1, 40, 200]) {
  Deno.test({
    name:
      `update draws what it waits for on a terminal of ${columns} columns, and leaves nothing of it`,
    ignore: missing,
    async fn() {
      await using scratch = await makeScratch();
      await using site = httpServer(() => new Response("ok"));
      await scratch.write(
        ".monitorrc.yml",
        `retry: { delays: [0.2] }\ncanaries: []\nsites:\n  - { name: Good, url: "${site.url}" }\n` +
          `  - { name: 日本語のとても長い名前, url: "http://127.0.0.1:${closedPort()}" }\n`,
      );
      const { NO_COLOR: _, ...env } = cleanEnvironment();
      const task = `'${Deno.execPath()}' task --quiet --config '${
        join(PROJECT, "deno.json")
      }' update`;
      const { code, stdout } = await output(
        new Deno.Command(SCRIPT, {
          args: ["-qec", `/bin/stty cols ${columns}; exec ${task}`, "/dev/null"],
          cwd: scratch.path,
          clearEnv: true,
          env: { ...env, INIT_CWD: scratch.path, SHELL: "/bin/sh", TERM: "xterm" },
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        }).spawn(),
      );
      assertEquals(code, 0, stdout);
      assertStringIncludes(stdout, "\x1b[32m✔\x1b[39m Good");
      assert(/⠙|⠹|⠸/.test(stdout), stdout);
      // The last thing that was drawn is wiped before the last line.
      const wiped = stdout.lastIndexOf("\r\x1b[2K");
      assert(wiped > Math.max(...[..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"].map((frame) => stdout.lastIndexOf(frame))));
      assertStringIncludes(stdout.slice(wiped), "1 up, 1 down. Recorded");
    },
  });
}
