import type { Page } from "playwright-core";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { apiFiles } from "../../lib/statistics/api/api_files.ts";
import { sparklinePath } from "../../lib/statistics/graphs/graph_files.ts";
import { computeWeekMedians } from "../../lib/statistics/medians.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import { toReadmeLinks } from "../../lib/setup/readme.ts";
import { ENGLISH_LANGUAGE } from "../../lib/text/languages.ts";
import { createBadges } from "../../templates/graph/badge.ts";
import { renderSparklinePicture } from "../../templates/graph/sparkline.ts";
import { liveStatus, readmeSummary, type ReadmeView } from "../../templates/markdown/readme.ts";
import { viewOf, type World } from "./page_world.ts";

/** The path of the README, as GitHub shows it. */
const ADDRESS = "https://git.example/acme/status/blob/main/README.md";

/** GitHub's transformations of tables and images only. */
const STYLE = `
  body { max-width: 980px; margin: 0 auto; padding: 24px; font: 16px/1.5 sans-serif; color-scheme: light dark }
  img { max-width: 100%; box-sizing: content-box }
  table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }
  th, td { padding: 6px 13px; border: 1px solid #8888 }`;

/** The README of a world, on a monitor with a page and a branch for graphs. */
export async function readmeViewOf(
  world: World,
  changes: Partial<ReadmeView> = {},
): Promise<ReadmeView> {
  const { report, language } = await viewOf(world);
  const remote = { name: "origin", branch: "main" };
  return {
    ...{ report, language },
    links: toReadmeLinks({ prefix: "", branch: "main", remote }, { branch: "monitor-graphs" }),
    page: "https://status.acme.example",
    hasDarkGraphs: true,
    iconOf: () => undefined,
    ...changes,
  };
}

/** The Markdown of a whole README. */
export function readmeText(view: ReadmeView): string {
  return `# Acme status\n\nHow we are: ${liveStatus(view).markdown}\n\n${readmeSummary(view)}\n`;
}

/** The HTML of Markdown as GitHub shows it; nothing in it is filtered. */
export function readmeHtml(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** Opens a README in a window, with its badges and graphs; returns failed requests. */
export async function showReadme(tab: Page, view: ReadmeView, style = STYLE): Promise<string[]> {
  const files = filesOf(view.report);
  const missing: string[] = [];
  await tab.route("**/*", async (route) => {
    const address = route.request().url();
    if (address === ADDRESS) {
      const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>README</title>` +
        `<meta name="viewport" content="width=device-width"><style>${style}</style>` +
        `<body class="markdown-body">${readmeHtml(readmeText(view))}`;
      return await route.fulfill({ contentType: "text/html", body });
    }
    const body = files.get(decodeURIComponent(new URL(address).pathname));
    if (body === undefined) missing.push(address);
    await route.fulfill(
      body === undefined ? { status: 404 } : { contentType: "image/svg+xml", body },
    );
  });
  await tab.goto(ADDRESS);
  return missing;
}

/** Badges and graphs on GitHub, by path. */
function filesOf(report: Report): Map<string, string> {
  const badges = [...apiFiles(report, { draw: createBadges(ENGLISH_LANGUAGE) })]
    .map(([path, text]) => [`/acme/status/blob/main/${path}`, text] as const);
  const graphs = report.sites.flatMap((site) =>
    (["light", "dark"] as const).map((theme) => {
      const path = sparklinePath(site.site.slug, theme);
      const svg = renderSparklinePicture(computeWeekMedians(site.samples), theme);
      return [`/acme/status/raw/monitor-graphs/${path}`, svg] as const;
    })
  );
  return new Map([...badges, ...graphs]);
}
