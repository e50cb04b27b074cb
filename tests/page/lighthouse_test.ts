import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { CHROMIUM } from "../helpers/browser.ts";
import { filesOf, servePage } from "../helpers/page_files.ts";
import { worldView } from "../helpers/page_worlds.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { isThorough } from "../helpers/thorough.ts";

/** Too heavy to be fetched by everybody who tests: it comes from the registry when it is run. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const RUNS = 3;
const AIMS = { accessibility: 100, "best-practices": 100, seo: 100, performance: 95 };

type Scores = Record<keyof typeof AIMS, number>;

async function hasRegistry(): Promise<boolean> {
  const { success } = await new Deno.Command("npm", {
    args: ["view", LIGHTHOUSE, "version", "--fetch-retries=0", "--fetch-timeout=5000"],
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

/** Scores of a page in percent, and the audits that it does not pass. */
async function lighthouse(
  url: string,
  folder: string,
): Promise<{ scores: Scores; failed: string[] }> {
  const output = join(folder, "report.json");
  const { success, stderr } = await new Deno.Command("npx", {
    args: [
      ...["-y", LIGHTHOUSE, url, "--quiet", "--output=json", `--output-path=${output}`],
      `--only-categories=${Object.keys(AIMS).join()}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu --no-first-run",
    ],
    env: { CHROME_PATH: CHROMIUM!, TMPDIR: folder },
    stdout: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).slice(-2000));
  const { categories, audits } = JSON.parse(await Deno.readTextFile(output));
  const scores = Object.fromEntries(
    Object.keys(AIMS).map((name) => [name, Math.round(100 * categories[name].score)]),
  ) as Scores;
  const failed = Object.values<{ id: string; score: number | null; displayValue?: string }>(audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, displayValue = "" }) => `${id} ${displayValue}`);
  return { scores, failed };
}

const isWanted = isThorough();
const canRun = isWanted && CHROMIUM !== undefined && await hasRegistry();
const NAME = "Lighthouse is content with the overview of 20 sites";

if (isWanted) {
  Deno.test({
    name: canRun ? NAME : `NOT RUN, install chromium and reach the registry: ${NAME}`,
    ignore: !canRun,
    async fn() {
      await using server = servePage(filesOf(await worldView("20 sites")));
      await using folder = await makeScratch();
      const runs: Awaited<ReturnType<typeof lighthouse>>[] = [];
      for (let run = 0; run < RUNS; run++) {
        runs.push(await lighthouse(`${server.url}/`, folder.path));
      }
      const middle = Object.fromEntries(
        Object.keys(AIMS).map((name) => {
          const sorted = runs.map(({ scores }) => scores[name as keyof Scores]).sort((a, b) =>
            a - b
          );
          return [name, sorted[RUNS >> 1]!];
        }),
      ) as Scores;
      const failed = [...new Set(runs.flatMap((run) => run.failed))].join("; ");
      const reached = Object.fromEntries(
        Object.entries(AIMS).map((
          [name, aim],
        ) => [name, Math.min(aim, middle[name as keyof Scores])]),
      );
      assertEquals(reached, AIMS, `${JSON.stringify(middle)}: ${failed}`);
    },
  });
}
