import { apiFiles } from "../../lib/statistics/api/api_files.ts";
import { computeSummary, formatSummary } from "../../lib/statistics/summary.ts";
import {
  type Assets,
  ASSETS_FOLDER,
  collectPlaces,
  isInConflict,
  isReplaced,
} from "../../lib/page/assets.ts";
import {
  type Build,
  combineDigests,
  digestFile,
  formatBuild,
  type PageFile,
} from "../../lib/page/export.ts";
import type { FeedState } from "../../lib/page/feed_state.ts";
import { computeOverall, OVERALL_STATES } from "../../lib/page/overall.ts";
import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { redactMarkup } from "../../lib/page/redact.ts";
import { GENERATOR } from "../../lib/version.ts";
import { feedFiles } from "../../templates/feeds/mod.ts";
import { createBadges } from "../../templates/graph/badge.ts";
import {
  DETAILS_STYLE,
  EMBED_STYLE,
  renderFavicon,
  renderRobots,
  renderSitemap,
  renderStyle,
  SERVICE_WORKER,
} from "../../templates/pages/files.ts";
import { renderMoreScript } from "../../templates/pages/more_script.ts";
import { renderBannerState } from "../../templates/pages/embed.tsx";
import {
  BANNER_SCRIPT,
  DETAILS_SCRIPT,
  EMBED_SCRIPT,
  SCRIPT,
} from "../../templates/pages/scripts.ts";
import { overview } from "../../templates/pages/overview.tsx";
import { eachPage, PAGES } from "../../templates/pages/mod.ts";
import type { Page, View } from "../../templates/pages/view.ts";

/** A name that can be looked up, and so be the domain of a page. */
const DOMAIN = /^[\p{L}\p{N}.-]+$/u;

/** Every file of a page but those of {@linkcode builtFiles}, the owner's last. */
export function* pageFiles(
  view: View,
  preview: Uint8Array,
  { assets, before, redact, warn }: {
    assets: Assets;
    /** The content of the feeds of the page before. */
    before: FeedState;
    redact(text: string): string;
    warn(text: string): void;
  },
): Generator<PageFile> {
  const paths: string[] = [];
  for (const file of ownFiles(view, preview, { before, redact })) {
    if (isReplaced(file[0], assets)) continue;
    paths.push(file[0]);
    yield file;
  }
  const { address } = view.settings;
  const { overview, build } = PAGE_PATHS;
  paths.push(overview, build);
  if (address !== undefined) {
    yield [PAGE_PATHS.sitemap, renderSitemap(address, paths.sort())];
    paths.push(PAGE_PATHS.sitemap);
  }
  const places = collectPlaces(paths);
  for (const note of assets.notes) warn(note);
  for (const path of assets.paths) {
    const content = isInConflict(path, places) ? undefined : assets.read(path);
    if (content !== undefined) yield [path, content];
    else warn(`${ASSETS_FOLDER}/${path} is left out: the page already has a file or folder there`);
  }
}

function* ownFiles(
  view: View,
  preview: Uint8Array,
  { before, redact }: { before: FeedState; redact(text: string): string },
): Generator<PageFile> {
  const { report, settings, language } = view;
  // They are written while the pages are rendered.
  yield* apiFiles(report, { draw: createBadges(language.base) });
  yield* redacted(view, PAGES.filter((page) => page !== overview), redact);
  yield* feedFiles({ view, before, redact });
  const { cname } = settings;
  const files = PAGE_PATHS;
  yield [files.style, renderStyle(settings)];
  yield [files.details, DETAILS_STYLE];
  yield [files.script, SCRIPT];
  yield [files.detailsScript, DETAILS_SCRIPT];
  yield [files.moreScript, renderMoreScript(view)];
  yield [files.embedStyle, EMBED_STYLE];
  yield [files.embedScript, EMBED_SCRIPT];
  yield [files.banner, BANNER_SCRIPT];
  yield [files.bannerState, renderBannerState(view, redact)];
  yield [files.icon, renderFavicon(OVERALL_STATES[computeOverall(report)])];
  yield [files.preview, preview];
  yield [files.summary, formatSummary(computeSummary(report))];
  yield [files.robots, renderRobots(settings)];
  yield [files.noJekyll, ""];
  yield [files.serviceWorker, SERVICE_WORKER];
  if (cname !== undefined && DOMAIN.test(cname)) yield [files.domain, `${cname}\n`];
}

/** Renders the files with the time of the build: `view.built`, or that of `before` if nothing differs. */
export function builtFiles(
  view: View,
  { others, before, redact }: {
    others: readonly string[];
    before?: Build;
    redact(text: string): string;
  },
): PageFile[] {
  const builtAt = (built: Temporal.Instant) => {
    const pages = [...redacted({ ...view, built }, [overview], redact)];
    return { built, pages, digest: combineDigests([...others, ...pages.map(digestFile)]) };
  };
  const again = before && builtAt(before.built);
  const isSame = again !== undefined && again.digest === before?.digest;
  const { pages, ...build } = isSame ? again : builtAt(view.built);
  const text = formatBuild({ ...build, checks: view.checks, generator: GENERATOR });
  return [...pages, [PAGE_PATHS.build, text]];
}

function* redacted(
  view: View,
  pages: readonly Page[],
  redact: (text: string) => string,
): Generator<PageFile> {
  for (const [path, html] of eachPage(view, pages)) yield [path, redactMarkup(html, redact)];
}
