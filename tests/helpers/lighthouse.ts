import { join } from "node:path";
import { CHROMIUM } from "./browser.ts";

/** Too heavy to be a dependency of every test run: it is fetched from the registry when it runs. */
const LIGHTHOUSE = "lighthouse@12.8.2";

export const CATEGORIES = ["accessibility", "best-practices", "seo", "performance"] as const;
export type Category = typeof CATEGORIES[number];

/** True if Lighthouse is available. */
export async function hasLighthouse(): Promise<boolean> {
  if (CHROMIUM === undefined) return false;
  const { success } = await new Deno.Command("npm", {
    args: ["view", LIGHTHOUSE, "version", "--fetch-retries=2", "--fetch-timeout=20000"],
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

/** Scores of a page in percent in some categories, and the audits that it does not pass. */
export async function lighthouse<C extends Category>(
  url: string,
  folder: string,
  audited: readonly C[],
): Promise<{ scores: Record<C, number>; failed: string[] }> {
  const output = join(folder, "report.json");
  const { success, stderr } = await new Deno.Command("npx", {
    args: [
      ...["-y", LIGHTHOUSE, url, "--quiet", "--output=json", `--output-path=${output}`],
      `--only-categories=${audited.join()}`,
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
  const scores = Object.fromEntries(
    audited.map((name) => [name, Math.round(100 * categories[name].score)]),
  ) as Record<C, number>;
  const failed = Object.values<{ id: string; score: number | null; displayValue?: string }>(audits)
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ id, displayValue = "" }) => `${id} ${displayValue}`);
  return { scores, failed };
}
