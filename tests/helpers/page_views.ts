import { mergeMessages } from "../../lib/text/messages.ts";
import { computePolicy } from "../../lib/page/content_policy.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import type { SiteReport } from "../../lib/statistics/report/report.ts";
import { createLanguage } from "../../templates/pages/language.ts";
import type { View } from "../../templates/pages/view.ts";
import { report, REPORT_TIME, siteReport } from "./reports.ts";
import { configOf, type Keys } from "./sites.ts";

/** Settings of a page of which nothing is configured, or with some of them changed. */
export function pageSettings(changes: Partial<PageSettings> = {}): PageSettings {
  const settings: Omit<PageSettings, "policy"> = {
    name: "Acme status",
    lang: "en",
    direction: "ltr",
    messages: mergeMessages(),
    timezone: "UTC",
    theme: "auto",
    accent: {},
    hasSubscribe: true,
    showsName: true,
    links: [],
    checkMinutes: 5,
    footerLinks: [],
    imageHosts: [],
    origins: [],
    live: { summary: "summary.json", lateMinutes: 75 },
    code: { scripts: [], links: [], metaTags: [] },
    ...changes,
  };
  return { ...settings, policy: computePolicy(settings), ...changes };
}

/** The report of sites at the usual moment, without any events by default. */
export function pageView(
  sites: readonly SiteReport[],
  { settings, ...changes }: Partial<Omit<View, "settings" | "language">> & {
    settings?: Partial<PageSettings>;
  } = {},
): View {
  const all = pageSettings(settings);
  return {
    report: report(...sites),
    checks: sites.some(({ record }) => record !== undefined) ? REPORT_TIME : undefined,
    incidents: new Map(),
    olderTimes: new Map(),
    repeated: new Set(),
    assets: new Set(),
    settings: all,
    language: createLanguage(all.messages, all.lang, all.timezone),
    built: REPORT_TIME.add({ minutes: 1 }),
    ...changes,
  };
}

/** Sites that are up, with the keys given. */
export async function sitesUp(...keys: Keys[]): Promise<SiteReport[]> {
  const { sites } = await configOf(keys.map((one) => ({ url: "https://example.com/", ...one })));
  return sites.map((site): SiteReport => siteReport(site));
}
