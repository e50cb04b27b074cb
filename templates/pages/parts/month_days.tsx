import type { Link } from "../../../lib/config/page_path.ts";
import type { IncidentMonth } from "../../../lib/page/incidents/incident_months.ts";
import type { View } from "../page.ts";
import { IncidentCards } from "./incident_card.tsx";

/** The days of a month that have incidents. */
export function MonthDays(
  { month: { days }, view, link }: {
    month: IncidentMonth;
    view: View;
    link: Link;
  },
) {
  return [...days].map(([date, own]) => (
    <section class="day" id={date}>
      <h2>
        <time datetime={date}>{view.language.day(date)}</time>
      </h2>
      <IncidentCards view={view} incidents={own} link={link} isDated={false} />
    </section>
  ));
}
