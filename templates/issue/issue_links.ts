import type { Site } from "../../lib/config/config.ts";
import { pageOfSite } from "../../lib/config/page_address.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";
import { checksPath } from "../../lib/history/checks_log.ts";
import { incidentPath } from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/history/record.ts";
import type { IncidentEvent } from "../../lib/incidents/event.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { inertMarkdown, markdownLink } from "../markdown.ts";
import { openAddress } from "../open_address.ts";

/** Longest address that is shown, in characters. */
const LONGEST_ADDRESS = 100;

/** Where the links of an issue lead. */
export interface IssuePlaces {
  /** Address of the repository's page, such as `https://github.com/acme/status`. */
  repository: string;
  /** The monitored folder in the repository: empty, or a path that ends in `/`. */
  folder: string;
  /** Address of the status page, where there is one. */
  page?: string;
}

/** Links to everything that is kept of a site and of one incident of it. */
export function historyLinks(
  event: IncidentEvent,
  since: Temporal.Instant,
  places: IssuePlaces,
): string {
  const { slug } = event.incident;
  const { page } = places;
  return [
    ...(page === undefined ? [] : [markdownLink("Status page", new URL(pageOfSite(page, slug)))]),
    markdownLink("History of this site", inside(places, "commits", recordPath(slug))),
    checksLink(since, places),
    incidentLink(event, places),
  ].join(" · ");
}

/** A link to all checks of the day of a moment. */
export function checksLink(at: Temporal.Instant, places: IssuePlaces): string {
  return markdownLink("Checks of the day", inside(places, "blob", checksPath(at)));
}

/** A link to what is kept of an incident. */
export function incidentLink({ id }: IncidentEvent, places: IssuePlaces): string {
  return markdownLink("File of this incident", inside(places, "blob", incidentPath(id)));
}

/** A place in the repository, by the path of a file in the monitored folder. */
function inside({ repository, folder }: IssuePlaces, view: string, path: string): URL {
  return new URL(`${repository}/${view}/HEAD/${encoded(folder + path)}`);
}

/** The address of a site, as a link where a browser can follow it; `undefined` where it is hidden. */
export function siteLink(site: Site): string | undefined {
  const address = shownAddress(site);
  if (address === undefined) return undefined;
  const text = shorten(address, LONGEST_ADDRESS);
  const url = openAddress(site);
  return url === undefined ? inertMarkdown(text) : markdownLink(text, url);
}

function encoded(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
