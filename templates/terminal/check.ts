import { listed } from "../../lib/text/listed.ts";
import type {
  AssertionDetails,
  CertificateDetails,
  Details,
  Phases,
} from "../../lib/checks/observation.ts";
import { column } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { DAY, utcDay } from "../../lib/time.ts";
import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { countSites, formatMilliseconds } from "../words.ts";
import { stateMark } from "./lines.ts";

const LABEL = 12;
const BAR = 30;
const LONGEST = 200;
/** Names of a certificate that are shown. */
const MOST_NAMES = 4;

export function checkText(
  result: CheckResult,
  now: Temporal.Instant,
  failing: readonly string[],
): string {
  const { site, state, details, phases, responseTime, error } = result;
  const description = site.description === undefined ? "" : paint.dim(`  ${site.description}`);
  const parts = [
    `${site.name}  ${paint.dim(site.check)}${description}`,
    hops(details),
    facts(details, now),
    phases === undefined ? "" : times(phases, responseTime),
    (details?.assertions ?? []).map(assertion).join("\n"),
    `${stateMark(state)} ${state}${error === undefined ? "" : `: ${error}`}`,
    failing.map((name) => `It depends on ${name}, which is down.`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

export function checkJson(
  { site, state, code, ...result }: CheckResult,
  failing: readonly string[],
): unknown {
  const { responseTime, phases, error, details } = result;
  return {
    name: site.name,
    slug: site.slug,
    check: site.check,
    state,
    code,
    responseTime: responseTime === undefined ? null : rounded(responseTime),
    phases: phases === undefined
      ? null
      : Object.fromEntries(Object.entries(phases).map(([name, time]) => [name, rounded(time)])),
    error: error ?? null,
    failingDependencies: failing,
    details: details ?? null,
  };
}

function hops(details: Details | undefined): string {
  return (details?.hops ?? []).flatMap(({ method, url, status, words = "no answer" }, index) => [
    `  ${method} ${plain(url ?? "(hidden: it could repeat a secret)")}`,
    ...(index === 0 ? details?.sent ?? [] : []).map((line) => paint.dim(`    ${plain(line)}`)),
    `    ${paint.dim("→")} ${[status ?? [], words].flat().join(" ").trim()}`,
  ]).join("\n");
}

function facts(details: Details | undefined, now: Temporal.Instant): string {
  const {
    address,
    protocol,
    certificate,
    issuers = [],
    resolver,
    answers = [],
    headers = {},
    bytes,
  } = details ?? {};
  const rows: [label: string, text: string][] = [
    ...(address === undefined ? [] : [["address", address] as [string, string]]),
    ...(protocol === undefined ? [] : [["TLS", protocol] as [string, string]]),
    ...(certificate === undefined ? [] : certificateRows("certificate", certificate, now)),
    ...issuers.flatMap((issuer) => certificateRows("signed by", issuer, now)),
    ...(resolver === undefined ? [] : [["resolver", resolver] as [string, string]]),
    ...answers.map((answer): [string, string] => ["answer", answer]),
    ...Object.entries(headers),
    ...(bytes === undefined ? [] : [["body", countBytes(bytes)] as [string, string]]),
  ];
  const width = Math.max(LABEL, ...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `  ${paint.dim(column(label, width))}  ${plain(text)}`).join(
    "\n",
  );
}

function certificateRows(
  label: string,
  { subject, issuer, names, from, to }: CertificateDetails,
  now: Temporal.Instant,
): [string, string][] {
  const left = Math.trunc((to.epochMilliseconds - now.epochMilliseconds) / DAY);
  const days = (count: number) => `${count} day${count === 1 ? "" : "s"}`;
  const rest = Temporal.Instant.compare(now, from) < 0
    ? "not valid yet"
    : Temporal.Instant.compare(to, now) < 0
    ? `expired ${days(-left)} ago`
    : `${days(left)} left`;
  const texts = [
    ...(subject === undefined ? [] : [`${subject}, issued by ${issuer}`]),
    `valid from ${utcDay(from)} to ${utcDay(to)} (${rest})`,
    ...(names.length === 0 ? [] : [`for ${listed(names, MOST_NAMES)}`]),
  ];
  return texts.map((text, index) => [index === 0 ? label : "", text]);
}

const NAMES: Readonly<Record<keyof Phases, string>> = {
  dns: "name look-up",
  connect: "connect",
  tls: "TLS",
  ttfb: "first byte",
  download: "download",
};

/** An assertion, with what was found below it. */
function assertion({ text, severity, holds, found }: AssertionDetails): string {
  const mark = holds ? paint.green("✔") : severity === "down" ? paint.red("✘") : paint.yellow("✘");
  const meaning = severity === "down" ? "" : paint.dim(` (${severity})`);
  return `  ${mark} ${plain(text)}${meaning}\n    ${paint.dim(plain(found))}`;
}

function times(phases: Phases, total: number | undefined): string {
  const entries = Object.entries(phases);
  const sum = total ?? entries.reduce((sum, [, time]) => sum + time, 0);
  if (sum === 0) return "";
  let before = 0;
  const lines = Object.entries(NAMES).flatMap(([key, name]): string[] => {
    const time = entries.find(([phase]) => phase === key)?.[1] ?? 0;
    if (time === 0) return [];
    const from = Math.round(before / sum * BAR);
    before += time;
    const length = Math.max(time >= 0.5 ? 1 : 0, Math.round(before / sum * BAR) - from);
    const bar = " ".repeat(Math.min(from, BAR - length)) + "█".repeat(length);
    return [
      `  ${paint.dim(column(name, LABEL))}  ${milliseconds(time)}  ${paint.cyan(bar)}`.trimEnd(),
    ];
  });
  return [...lines, `  ${column("together", LABEL)}  ${milliseconds(sum)}`].join("\n");
}

function milliseconds(time: number): string {
  return (time < 9.95 ? `${time.toFixed(1)} ms` : formatMilliseconds(time)).padStart(9);
}

function plain(text: string): string {
  return shorten(plainText(text), LONGEST);
}

function countBytes(bytes: number): string {
  return `${bytes.toLocaleString("en")} byte${bytes === 1 ? "" : "s"}`;
}

function rounded(time: number): number {
  return Math.round(time * 10) / 10;
}

export function canaryNote(
  addresses: readonly string[],
  { results, distrusted }: { results: readonly CheckResult[]; distrusted: boolean },
): string {
  const list = addresses.join(", ");
  if (distrusted) return distrustNote(addresses);
  const excused = results.filter(({ state, unreached }) => state === "unknown" && unreached).length;
  return `the monitor's own network seems to be at fault: most canaries (${list}) can't be reached, so ${
    countSites(excused)
  } that can't be reached either ${excused === 1 ? "is" : "are"} unknown and not down`;
}

export function distrustNote(addresses: readonly string[]): string {
  const list = addresses.join(", ");
  return `the canaries (${list}) can't be reached from here though sites can, so they are not believed; name places that this runner reaches in canaries:, or none with []`;
}
