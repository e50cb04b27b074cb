import type { Website } from "../config/page/page_keys.ts";
import type { Problem } from "../io/problem.ts";
import { ASSETS_FOLDER } from "./assets.ts";
import { findFile, type Home, resolvePlace } from "./place.ts";
import type { PageSettings } from "./settings.ts";

/**
 * Finds files that the page needs and the owner's folder lacks: a warning for each, at the key that names it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const website = { logoUrl: "/logo%20a.svg", favicon: "https://a.example/b.png", font: "c.woff2" };
 * const found = findMissingFiles(website, {}, new Set(["logo a.svg"]));
 * assertEquals(found.map(({ path, message }) => [path[1], message]), [["font", "assets/c.woff2 is missing"]]);
 * ```
 */
export function findMissingFiles(
  website: Partial<Website>,
  home: Home,
  assets: ReadonlySet<string>,
): Problem[] {
  const { logoUrl, logoDark, hideNavLogo, faviconSvg, favicon, font, themeUrl } = website;
  const { scripts = [], links = [] } = website;
  const hasLogo = logoUrl !== undefined && !hideNavLogo;
  const named: [key: keyof Website, places: readonly (string | undefined)[]][] = [
    ["logoUrl", hasLogo ? [logoUrl] : []],
    ["logoDark", hasLogo ? [logoDark] : []],
    ["faviconSvg", [faviconSvg]],
    ["favicon", faviconSvg === undefined ? [favicon] : []],
    ["font", [font]],
    ["themeUrl", [themeUrl]],
    ["scripts", scripts.map(({ src }) => src)],
    ["links", links.map(({ href }) => href)],
  ];
  return named.flatMap(([key, places]) => {
    const files = places.flatMap((place) =>
      place === undefined ? [] : findFile(resolvePlace(place, home)) ?? []
    );
    return files.filter((file) => !assets.has(file)).map((file): Problem => ({
      severity: "warning",
      path: ["status-website", key],
      message: `${ASSETS_FOLDER}/${file} is missing`,
    }));
  });
}

/** Leaves out what a missing file would make worse: dark pages keep the logo of light ones, and texts their font. */
export function withoutMissing(
  settings: PageSettings,
  assets: ReadonlySet<string>,
): PageSettings {
  const ifThere = (place: string | undefined) => {
    const file = place && findFile(place);
    return file === undefined || assets.has(file) ? place : undefined;
  };
  const { logoDark, font } = settings;
  return { ...settings, logoDark: ifThere(logoDark), font: ifThere(font) };
}
