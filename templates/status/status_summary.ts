import { paint } from "../../lib/text/paint.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { describeDuration, HOUR } from "../../lib/time.ts";
import { count, countSites, formatMinuteFrom } from "../words.ts";
import { isChecked, type PresentState, presentState } from "./site_state.ts";

/** Milliseconds after which the last check is worth a word: no usual schedule leaves so much out. */
const OLD = 2 * HOUR;
/** From the worst on; a site that is up needs no word beside others. */
const NEWS = [
  "down",
  "degraded",
  "unknown",
  "maintenance",
  "paused",
  "no data",
] as const satisfies PresentState["word"][];

/**
 * How all sites are, in a sentence: `1 of 12 sites is down; last checked 10:05 UTC.`
 */
export function statusSummary({ sites, time }: Report): string {
  if (sites.length === 0) return "There is nothing to monitor: the configuration has no sites.";
  const words = stateWords(sites.map((site) => presentState(site, time).word));
  const last = lastChecked(sites);
  if (last === undefined) {
    if (sites.some(isChecked)) return `${words}; no check has had a result yet.`;
    return `No data yet for ${
      countSites(sites.length)
    }: the command update makes the first checks.`;
  }
  const age = time.since(last).total("milliseconds");
  const old = age < OLD ? "" : paint.yellow(`, ${describeDuration(age)} ago`);
  return `${words}; last checked ${formatMinuteFrom(last, time)}${old}.`;
}

function lastChecked(sites: readonly SiteReport[]): Temporal.Instant | undefined {
  return sites.flatMap(({ lastCheck, record }) => record === undefined ? [] : lastCheck ?? [])
    .sort(Temporal.Instant.compare).at(-1);
}

function stateWords(words: readonly PresentState["word"][]): string {
  const total = words.length;
  const parts = NEWS.flatMap((word) => {
    const number = words.filter((one) => one === word).length;
    return number === 0 ? [] : [{ word, number }];
  });
  const [first, ...others] = parts;
  if (first === undefined) return total === 1 ? "The site is up" : `All ${total} sites are up`;
  if (total === 1) return `The site ${phrase(first.word, 1)}`;
  const rest = others.map(({ word, number }) => `, ${number} ${phrase(word, number)}`).join("");
  return first.number === total
    ? `All ${count(total, "site")} ${phrase(first.word, total)}`
    : `${first.number} of ${total} sites ${phrase(first.word, first.number)}${rest}`;
}

function phrase(word: typeof NEWS[number], number: number): string {
  const verb = number === 1 ? "is" : "are";
  if (word === "no data") return number === 1 ? "has no data yet" : "have no data yet";
  return word === "maintenance" ? `${verb} in maintenance` : `${verb} ${word}`;
}
