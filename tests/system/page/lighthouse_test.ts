import { assert } from "@std/assert";
import { join } from "node:path";
import { CHROMIUM } from "../../helpers/browser.ts";
import { filesOf, servePage } from "../../helpers/page_files.ts";
import { type WorldName, worldView } from "../../helpers/page_worlds.ts";
import { makeScratch } from "../../helpers/scratch.ts";

/** Too heavy to be a dependency of every test run: it is fetched from the registry when it runs. */
const LIGHTHOUSE = "lighthouse@12.8.2";

const RUNS = 3;
const CATEGORIES = ["accessibility", "best-practices", "seo", "performance"];
/** Least mark for performance, in percent: it depends on the machine's load, so the best run counts. */
const PERFORMANCE = 98;
const canRun = await hasLighthouse();

for (const count of [3, 20, 200]) {
  for (const world of [`${count} sites`, `${count} sites in trouble`] as WorldName[]) {
    const name = `Lighthouse finds nothing to better on the overview of ${world}`;
    Deno.test({
      name: canRun ? name : `NOT RUN, install chromium and reach the registry: ${name}`,
      ignore: !canRun,
      async fn() {
        await using server = servePage(filesOf(await worldView(world)));
        await using folder = await makeScratch();
        const audit = () => lighthouse(`${server.url}/`, folder.path);
        const isFull = (scores: readonly number[] = []) =>
          scores.length > 0 &&
          scores.every((score, index) =>
            score >= (CATEGORIES[index] === "performance" ? PERFORMANCE : 100)
          );
        // Under load a run may end before it has loaded the page, or fail.
        let result = await audit().catch(() => undefined);
        for (let run = 1; run < RUNS && !isFull(result?.scores); run++) {
          result = await audit().catch(() => undefined);
        }
        const found = `${result?.scores}: ${result?.failed.join("; ")}`;
        assert(isFull(result?.scores), result === undefined ? "Lighthouse fails" : found);
      },
    });
  }
}

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
