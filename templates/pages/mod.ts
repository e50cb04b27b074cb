import { about } from "./about.tsx";
import { incident } from "./incident.tsx";
import { incidents } from "./incidents.tsx";
import { maintenance } from "./maintenance.tsx";
import { notFound } from "./not_found.tsx";
import { overview } from "./overview.tsx";
import type { Page } from "./page.ts";
import { sitePages } from "./site_page.tsx";

/** Every kind of page. */
export const PAGES: readonly Page[] = [
  ...[overview, sitePages, incidents, incident, maintenance, about, notFound],
];
