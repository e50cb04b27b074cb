import { statusWords } from "../../lib/checks/network_failure.ts";
import type { Phases } from "../../lib/checks/observation.ts";
import { shownAddress, type Site } from "../../lib/config/config.ts";
import { sayError } from "../../lib/evaluation/location_words.ts";
import type { Language } from "../../lib/text/language.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { escapeMentions, markdownLink, markdownTable, openAddress } from "../markdown/markdown.ts";
import { sayConfirmationTime, sayMilliseconds, saySchedule } from "../words.ts";
import type { Failure } from "./failure.ts";

/** Longest text of an address, in UTF-16 units. */
const LONGEST_ADDRESS = 100;

/** The table of an issue: what was checked, and what was found. */
export function factsTable(site: Site, failure: Failure, language: Language): string {
  const { say } = language;
  const { condition, since, code, error, confirmed, phases, responseTime } = failure;
  const answer = code === 0 ? "no HTTP answer" : statusWords(code);
  const isDown = condition === "down";
  const { maxResponseTime } = site;
  const isSlow = !isDown && (responseTime ?? 0) > site.degradedLeave * maxResponseTime;
  const isRepeated = error === `answered ${answer}` ||
    (isSlow && error.startsWith("answered after"));
  const isConfirmed = Temporal.Instant.compare(since, confirmed) <= 0;
  const method = site.check === "http" ? site.method ?? "GET" : site.check;
  const address = siteLink(site) ??
    escapeMentions(saySchedule(site, language) ?? say("factHidden"));
  const isHeartbeat = site.check === "heartbeat";
  const rows: [label: MessageKey, value: string | undefined][] = [
    ["factGroup", site.group && escapeMentions(site.group)],
    ["factCode", site.check !== "http" ? undefined : code === 0 ? say("factNoAnswer") : answer],
    ["factError", isRepeated ? undefined : sayError(error, language, escapeMentions)],
    ["factAttempts", isDown && !isHeartbeat ? sayAttempts(failure, language) : undefined],
    [
      "responseTime",
      isSlow
        ? say("factTooSlow", {
          TIME: sayMilliseconds(responseTime!, language),
          LIMIT: sayMilliseconds(maxResponseTime, language),
        })
        : undefined,
    ],
    ["factPhases", phases === undefined ? undefined : sayPhases(phases, language)],
    [
      isHeartbeat ? "factSince" : isDown ? "factFirstFailure" : "factFirstSeen",
      formatSecond(since),
    ],
    ["confirmed", isConfirmed ? formatSecond(confirmed) : undefined],
  ];
  return markdownTable(
    [say("summarySite"), method === "GET" ? address : `${escapeMentions(method)} ${address}`],
    rows.flatMap(([label, value]): [string, string][] =>
      value === undefined || value === "" ? [] : [[say(label), value]]
    ),
  );
}

function sayAttempts(failure: Failure, language: Language): string {
  const { attempts, since } = failure;
  const time = sayConfirmationTime(failure, since, language);
  return time === undefined
    ? language.number(attempts)
    : language.say("factAttemptsIn", { COUNT: attempts, TIME: time });
}

const PHASES: Readonly<Record<keyof Phases, MessageKey>> = {
  dns: "factDns",
  connect: "factConnect",
  tls: "factTls",
  ttfb: "factTtfb",
  download: "factDownload",
};

/** Says phases without those that took no time: `name look-up 4 ms, first byte 60 ms`. */
function sayPhases(phases: Phases, language: Language): string {
  const { say } = language;
  return Object.entries(PHASES).flatMap(([phase, key]) => {
    const time = Math.round(phases[phase as keyof Phases]);
    return time === 0 ? [] : [say(key, { TIME: sayMilliseconds(time, language) })];
  }).reduce(
    (one, other) => one === "" ? other : say("commaBetween", { ONE: one, OTHER: other }),
    "",
  );
}

function formatSecond(time: Temporal.Instant): string {
  return `${formatTime(time).slice(0, 19).replace("T", " ")} UTC`;
}

/** The address of a site, as a link if possible; `undefined` if it is hidden. */
function siteLink(site: Site): string | undefined {
  const address = shownAddress(site);
  if (address === undefined) return undefined;
  const text = shorten(address, LONGEST_ADDRESS);
  const url = openAddress(site);
  return url === undefined ? escapeMentions(text) : markdownLink(text, url);
}
