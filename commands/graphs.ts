import type { Command, Context } from "./shared/context.ts";
import { randomName } from "../lib/io/clock.ts";
import { reportResult } from "./shared/job_report.ts";
import { openRasterizer } from "../lib/io/png.ts";
import { computeGraph } from "../lib/statistics/graph.ts";
import {
  chooseGraphWindows,
  type GraphFormat,
  graphPath,
  type GraphTheme,
  sparklinePath,
} from "../lib/statistics/graphs/graph_files.ts";
import { keepGraphs } from "../lib/statistics/graphs/keep_graphs.ts";
import { computeWeekMedians } from "../lib/statistics/medians.ts";
import { createProgress } from "./shared/progress.ts";
import { type OpenedReport, openReport } from "./shared/open_report.ts";
import { commitAuthor, filesMessage } from "../templates/commit_message.ts";
import { GRAPH_FONTS } from "../templates/graph/style.ts";
import { renderSparklinePicture } from "../templates/graph/sparkline.ts";
import { loadPageLanguage } from "../lib/text/languages.ts";
import { findGraphLanguage } from "../templates/graph/graph_times.ts";
import { renderGraph } from "../templates/graph/graph_svg.ts";
import { count } from "../templates/words.ts";

export const graphs: Command = async (context) => {
  const { root, clock, log } = context;
  const sketched = await sketch(context);
  if (sketched === undefined) return 2;
  const { svgs, sparklines, configured, hidden, monitored, config, workspace, store } = sketched;
  const files = await draw(svgs, config.graphs.svg, context);
  for (const [path, svg] of sparklines) files.set(path, new TextEncoder().encode(svg));
  const drawn = { files, configured, hidden, monitored };
  const { branch } = config.graphs;
  const [run, message, author] = [
    randomName(),
    filesMessage(config, "graphsUpdate"),
    commitAuthor(config),
  ];
  const commit = { run, time: clock.now(), message, author };
  const kept = await keepGraphs(drawn, { root, workspace, store, clock, branch, commit });
  for (const note of kept.notes) log.warn(note);
  const { written, removed, published, place, notes, refused } = kept;
  const changes = `${written} changed, ${removed} removed`;
  const fate = published ? "Published" : "Nothing published";
  await reportResult(
    `Drew ${count(svgs.length + sparklines.size, "graph")}: ${changes}. ${fate}: ${place}.`,
    {
      graphs: [...files.keys()],
      ...{ written, removed, published, place, notes, failure: refused?.message },
    },
    context,
    { notes: [...notes, refused?.message ?? []].flat() },
  );
  if (refused !== undefined) throw refused;
  return 0;
};

interface Sketch {
  /** Paths of the files it becomes. */
  paths: Readonly<Record<GraphFormat, string>>;
  svg: string;
}

/** Renders every picture as SVG. The history is released here: garbage is collected often while pictures are drawn. */
async function sketch(
  context: Context,
): Promise<
  Pick<OpenedReport, "config" | "workspace" | "store"> & {
    svgs: Sketch[];
    /** Pictures by path that stay SVG. */
    sparklines: ReadonlyMap<string, string>;
    configured?: ReadonlySet<string>;
    hidden: ReadonlySet<string>;
    monitored: ReadonlySet<string>;
  } | undefined
> {
  const opened = await openReport(context);
  if (opened === undefined) return undefined;
  const { config, listsAllSites, report: { sites }, workspace, store, read } = opened;
  const themes: readonly GraphTheme[] = config.graphs.dark ? ["light", "dark"] : ["light"];
  const windows = chooseGraphWindows(sites.length);
  const sparklines = sites.flatMap(({ site: { slug }, samples }) => {
    const medians = computeWeekMedians(samples);
    return themes.map((theme): [path: string, svg: string] => [
      sparklinePath(slug, theme),
      renderSparklinePicture(medians, theme),
    ]);
  });
  const language = findGraphLanguage(await loadPageLanguage(config));
  const svgs = sites.flatMap((site) =>
    windows.flatMap((window) => {
      const graph = computeGraph(site, window, config);
      return themes.map((theme): Sketch => {
        const path = (format: GraphFormat) => graphPath(site.site.slug, window, theme, format);
        return {
          paths: { png: path("png"), svg: path("svg") },
          svg: renderGraph(graph, theme, language),
        };
      });
    })
  );
  const configured = listsAllSites ? new Set(sites.map(({ site }) => site.slug)) : undefined;
  const monitored = new Set(read.histories.keys());
  const { hidden } = read;
  return {
    svgs,
    sparklines: new Map(sparklines),
    configured,
    hidden,
    monitored,
    config,
    workspace,
    store,
  };
}

async function draw(
  sketches: readonly Sketch[],
  keepsSvg: boolean,
  context: Context,
): Promise<Map<string, Uint8Array>> {
  const rasterizer = await openRasterizer(GRAPH_FONTS);
  const progress = createProgress("Drawing graphs", context);
  let done = 0;
  const files = await Promise.all(sketches.map(async ({ paths, svg }) => {
    const png: [string, Uint8Array] = [paths.png, await rasterizer.png(svg)];
    progress(++done, sketches.length);
    return keepsSvg ? [png, [paths.svg, new TextEncoder().encode(svg)] as const] : [png];
  }));
  context.log.endProgress();
  return new Map(files.flat());
}
