import { htmlOf } from "./html.ts";
import { PAGES } from "./mod.ts";
import type { View } from "./page.ts";

/** Every page of a status page, by its path from the top. */
export function renderPages(view: View): Map<string, string> {
  const files = new Map<string, string>();
  for (const page of PAGES) {
    for (const [path, element] of page.files(view)) files.set(path, htmlOf(element));
  }
  return files;
}
