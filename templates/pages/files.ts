import about from "./style/about.css" with { type: "text" };
import base from "./style/base.css" with { type: "text" };
import chart from "./style/chart.css" with { type: "text" };
import embed from "./style/embed.css" with { type: "text" };
import frame from "./style/frame.css" with { type: "text" };
import incidents from "./style/incidents.css" with { type: "text" };
import incidentPage from "./style/incident_page.css" with { type: "text" };
import live from "./style/live.css" with { type: "text" };
import overview from "./style/overview.css" with { type: "text" };
import periods from "./style/periods.css" with { type: "text" };
import prose from "./style/prose.css" with { type: "text" };
import print from "./style/print.css" with { type: "text" };
import site from "./style/site.css" with { type: "text" };
import strip from "./style/strip.css" with { type: "text" };
import subscribe from "./style/subscribe.css" with { type: "text" };
import themes from "./style/themes.css" with { type: "text" };
import timing from "./style/timing.css" with { type: "text" };
import year from "./style/year.css" with { type: "text" };
import serviceWorker from "./service_worker.js" with { type: "text" };
import type { State } from "../../lib/state.ts";
import { SHAPES } from "./parts.tsx";
import { PICTURE_COLORS } from "../graph/colors.ts";
import { PAGE_PATHS, toFileAddress } from "../../lib/config/page_path.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { escapeXml } from "../../lib/notifications/channels/escape.ts";
import { shortHash } from "../../lib/text/words.ts";

/** The icon of the page: the shape of a state in its color, for light and dark windows. */
export function renderFavicon(state: State): string {
  const { light, dark } = PICTURE_COLORS;
  const style = `path{fill:${light.words[state]}}@media(prefers-color-scheme:dark){path{fill:${
    dark.words[state]
  }}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><style>${style}</style>` +
    `<path fill-rule="evenodd" d="${SHAPES[state]}"/></svg>\n`;
}

export function renderRobots(
  { robotsText, address }: Pick<PageSettings, "robotsText" | "address">,
): string {
  if (robotsText !== undefined) return `${robotsText.trimEnd()}\n`;
  const map = address === undefined ? "" : `\nSitemap: ${address}/${PAGE_PATHS.sitemap}\n`;
  return `User-agent: *\nAllow: /\n${map}`;
}

const XML = `<?xml version="1.0" encoding="UTF-8"?>\n`;
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Most addresses in a map: the standard allows no more. */
const MOST_ADDRESSES = 50_000;

/**
 * The map of the page for robots, given its address and the paths of its files.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const map = renderSitemap("https://status.acme.example", ["index.html", "404.html", "history/größe/index.html"]);
 * assertEquals(map.match(/<loc>.*?<\/loc>/g), [
 *   "<loc>https://status.acme.example/</loc>",
 *   "<loc>https://status.acme.example/history/gr%C3%B6%C3%9Fe/</loc>",
 * ]);
 * ```
 */
export function renderSitemap(address: string, paths: readonly string[]): string {
  const addresses = paths.map((path) => toFileAddress(address, path)).filter((one) =>
    one.endsWith("/") && !/\/incident\/\d+\/$|\/embed\/$/.test(one)
  );
  const lines = addresses.slice(0, MOST_ADDRESSES)
    .map((one) => `  <url><loc>${escapeXml(one)}</loc></url>\n`);
  return `${XML}<urlset ${SITEMAPS}>\n${lines.join("")}</urlset>\n`;
}

/** Rules of all pages, and those that an overview without texts of its owner doesn't need. */
const COMMON = [base, frame, periods, live, strip, overview, incidents, print].join("");
const DETAILS = [prose, about, site, chart, timing, year, incidentPage, subscribe].join("");

/** All rules, as they are written. */
export const STYLE = COMMON + themes + DETAILS;

const STRING_OR_BLANKS =
  /("[^"]*")|\s*\/\*[^]*?\*\/\s*|\s*([{},>])\s*|;\s*(?=\})|([:;])\s+|(\s)\s+/g;

/**
 * Removes the blanks and comments of a style sheet.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const style = '/* Bars. *' + '/\n.a > b,\na :hover {\n  width: calc(1px + 2px);\n  content: "a  b";\n}\n';
 * assertEquals(compress(style), '.a>b,a :hover{width:calc(1px + 2px);content:"a  b"}');
 * ```
 */
export function compress(style: string): string {
  return style.replaceAll(
    STRING_OR_BLANKS,
    (_, text = "", sign = "", end = "", blank = "") => text + sign + end + (blank && " "),
  );
}

export const DETAILS_STYLE = compress(DETAILS);

/** The style sheet of the strip for other sites, with the colors of the page. */
export const EMBED_STYLE = compress(base + themes + embed);

/** Renders the style sheet of all pages, with the owner's theme, accent and font. */
export function renderStyle(
  { theme, accent, font, isVariableFont }: Pick<
    PageSettings,
    "theme" | "accent" | "font" | "isVariableFont"
  >,
): string {
  const { light, dark } = PICTURE_COLORS;
  const colors = [accent.light ?? light.accent, accent.dark ?? dark.accent].join(", ");
  const hasAccent = accent.light !== undefined || accent.dark !== undefined;
  const face = font === undefined ? "" : `@font-face {
  font-family: owner;
  src: url("${font.split("/").map(encodeURIComponent).join("/")}");
  font-weight: ${isVariableFont ? "100 900" : "normal"};
  font-display: optional;
}
:root {
  --font: owner, system-ui, sans-serif;
}
`;
  return compress(theme === "auto" ? COMMON : COMMON + themes) +
    (hasAccent ? `:root {\n  --accent: light-dark(${colors});\n}\n` : "") +
    face;
}

export const SERVICE_WORKER = serviceWorker;

const versions = new Map<string, string>();

/** Adds the version of a file to its link, so that browsers load it again after a change. */
export function versioned(link: string, text: string): string {
  const version = versions.get(text) ?? shortHash(text).slice(0, 8);
  versions.set(text, version);
  return `${link}?v=${version}`;
}
