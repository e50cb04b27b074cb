import { leastState } from "../../../lib/page/impact.ts";
import { type Link, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { shownOf } from "../../../lib/page/shown_of.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { siteName } from "../../site_name.ts";
import type { View } from "../page.ts";
import { SiteIcon } from "../parts/icon.tsx";
import { Shape } from "../parts/shape.tsx";
import { Time } from "../parts/time.tsx";

/** What a site is called, how it is, and since when. */
export function SiteHead(
  { view, report, link }: { view: View; report: SiteReport; link: Link },
) {
  const { language } = view;
  const { site, record, condition } = report;
  const shown = shownOf(report, view);
  const tint = shown === "paused" ? "unknown" : shown;
  return (
    <>
      <p class="back">
        <a href={link(PAGE_PATHS.overview)}>{language.say("allSites")}</a>
      </p>
      <section
        class={`hero ${tint}`}
        data-slug={site.slug}
        data-least={leastState(site.slug, view.report.impacts)}
      >
        <h1>
          <Shape of={shown} />
          <span>
            <SiteIcon view={view} site={site} link={link} />{" "}
            <span class="called" dir="auto">{siteName(site.slug, [site])}</span>{" "}
            <span class="word">{language.say(shown)}</span>
          </span>
        </h1>
        {record !== undefined && shown === condition && (
          <p class="times since">
            {language.tell("stateSince", { TIME: <Time at={record.since} language={language} /> })}
          </p>
        )}
        {site.description !== undefined && (
          <p class="about" dir="auto">{plainText(site.description)}</p>
        )}
      </section>
    </>
  );
}
