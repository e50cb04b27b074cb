import type { Config } from "../config/config.ts";
import type { RepositoryAbout } from "../github/github.ts";
import type { PageSettings } from "../page/settings.ts";
import { plainText, shorten } from "../text/plain_text.ts";

/** Topics for a repository that has none. */
const TOPICS = ["uptime-monitor", "status-page", "monitor-action"];

/** Longest name in a description, in characters; GitHub allows 350 in all. */
const LONGEST_NAME = 200;

export interface FilledAbout {
  /** Keys that were filled in, or would be. */
  filled: Partial<RepositoryAbout>;
  /** The reason if they could not be; no run fails because of it. */
  note?: string;
}

/** Texts for the empty parts of the "About" box, as far as the configuration allows; nothing is replaced. */
export function planAbout(
  about: RepositoryAbout,
  config: Pick<
    Config,
    "skipDescriptionUpdate" | "skipHomepageUpdate" | "skipTopicsUpdate" | "skipGeneratingWebsite"
  >,
  { name, address }: Pick<PageSettings, "name" | "address">,
): Partial<RepositoryAbout> {
  const lacks = (key: keyof RepositoryAbout, isSkipped: boolean) =>
    about[key].length === 0 && !isSkipped;
  const description = `Uptime monitor and status page of ${shorten(plainText(name), LONGEST_NAME)}`;
  const hasPage = address !== undefined && !config.skipGeneratingWebsite;
  return {
    ...lacks("description", config.skipDescriptionUpdate) ? { description } : {},
    ...hasPage && lacks("homepage", config.skipHomepageUpdate) ? { homepage: address } : {},
    ...lacks("topics", config.skipTopicsUpdate) ? { topics: TOPICS } : {},
  };
}
