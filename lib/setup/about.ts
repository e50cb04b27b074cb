import type { Config } from "../config/config.ts";
import type { RepositoryAbout } from "../github/github.ts";
import type { PageSettings } from "../page/settings.ts";
import { plainText, shorten } from "../text/plain_text.ts";

/** Topics for a repository that has none. */
const TOPICS = ["uptime-monitor", "status-page", "monitor-action"];

/** Longest name in a description, in characters; GitHub allows 350 in all. */
const LONGEST_NAME = 200;

/** Changes of the "About" box of a repository. */
export interface FilledAbout {
  /** Keys that were filled in, or would be. */
  filled: Partial<RepositoryAbout>;
  /** The reason if they could not be; no run fails because of it. */
  note?: string;
}

/** Texts for the empty parts of the "About" box, as far as the configuration allows. */
export function wantedAbout(
  { skipDescriptionUpdate, skipHomepageUpdate, skipTopicsUpdate, skipGeneratingWebsite }: Pick<
    Config,
    "skipDescriptionUpdate" | "skipHomepageUpdate" | "skipTopicsUpdate" | "skipGeneratingWebsite"
  >,
  { name, address }: Pick<PageSettings, "name" | "address">,
): Partial<RepositoryAbout> {
  const description = `Uptime monitor and status page of ${shorten(plainText(name), LONGEST_NAME)}`;
  const hasPage = address !== undefined && !skipGeneratingWebsite;
  return {
    ...skipDescriptionUpdate ? {} : { description },
    ...skipHomepageUpdate || !hasPage ? {} : { homepage: address },
    ...skipTopicsUpdate ? {} : { topics: TOPICS },
  };
}

/** The texts whose part of the box is empty; nothing is replaced. */
export function missingAbout(
  about: RepositoryAbout,
  wanted: Partial<RepositoryAbout>,
): Partial<RepositoryAbout> {
  const isEmpty = ([key]: [string, unknown]) => about[key as keyof RepositoryAbout].length === 0;
  return Object.fromEntries(Object.entries(wanted).filter(isEmpty));
}
