import { NOTHING_SAID } from "../../lib/page/feed_state.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { feedFiles } from "../../templates/feeds/mod.ts";
import type { View } from "../../templates/pages/view.ts";
import { type WorldName, worldView } from "./page_worlds.ts";

/** Settings of a page whose addresses are known. */
export const PUBLISHED: Partial<PageSettings> = {
  address: "https://acme.github.io/status",
  base: "/status/",
  repository: "https://github.com/acme/status",
};

export type FeedFiles = ReadonlyMap<string, string>;

/** The feeds of a page of which none was published before, by path. */
export function feedsOf(view: View): FeedFiles {
  return new Map(feedFiles({ view, before: NOTHING_SAID, redact: String }));
}

/** The feeds of a world, under a known address. */
export async function feedWorld(
  name: WorldName,
  settings: Partial<PageSettings> = PUBLISHED,
): Promise<FeedFiles> {
  const view = await worldView(name);
  return feedsOf({ ...view, settings: { ...view.settings, ...settings } });
}

/** The files of one name, by path. */
export function filesNamed(files: FeedFiles, name: string): [path: string, text: string][] {
  return [...files].filter(([path]) => path === name || path.endsWith(`/${name}`));
}
