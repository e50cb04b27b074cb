import type { Config } from "../../config/config.ts";
import type { RepositoryAbout } from "../../github/github.ts";
import type { PageSettings } from "../../page/settings.ts";
import { plainText, shorten } from "../../text/plain_text.ts";

/** What a repository without topics is found by. */
const TOPICS = ["uptime-monitor", "status-page", "monitor-action"];

/** Longest name that a description tells, in characters; GitHub takes 350 in all. */
const LONGEST_NAME = 200;

/** What a repository may say of itself, as far as the configuration lets it be told. */
export function wantedAbout(
  { skipDescriptionUpdate, skipHomepageUpdate, skipTopicsUpdate, skipGeneratingWebsite }: Pick<
    Config,
    | "skipDescriptionUpdate"
    | "skipHomepageUpdate"
    | "skipTopicsUpdate"
    | "skipGeneratingWebsite"
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

/**
 * What of that the repository does not say yet; nothing is ever replaced.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const about = { description: "Ours", homepage: "", topics: [] };
 * const wanted = { description: "Status of Acme", homepage: "https://status.example" };
 * assertEquals(missingAbout(about, wanted), { homepage: "https://status.example" });
 * ```
 */
export function missingAbout(
  about: RepositoryAbout,
  wanted: Partial<RepositoryAbout>,
): Partial<RepositoryAbout> {
  const isEmpty = (key: keyof RepositoryAbout) => about[key].length === 0;
  return Object.fromEntries(
    Object.entries(wanted).filter(([key]) => isEmpty(key as keyof RepositoryAbout)),
  );
}
