import type { GitHub, Issue } from "../github/github.ts";
import { type Incident, UNCHANGED } from "../history/incident.ts";
import { STATUS_LABEL } from "./issue_labels.ts";
import { incidentMarker, parseStart } from "./marked_texts.ts";

/**
 * Reads the incidents of sites that have an open issue of our own account, by id. Of incidents that share an issue none
 * is found. For runs that can record nothing: what they find is known to the next one by its issue alone.
 *
 * @throws {GitHubError} If GitHub does not answer now.
 */
export async function readOwnIncidents(
  github: Pick<GitHub, "openIssuesLabeled" | "account">,
  { folder, slugs }: {
    /** The monitored folder in the repository: empty, or a path that ends in `/`. */
    folder: string;
    slugs: readonly string[];
  },
): Promise<Map<string, Incident>> {
  const start = incidentMarker(encodeURI(folder.toWellFormed())).replace(/ -->$/, "");
  const found = (await github.openIssuesLabeled(STATUS_LABEL)).flatMap((issue) => {
    const at = issue.body.lastIndexOf(start);
    const id = at < 0 ? undefined : /^\S+(?= -->)/.exec(issue.body.slice(at + start.length))?.[0];
    const slug = id && findSlug(id, slugs);
    return id === undefined || slug === undefined ? [] : [{ id, slug, issue }];
  });
  if (found.length === 0) return new Map();
  const account = await github.account();
  // Of two with one marker the lower number stays.
  const own = found.filter(({ issue }) => issue.author === account).reverse();
  return new Map(own.map(({ id, slug, issue }) => [id, toIncident(slug, issue)]));
}

function findSlug(id: string, slugs: readonly string[]): string | undefined {
  const [, name] = /^\d{4}-\d\d-\d\d-(.+)$/.exec(id) ?? [];
  return slugs.find((slug) => slug === name) ??
    slugs.find((slug) => name?.startsWith(slug) && /^-\d+$/.test(name.slice(slug.length)));
}

function toIncident(slug: string, { number, body, created }: Issue): Incident {
  const { start, state } = parseStart(body) ?? { start: created, state: "down" as const };
  const found = { start, confirmed: start, code: 0, error: "", attempts: 1 };
  return { slug, kind: state, ...found, issue: number, ...UNCHANGED };
}
