import { incidentPagePath } from "../../../lib/config/page_path.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { IncidentProps } from "./incident_props.ts";
import { incidentWords } from "../incident_words.ts";
import { SiteLink } from "../parts/site_links.tsx";

/** What an incident is put down to: another one, which it leads to, or an address. */
export function Cause({ cause, view, link }: Pick<IncidentProps, "view" | "link"> & {
  cause: string;
}) {
  const other = view.incidents.get(cause);
  if (other === undefined) return <span dir="auto">{plainText(cause)}</span>;
  return <a href={link(incidentPagePath(cause))}>{incidentWords(other, view).title}</a>;
}

/** The sites that an incident took along, by their incidents where these are known. */
export function Affected(
  { affects, id, view, link }: IncidentProps & { affects: readonly string[] },
) {
  const caused = [...view.incidents].filter(([, one]) => "cause" in one && one.cause === id);
  const told = new Set(caused.map(([, one]) => "slug" in one ? one.slug : ""));
  const others = affects.filter((slug) => !told.has(slug));
  return (
    <ul>
      {caused.map(([other, one]) => (
        <li>
          <a href={link(incidentPagePath(other))}>{incidentWords(one, view).title}</a>
        </li>
      ))}
      {others.map((slug) => (
        <li>
          <SiteLink slug={slug} view={view} link={link} />
        </li>
      ))}
    </ul>
  );
}
