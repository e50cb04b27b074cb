import type { Config } from "../lib/config/config.ts";
import type { Command, Context } from "../lib/context.ts";
import { randomName } from "../lib/doors/chance.ts";
import { openRasterizer } from "../lib/doors/png/rasterizer.ts";
import { graphPath, type Theme } from "../lib/graphs/graph_files.ts";
import { keepGraphs, pendingGraphs } from "../lib/graphs/keep_graphs.ts";
import { progressOf } from "../lib/progress.ts";
import { graphOf } from "../lib/statistics/graph_of.ts";
import { openReport } from "../lib/statistics/open_report.ts";
import type { Report } from "../lib/statistics/report.ts";
import { WINDOW_NAMES } from "../lib/statistics/windows.ts";
import { commitAuthor, graphsMessage } from "../templates/commit_message.ts";
import { graphSvg } from "../templates/graph.ts";
import { GRAPH_FONTS } from "../templates/graph/fonts.ts";
import { graphsJson, graphsLine, plannedGraphs } from "../templates/graphs_report.ts";

/** Draws the response times of every site in every window, and publishes the pictures. */
export const graphs: Command = async (context) => {
  const { root, clock, dryRun, json, log } = context;
  const opened = await openReport(context, { readOnly: dryRun });
  if (opened === undefined) return 2;
  const { config, report, workspace, store } = opened;
  const files = await drawAll(report, config, context);
  const drawn = { files, configured: new Set(config.sites.map(({ slug }) => slug)) };
  if (dryRun) {
    const changes = await pendingGraphs(workspace, drawn);
    log.line(plannedGraphs(changes));
    if (json) log.data(graphsJson(files, { changes }));
    return 0;
  }
  const kept = await keepGraphs(drawn, {
    root,
    workspace,
    store,
    clock,
    branch: config.graphs.branch,
    commit: {
      run: randomName(),
      time: report.time,
      message: graphsMessage(config),
      author: commitAuthor(config),
    },
  });
  for (const note of kept.notes) log.warn(note);
  log.line(graphsLine(files.size, kept));
  if (json) log.data(graphsJson(files, { kept }));
  if (kept.refused !== undefined) throw kept.refused;
  return 0;
};

/** Every picture, by path. */
async function drawAll(
  { sites }: Report,
  { graphs: { svg: keepsSvg, dark }, timezone }: Config,
  context: Context,
): Promise<Map<string, Uint8Array>> {
  const rasterizer = await openRasterizer(GRAPH_FONTS);
  const themes: readonly Theme[] = dark ? ["light", "dark"] : ["light"];
  const total = sites.length * WINDOW_NAMES.length * themes.length;
  const progress = progressOf("Drawing graphs", context);
  const files = new Map<string, Uint8Array>();
  let done = 0;
  const encoder = new TextEncoder();
  for (const site of sites) {
    // A site at a time: that keeps all processors busy, and few pictures in memory.
    await Promise.all(WINDOW_NAMES.flatMap((window) => {
      const graph = graphOf(site, window, { timezone });
      return themes.map(async (theme) => {
        const svg = graphSvg(graph, theme);
        const path = (format: "png" | "svg") => graphPath(site.site.slug, window, theme, format);
        if (keepsSvg) files.set(path("svg"), encoder.encode(svg));
        files.set(path("png"), await rasterizer.png(svg));
        progress(++done, total);
      });
    }));
  }
  context.log.endProgress();
  return new Map([...files].sort(([one], [other]) => one < other ? -1 : 1));
}
