import { assert } from "@std/assert";
import { join } from "node:path";
import { CHROMIUM } from "../../helpers/browser.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";
import { makeScratch } from "../../helpers/scratch.ts";

/** Too heavy to be a dependency of every test run: it is fetched from the registry when it runs. */
const LIGHTHOUSE = "lighthouse@12.8.2";

const RUNS = 3;
// Marks for performance depend on the machine's load. axe looks at accessibility.
const CATEGORIES = ["best-practices", "seo"];
const canRun = await hasLighthouse();
const NAME = "Lighthouse finds nothing to better on the overview of 20 sites";

Deno.test({
  name: canRun ? NAME : `NOT RUN, install chromium and reach the registry: ${NAME}`,
  ignore: !canRun,
  async fn() {
    await using server = servePage(filesOf(await worldView("20 sites")));
    await using folder = await makeScratch();
    const audit = () => lighthouse(`${server.url}/`, folder.path);
    const isFull = (scores: readonly number[] = []) => scores.join() === "100,100";
    // Under load a run may end before it has loaded the page, or fail.
    let result = await audit().catch(() => undefined);
    for (let run = 1; run < RUNS && !isFull(result?.scores); run++) {
      result = await audit().catch(() => undefined);
    }
    assert(isFull(result?.scores), result?.failed.join("; ") ?? "Lighthouse fails");
  },
});

/** True if Lighthouse is available. */
async function hasLighthouse(): Promise<boolean> {
  if (CHROMIUM === undefined) return false;
  const { success } = await new Deno.Command("npm", {
    args: ["view", LIGHTHOUSE, "version", "--fetch-retries=2", "--fetch-timeout=20000"],
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

/** Scores of a page in percent, and the audits that it does not pass. */
async function lighthouse(
  url: string,
  folder: string,
): Promise<{ scores: number[]; failed: string[] }> {
  const output = join(folder, "report.json");
  const { success, stderr } = await new Deno.Command("npx", {
    args: [
      ...["-y", LIGHTHOUSE, url, "--quiet", "--output=json", `--output-path=${output}`],
      `--only-categories=${CATEGORIES.join()}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu --no-first-run",
    ],
    // It looks for browsers with tools that a small PATH lacks.
    env: {
      CHROME_PATH: CHROMIUM!,
      TMPDIR: folder,
      PATH: `${Deno.env.get("PATH")}:/usr/bin:/bin`,
    },
    stdout: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  const { categories, audits } = JSON.parse(await Deno.readTextFile(output));
  const scores = CATEGORIES.map((name) => Math.round(100 * categories[name].score));
  const failed = Object.values<{ id: string; score: number | null; displayValue?: string }>(audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, displayValue = "" }) => `${id} ${displayValue}`);
  return { scores, failed };
}
