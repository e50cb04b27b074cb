import { CATEGORIES, type Category, hasLighthouse, lighthouse } from "../helpers/lighthouse.ts";
import { filesOf, servePage } from "../helpers/page_files.ts";
import { worldView } from "../helpers/page_worlds.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { median } from "./figures.ts";
import type { BenchPart } from "./part.ts";

/** Percent. */
const AIMS: Readonly<Record<Category, number>> = {
  ...{ performance: 95, accessibility: 100, "best-practices": 100, seo: 100 },
};

/** Lighthouse's marks for the overview of twenty sites. */
export const page: BenchPart = {
  title: "The status page, as Lighthouse sees it",
  note: "the overview of 20 sites on a slow telephone, median of all runs; nothing else may run",
  async measure({ runs, progress }) {
    const rows = [["category", "score", "aim"]];
    if (!await hasLighthouse()) return [...rows, ["install chromium", "", ""]];
    await using server = servePage(filesOf(await worldView("20 sites")));
    await using folder = await makeScratch();
    const seen: Record<Category, number>[] = [];
    for (let run = 1; run <= runs; run++) {
      progress(`the page, run ${run}`);
      seen.push((await lighthouse(`${server.url}/`, folder.path, CATEGORIES)).scores);
    }
    for (const [name, aim] of Object.entries(AIMS)) {
      const score = median(seen.map((scores) => scores[name as Category]));
      rows.push([name, String(score), `${score >= aim ? "✓" : "✗"} ≥ ${aim}`]);
    }
    return rows;
  },
};
