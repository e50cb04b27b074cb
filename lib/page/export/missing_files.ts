import type { PageSettings } from "../settings/page_settings.ts";
import { fileOf } from "../settings/place.ts";

/** What names files of the owner's. */
export type NamesFiles = Pick<PageSettings, "logo" | "icon" | "themeUrl" | "code">;

/**
 * Files that the configuration of the page names and the owner's folder lacks, by their paths.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const code = { scripts: [{ src: "own.js?v=1", async: false }], links: [], metaTags: [] };
 * const settings = { logo: "logo%20a.svg", icon: "https://a.example/icon.png", code };
 * assertEquals(missingFiles(settings, new Set(["logo a.svg"])), ["own.js"]);
 * ```
 */
export function missingFiles(
  { logo, icon, themeUrl, code: { scripts, links } }: NamesFiles,
  assets: ReadonlySet<string>,
): string[] {
  const named = [
    ...[logo, icon, themeUrl].filter((place) => place !== undefined),
    ...scripts.map(({ src }) => src),
    ...links.map(({ href }) => href),
  ];
  const files = named.map(fileOf).filter((path) => path !== undefined);
  return [...new Set(files)].filter((path) => !assets.has(path));
}
