import scripts from "./scripts.json" with { type: "json" };

/**
 * Scripts, as `deno task scripts` has made them of `script/*.js`: that of all pages, that of pages with charts, and that
 * which a page loads once there is something new, somebody filters or chooses a period, or opens a dialog; then those of
 * the strip and of the banner for other sites.
 */
export const {
  main: SCRIPT,
  details: DETAILS_SCRIPT,
  more: MORE_SCRIPT,
  embed: EMBED_SCRIPT,
  banner: BANNER_SCRIPT,
} = scripts;
