import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { checkOut } from "../helpers/checkout.ts";
import { jobOf, madeWorkflow } from "../helpers/made_workflows.ts";
import { runTask } from "../helpers/program.ts";
import { configText, EVERY_RUN, incidentsAt, rowsAt, status } from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("update finds all that it reads in the checkout of Uptime CI, and records as anywhere else", async () => {
  await using scratch = await makeScratch();
  let code = 200;
  await using site = httpServer(() => new Response(null, { status: code }));
  const config = configText({ Shop: site.url }, EVERY_RUN);
  const large = "a line of something that no run reads\n".repeat(5000);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config, "large.txt": large });
  const { with: asked } = jobOf(await madeWorkflow("uptime")).steps[0]!;
  const sparse = String(asked!["sparse-checkout"]).trim().split("\n");
  const filter = String(asked!["filter"]);
  // What git fetches beside what it is asked to.
  const trace = join(scratch.path, "trace");
  const settings = join(scratch.path, "settings");
  await Deno.writeTextFile(settings, `[trace2]\n\tnormalTarget = ${trace}\n`);
  for (const [run, seen] of [200, 503, 200].entries()) {
    code = seen;
    const folder = await checkOut(remote, join(scratch.path, `job-${run}`), { sparse, filter });
    const env = { GIT_CONFIG_GLOBAL: settings };
    const result = await runTask("update", { folder, env });
    assertEquals([result.code, result.stderr], [0, ""], result.stdout);
    assertEquals(await status(folder), "");
  }
  assertEquals((await rowsAt(remote, "main")).map(({ state }) => state), ["up", "down", "up"]);
  const [incident, ...others] = await incidentsAt(remote, "main");
  assertEquals([incident?.end !== undefined, others], [true, []]);
  const traced = await Deno.readTextFile(trace);
  assertEquals([...traced.matchAll(/start .* fetch .*--stdin/g)].length, 0);
});
