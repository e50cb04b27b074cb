import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  incidentsAt,
  memoryAt,
  pathsAt,
  rowsAt,
  status,
  writeHook,
} from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

thoroughly(
  "while the branch takes no commits, an outage is told once, and so is its end; the branch gets all of it once it does",
  async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    let code = 200;
    await using site = httpServer(() => new Response(null, { status: code }));
    const told: string[] = [];
    await using receiver = httpServer(async (request) => {
      told.push((await request.json()).type);
      return new Response("ok");
    });
    const channel = `notifications: [{ type: webhook, url: "${receiver.url}" }]\n`;
    const config = configText({ Shop: site.url }, channel);
    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
    const folder = await cloneRemote(remote, join(scratch.path, "clone"));
    await writeHook(remote, "update", 'test "$1" != refs/heads/main');
    const update = () => runTask("update", { folder, env: github.env });

    for (const seen of [200, 503, 503, 200, 200]) {
      code = seen;
      const run = await update();
      assertEquals(run.code, 1, run.stdout);
      assertMatch(
        run.stderr,
        /Cannot push to main at origin: .*; they wait in refs\/monitor\/pending/,
      );
    }
    assertEquals(told, ["down", "up"]);
    const [issue, ...others] = await github.issues();
    assertEquals([issue?.state, issue?.comments.length, others], ["closed", 1, []]);
    assertEquals(github.dispatched.filter((event) => event === "summary").length, 2);
    assertEquals((await pathsAt(remote, "main")).filter((path) => path.startsWith("history/")), []);

    await Deno.remove(join(remote, "hooks", "update"));
    const { code: last, stderr } = await update();
    assertEquals([last, stderr], [0, ""]);
    assertEquals((await rowsAt(remote, "main")).length, 6);
    const [incident] = await incidentsAt(remote, "main");
    assertEquals([incident?.issue, incident?.end !== undefined], [1, true]);
    assertEquals([(await memoryAt(remote))?.files, await status(folder)], [undefined, ""]);
  },
);
