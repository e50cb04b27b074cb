import type { ReportPeriod } from "../config/channels/keys.ts";
import type { Language } from "../text/language.ts";
import type { SiteEvent } from "./message.ts";
import { joinTexts } from "./recorded_words.ts";

/** A week or month that is over: its first and its last day, `YYYY-MM-DD`. */
interface ReportedPeriod {
  kind: ReportPeriod;
  first: string;
  last: string;
}

/** A site in that time. */
export interface ReportedSite {
  name: string;
  /** Uptime in percent; absent if nothing is known. */
  percent?: number;
  outages: number;
  /** Seconds. */
  down: number;
  /** The objective in percent, and if it was met. */
  slo?: number;
  isMet?: boolean;
}

/** Writes a report of at least one site; they stay in their order. */
export function writeReport(
  sites: readonly ReportedSite[],
  { period: { kind, first, last }, timezone, language }: {
    period: ReportedPeriod;
    timezone: string;
    language: Language;
  },
): Pick<SiteEvent, "title" | "error" | "figures"> {
  const { say, day, month } = language;
  const name = kind === "week" ? say("weekOf", { DAY: day(first) }) : month(first);
  const span = say("reportSpan", { FROM: day(first), TO: day(last), ZONE: timezone });
  return {
    title: sayOutages(name, sites, language),
    error: joinTexts("semicolonBetween", [span, sayObjectives(sites, language)], language),
    figures: sites.map((site) => ({ name: site.name, text: saySite(site, language) })),
  };
}

/** `Week of 2026-11-16: 3 outages of 2 of 12 sites, 1 hour 5 minutes` */
function sayOutages(
  label: string,
  sites: readonly ReportedSite[],
  { say, isolate, duration }: Language,
): string {
  const failed = sites.filter(({ outages }) => outages > 0);
  const [only] = sites as [ReportedSite];
  const isOne = sites.length === 1;
  const common = { LABEL: label, NAME: isolate(only.name), TOTAL: sites.length };
  if (failed.length === 0) {
    return say(isOne ? "reportCalmOf" : "reportCalm", { ...common, COUNT: sites.length });
  }
  return say(isOne ? "reportOutagesOf" : "reportOutages", {
    ...common,
    COUNT: failed.reduce((sum, { outages }) => sum + outages, 0),
    FAILED: failed.length,
    TIME: duration(1000 * failed.reduce((sum, { down }) => sum + down, 0)),
  });
}

function sayObjectives(sites: readonly ReportedSite[], { say }: Language): string {
  const known = sites.flatMap(({ isMet }) => isMet ?? []);
  const missed = known.filter((isMet) => !isMet).length;
  if (known.length === 0) return "";
  if (known.length === 1) return say(missed === 0 ? "objectiveIsMet" : "objectiveIsMissed");
  return missed === 0
    ? say("allObjectivesMet", { COUNT: known.length })
    : say("objectivesMissed", { COUNT: missed, TOTAL: known.length });
}

/** `99.36% uptime, 2 outages (1 hour 4 minutes), objective of 99.9% missed` */
function saySite(
  { percent: uptime, outages, down, slo, isMet }: ReportedSite,
  language: Language,
): string {
  const { say, duration } = language;
  if (uptime === undefined) return say("noData");
  return joinTexts("commaBetween", [
    say("uptimeOf", { SHARE: language.percent(uptime / 100) }),
    outages === 0
      ? say("noOutages")
      : say("outagesLasting", { COUNT: outages, TIME: duration(1000 * down) }),
    slo === undefined || isMet === undefined
      ? ""
      : say(isMet ? "objectiveOfMet" : "objectiveOfMissed", { SHARE: language.percent(slo / 100) }),
  ], language);
}
