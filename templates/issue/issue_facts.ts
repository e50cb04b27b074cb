import type { Phases } from "../../lib/checks/check.ts";
import { statusWords } from "../../lib/checks/http/status_words.ts";
import type { Site } from "../../lib/config/config.ts";
import type { IncidentEvent } from "../../lib/incidents/event.ts";
import { formatTime } from "../../lib/time.ts";
import { confirmationTime } from "../confirmation_time.ts";
import { inertMarkdown, markdownTable } from "../markdown.ts";
import { formatMilliseconds } from "../measures.ts";
import { siteLink } from "./issue_links.ts";

/** What was seen of a site that is not as it should be. */
export interface Seen {
  condition: "down" | "degraded";
  /** When that began. */
  since: Temporal.Instant;
  /** HTTP status; 0 where none came. */
  code: number;
  error: string;
  attempts: number;
  confirmed: Temporal.Instant;
  phases?: Phases;
  /** Milliseconds. */
  responseTime?: number;
}

/**
 * What an event is about: what the run saw, else what its incident keeps of the same condition. Of a
 * site that is back, or no longer monitored, how it was.
 */
export function seenIn({ incident, condition: now, result, at }: IncidentEvent): Seen {
  const worst = incident.kind === "degraded" ? "degraded" : "down";
  const isOver = now === undefined || now === "up";
  const condition = isOver ? worst : now;
  const since = isOver ? incident.start : at;
  if (result !== undefined && result.state === condition) {
    const { confirmedBy, attempts, error = "" } = result;
    return { ...result, condition, since, error, attempts: confirmedBy ?? attempts };
  }
  const kept = condition === worst ? {} : { code: 0, error: "" };
  return { ...incident, condition, since, ...kept };
}

/** The table of an issue. */
export function factsTable(site: Site, seen: Seen): string {
  const { condition, since, code, error, attempts, confirmed, phases, responseTime } = seen;
  const isHttp = site.check === "http";
  const answered = code === 0 ? "no HTTP answer" : statusWords(code);
  const isDown = condition === "down";
  const isSlow = !isDown && (responseTime ?? 0) > site.degradedLeave * site.maxResponseTime;
  const isSaid = error === `answered ${answered}` || (isSlow && error.startsWith("answered after"));
  const isSure = Temporal.Instant.compare(since, confirmed) <= 0;
  const time = confirmationTime(seen, since);
  const rows: [label: string, value: string | undefined][] = [
    ["Code", isHttp ? answered : undefined],
    ["Error", isSaid ? undefined : inertMarkdown(error)],
    ["Attempts", isDown ? `${attempts}${time === undefined ? "" : ` in ${time}`}` : undefined],
    [
      "Response time",
      isSlow
        ? `${formatMilliseconds(responseTime)} (${
          formatMilliseconds(site.maxResponseTime)
        } allowed)`
        : undefined,
    ],
    ["Phases", phases === undefined ? undefined : phasesText(phases)],
    [isDown ? "First failing attempt" : "First seen", secondText(since)],
    ["Confirmed", isSure ? secondText(confirmed) : undefined],
  ];
  const shown = rows.filter((row): row is [string, string] =>
    row[1] !== undefined && row[1] !== ""
  );
  return markdownTable(["Site", target(site)], shown);
}

/** What was asked, and how. */
function target(site: Site): string {
  const how = site.check === "http" ? site.method ?? "GET" : site.check;
  const address = siteLink(site) ?? "(its address is not shown)";
  return how === "GET" ? address : `${inertMarkdown(how)} ${address}`;
}

const PHASES: Readonly<Record<keyof Phases, string>> = {
  dns: "name",
  connect: "connection",
  tls: "TLS",
  ttfb: "first byte",
  download: "download",
};

/**
 * Where the time went, without what took none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const phases = { dns: 4.2, connect: 18, tls: 0, ttfb: 60, download: 0.3 };
 * assertEquals(phasesText(phases), "name 4 ms, connection 18 ms, first byte 60 ms");
 * ```
 */
export function phasesText(phases: Phases): string {
  return Object.entries(PHASES).flatMap(([phase, name]) => {
    const time = Math.round(phases[phase as keyof Phases]);
    return time === 0 ? [] : [`${name} ${formatMilliseconds(time)}`];
  }).join(", ");
}

/** A moment to the second, as logs of servers are searched. */
function secondText(time: Temporal.Instant): string {
  return `${formatTime(time).slice(0, 19).replace("T", " ")} UTC`;
}
