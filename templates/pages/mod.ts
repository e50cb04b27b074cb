import { overview } from "./overview.tsx";
import type { Page } from "./page.ts";
import { sitePages } from "./site_page.tsx";

/** Every kind of page. */
export const PAGES: readonly Page[] = [overview, sitePages];
