import { assertEquals } from "@std/assert";
import { type Category, hasLighthouse, lighthouse } from "../../helpers/lighthouse.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { makeScratch } from "../../helpers/scratch.ts";

const RUNS = 3;
const canRun = await hasLighthouse();
const NAME = "Lighthouse finds nothing to better on the overview of 20 sites";

// Marks for performance depend on the machine's load; the bench reports them.
Deno.test({
  name: canRun ? NAME : `NOT RUN, install chromium and reach the registry: ${NAME}`,
  ignore: !canRun,
  async fn() {
    await using server = servePage(filesOf(await worldView("20 sites")));
    await using folder = await makeScratch();
    const all = { accessibility: 100, "best-practices": 100, seo: 100 };
    // Under load a run may end before it has loaded the page, or fail.
    const isSeen = (result: Awaited<ReturnType<typeof lighthouse>> | undefined) =>
      result !== undefined &&
      Object.entries(all).every(([name, aim]) => result.scores[name as Category] === aim);
    for (let run = 1; run < RUNS; run++) {
      if (isSeen(await lighthouse(`${server.url}/`, folder.path).catch(() => undefined))) return;
    }
    const { scores, failed } = await lighthouse(`${server.url}/`, folder.path);
    const { performance: _, ...steady } = scores;
    assertEquals(steady, all, failed.join("; "));
  },
});
