import { shownAddress } from "../../../lib/config/shown_address.ts";
import type { Dependency } from "../../../lib/config/dependency.ts";
import type { Link } from "../../../lib/config/page_path.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import type { Content } from "../html.ts";
import type { View } from "../page.ts";
import { type Fact, Facts } from "../parts/facts.tsx";
import { SiteLink } from "../parts/site_links.tsx";
import { Time } from "../parts/time.tsx";
import { CertificateExpiry } from "./certificate_expiry.tsx";

/** What there is to know of a site beside its numbers; of what is not known nothing stands there. */
export function SiteFacts({ view, report, link }: { view: View; report: SiteReport; link: Link }) {
  const { language } = view;
  const { site, record } = report;
  const address = shownAddress(site);
  const facts: Fact[] = [
    [language.say("lastCheck"), <LastCheck view={view} report={report} />],
    [language.say("address"), address && <Address text={address} />],
    [language.say("group"), site.group && <bdi>{plainText(site.group)}</bdi>],
    [language.say("tags"), site.tags.length > 0 && listed(site.tags.map(text))],
    [
      language.say("dependsOn"),
      site.dependsOn.length > 0 &&
      listed(site.dependsOn.flatMap((one) => dependency(one, view, link))),
    ],
    [
      language.say("certificate"),
      record?.certificate &&
      <CertificateExpiry until={record.certificate} view={view} />,
    ],
  ];
  return <Facts facts={facts} isCard={false} />;
}

/** When the site was looked at last, and what came of it. */
function LastCheck(
  { view, report: { site, record, lastCheck } }: { view: View; report: SiteReport },
) {
  const { language, incidents } = view;
  if (record === undefined) return <>{language.say("neverChecked")}</>;
  const { lastUpdated, code, responseTime, status, incident } = record;
  const open = incident === undefined ? undefined : incidents.get(incident);
  const error = open !== undefined && "error" in open ? plainText(open.error) : "";
  // A check in maintenance leaves the record as it was.
  const isLast = lastCheck === undefined || Temporal.Instant.compare(lastCheck, lastUpdated) <= 0;
  const isHttp = isLast && site.check === "http" && code > 0;
  return (
    <>
      <Time at={lastCheck ?? lastUpdated} language={language} />
      {isHttp && ` · ${language.say("codeOf", { CODE: String(code) })}`}
      {isLast && status === "up" && ` · ${language.milliseconds(responseTime)}`}
      {error !== "" && (
        <>
          {" · "}
          <bdi>{error}</bdi>
        </>
      )}
    </>
  );
}

function Address({ text }: { text: string }) {
  const shown = plainText(text);
  return /^https?:\/\//i.test(text) && !/\$[A-Za-z_]/.test(text) && URL.canParse(text)
    ? <a href={text} rel="noopener" dir="ltr">{shown}</a>
    : <bdi dir="ltr">{shown}</bdi>;
}

function dependency(one: Dependency, view: View, link: Link): Content[] {
  if ("slug" in one) return [<SiteLink slug={one.slug} view={view} link={link} />];
  const address = shownAddress({ url: one.address, hideUrl: false });
  return address === undefined ? [] : [text(address)];
}

function text(words: string): Content {
  return <bdi>{plainText(words)}</bdi>;
}

function listed(parts: readonly Content[]): Content {
  return parts.length === 0
    ? undefined
    : parts.flatMap((part, index): Content[] => index === 0 ? [part] : [", ", part]);
}
