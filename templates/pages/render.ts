import { PAGE_PATHS } from "../../lib/page/page_path.ts";
import { htmlOf } from "./html.ts";
import { PAGES } from "./mod.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";
import type { View } from "./page.ts";

/** Every page of a status page and what they share, by their paths from the top. */
export function renderPages(view: View): Map<string, string> {
  const files = new Map<string, string>([[PAGE_PATHS.style, STYLE], [PAGE_PATHS.script, SCRIPT]]);
  for (const page of PAGES) {
    for (const [path, element] of page.files(view)) files.set(path, htmlOf(element));
  }
  return files;
}
