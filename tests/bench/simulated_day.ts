import { dirname, join } from "node:path";
import type { Config } from "../../lib/config/config.ts";
import { readHistories } from "../../lib/history/read_histories.ts";
import { FILE_WINDOW_NAMES } from "../../lib/history/windows.ts";
import { apiFiles } from "../../lib/statistics/api/api_files.ts";
import { computeGraph } from "../../lib/statistics/graph.ts";
import { graphPath, type GraphTheme } from "../../lib/statistics/graphs/graph_files.ts";
import { recordStatistics } from "../../lib/statistics/report/record_statistics.ts";
import { computeReport } from "../../lib/statistics/report/report_of.ts";
import { computeSummary, formatSummary, SUMMARY_PATH } from "../../lib/statistics/summary.ts";
import { openRasterizer } from "../../lib/io/png.ts";
import { renderBadge } from "../../templates/graph/badge.ts";
import { renderGraph } from "../../templates/graph/graph_svg.ts";
import { GRAPH_FONTS } from "../../templates/graph/style.ts";
import type { MemoryStore } from "../helpers/memory_store.ts";
import { git } from "../helpers/scratch.ts";

/** Writes the statistics of a day, as `response-time` does. */
export async function recordDay(
  store: MemoryStore,
  config: Config,
  time: Temporal.Instant,
): Promise<void> {
  const snapshot = await store.read();
  const read = await readHistories(snapshot, config.sites);
  const report = computeReport(config, read, time);
  await recordStatistics({ config, listsAllSites: true, store, snapshot, read, report }, {
    run: { id: "00000000", time },
    filesOf: (newest) =>
      new Map(apiFiles(newest, { draw: renderBadge })).set(
        SUMMARY_PATH,
        formatSummary(computeSummary(newest)),
      ),
    message: "Update statistics",
    author: { name: "Jo", email: "jo@example.com" },
  });
}

/** Every picture of a moment, as `graphs` draws them, by path. */
export async function drawnGraphs(
  store: MemoryStore,
  config: Config,
  time: Temporal.Instant,
): Promise<Map<string, Uint8Array>> {
  const { sites } = computeReport(
    config,
    await readHistories(await store.read(), config.sites),
    time,
  );
  const rasterizer = await openRasterizer(GRAPH_FONTS);
  const files = new Map<string, Uint8Array>();
  for (const site of sites) {
    for (const window of FILE_WINDOW_NAMES) {
      const graph = computeGraph(site, window, config);
      for (const theme of ["light", "dark"] satisfies GraphTheme[]) {
        const path = graphPath(site.site.slug, window, theme, "png");
        files.set(path, await rasterizer.png(renderGraph(graph, theme)));
      }
    }
  }
  return files;
}

/** Makes of pictures the only commit of their branch. */
export async function commitGraphs(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  await git(folder, "symbolic-ref", "HEAD", "refs/heads/monitor-graphs");
  for (const [path, bytes] of files) {
    await Deno.mkdir(join(folder, dirname(path)), { recursive: true });
    await Deno.writeFile(join(folder, path), bytes);
  }
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Draw graphs");
}
