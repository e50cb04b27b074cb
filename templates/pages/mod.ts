import { overview } from "./overview.tsx";
import type { Page } from "./page.ts";

/** Every kind of page. */
export const PAGES: readonly Page[] = [overview];
