import { htmlOf } from "./html.ts";
import { PAGES } from "./mod.ts";
import type { Page, View } from "./page.ts";

/** Pages of a status page, all of them or those given, each by its path from the top, made as they are asked for. */
export function* eachPage(
  view: View,
  pages: readonly Page[] = PAGES,
): Generator<[path: string, html: string]> {
  for (const page of pages) {
    for (const [path, element] of page.files(view)) yield [path, htmlOf(element)];
  }
}
