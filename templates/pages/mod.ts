import { createLink } from "../../lib/config/page_path.ts";
import { about, notFound } from "./about.tsx";
import { embed } from "./embed.tsx";
import { groupPages } from "./groups.tsx";
import { incident, issueAddresses } from "./incident.tsx";
import { incidents, maintenance } from "./months.tsx";
import { overview } from "./overview.tsx";
import type { Page, View } from "./view.ts";
import { subscribe } from "./subscribe.tsx";
import { sitePages } from "./site_page.tsx";
import { renderPage } from "./html.ts";

export const PAGES: readonly Page[] = [
  ...[
    overview,
    groupPages,
    sitePages,
    incidents,
    incident,
    issueAddresses,
    maintenance,
    about,
    subscribe,
    embed,
    notFound,
  ],
];

export function* eachPage(
  view: View,
  pages: readonly Page[] = PAGES,
): Generator<[path: string, html: string]> {
  for (const page of pages) {
    for (const [path, render] of page(view)) {
      yield [
        path,
        renderPage(render({ ...view, path, link: createLink(path, view.settings.base) })),
      ];
    }
  }
}
