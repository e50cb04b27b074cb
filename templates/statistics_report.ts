import type { Published } from "../lib/store/store.ts";
import type { countSites } from "./words.ts";

/** What writing statistics came to. */
export interface StatisticsChange {
  sites: number;
  /** Paths of the files that change, and of those that go. */
  written: readonly string[];
  removed: readonly string[];
  /** Absent where nothing was to be kept, or nothing may be. */
  published?: Published;
}
