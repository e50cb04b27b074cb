import { incidentPagePath, toRelativeLink } from "../../lib/config/page_path.ts";
import type { Page } from "./view.ts";

/**
 * Pages that lead from the number of an issue to its incident: addresses that Upptime's page had, and that people
 * type. Of several incidents of an issue the last one counts.
 */
export const issueAddresses: Page = function* ({ incidents, settings: { lang } }) {
  const byIssue = new Map(
    [...incidents].flatMap(([id, one]) =>
      [one.issue, ..."furtherIssues" in one ? one.furtherIssues ?? [] : []].flatMap((issue) =>
        issue !== undefined ? [[String(issue), id]] : []
      )
    ),
  );
  for (const [issue, id] of byIssue) {
    if (issue === id || incidents.has(issue)) continue;
    const path = incidentPagePath(issue!);
    const target = toRelativeLink(path, incidentPagePath(id!));
    yield [path, () => (
      <html lang={lang}>
        <head>
          <meta charSet="utf-8" />
          <meta name="robots" content="noindex" />
          <meta http-equiv="refresh" content={`0; url=${target}`} />
          <link rel="canonical" href={target} />
          <title>#{issue}</title>
        </head>
        <body>
          <a href={target}>#{issue}</a>
        </body>
      </html>
    )];
  }
};
