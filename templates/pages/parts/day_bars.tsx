import type { SiteReport } from "../../../lib/report/report.ts";
import { siteName } from "../../site_name.ts";
import type { Language } from "../language.ts";

/** A bar for each of the last days, each with its words; the same list reads as a table once it is opened. */
export function DayBars(
  { report: { site }, language, days }: {
    report: SiteReport;
    language: Language;
    days: number;
  },
) {
  const label = language.say("daysOf", {
    NAME: siteName(site.slug, [site]),
    COUNT: language.number(days),
  });
  return <ol class="days" aria-label={label} />;
}
