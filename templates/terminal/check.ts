import type {
  AssertionDetails,
  CertificateDetails,
  Details,
  Phases,
} from "../../lib/checks/observation.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { column } from "../../lib/text/columns.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { DAY, utcDay } from "../../lib/time.ts";
import { count, countSites, formatMilliseconds } from "../words.ts";
import { stateMark } from "./lines.ts";

/** Columns of the labels and of the bars. */
const LABEL = 12;
const BAR = 30;
const LONGEST_TEXT = 200;
const MOST_NAMES = 4;

/** Formats everything a check of one site observed; `failing` names its dependencies that are down. */
export function checkText(
  result: ProbeResult,
  now: Temporal.Instant,
  failing: readonly string[],
): string {
  const { site, state, details, phases, responseTime, error } = result;
  const description = site.description === undefined ? "" : paint.dim(`  ${site.description}`);
  const parts = [
    `${site.name}  ${paint.dim(site.check)}${description}`,
    hopLines(details),
    factLines(details, now),
    phases === undefined ? "" : phaseLines(phases, responseTime),
    (details?.assertions ?? []).map(assertionLines).join("\n"),
    `${stateMark(state)} ${state}${error === undefined ? "" : `: ${error}`}`,
    failing.map((name) => `It depends on ${name}, which is down.`).join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Data for `check --json`. */
export function checkJson(
  { site, state, code, responseTime, phases, error, details }: ProbeResult,
  failing: readonly string[],
): unknown {
  const rounded = (time: number) => Math.round(time * 10) / 10;
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

/** The requests of a check, with redirects. */
function hopLines(details: Details | undefined): string {
  return (details?.hops ?? []).flatMap(({ method, url, status, words = "no answer" }, index) => [
    `  ${method} ${plain(url ?? "(hidden: it could repeat a secret)")}`,
    ...(index === 0 ? details?.sent ?? [] : []).map((line) => paint.dim(`    ${plain(line)}`)),
    `    ${paint.dim("→")} ${[status ?? [], words].flat().join(" ").trim()}`,
  ]).join("\n");
}

function factLines(details: Details | undefined, now: Temporal.Instant): string {
  const { address, protocol, certificate, issuers = [], resolver, answers = [], bytes } = details ??
    {} as Partial<Details>;
  const rows: [label: string, text: string | undefined][] = [
    ["address", address],
    ["TLS", protocol],
    ...(certificate === undefined ? [] : certificateRows("certificate", certificate, now)),
    ...issuers.flatMap((issuer) => certificateRows("signed by", issuer, now)),
    ["resolver", resolver],
    ...answers.map((answer): [string, string] => ["answer", answer]),
    ...Object.entries(details?.headers ?? {}),
    ["body", bytes?.toLocaleString("en").concat(bytes === 1 ? " byte" : " bytes")],
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined);
  const width = Math.max(LABEL, ...known.map(([label]) => label.length));
  return known.map(([label, text]) => `  ${paint.dim(column(label, width))}  ${plain(text)}`)
    .join("\n");
}

function certificateRows(
  label: string,
  { subject, issuer, names, from, to }: CertificateDetails,
  now: Temporal.Instant,
): [string, string][] {
  const left = Math.trunc((to.epochMilliseconds - now.epochMilliseconds) / DAY);
  const rest = Temporal.Instant.compare(now, from) < 0
    ? "not valid yet"
    : Temporal.Instant.compare(to, now) < 0
    ? `expired ${count(-left, "day")} ago`
    : `${count(left, "day")} left`;
  const texts = [
    ...(subject === undefined ? [] : [`${subject}, issued by ${issuer}`]),
    `valid from ${utcDay(from)} to ${utcDay(to)} (${rest})`,
    ...(names.length === 0 ? [] : [`for ${joinFirst(names, MOST_NAMES)}`]),
  ];
  return texts.map((text, index) => [index === 0 ? label : "", text]);
}

function assertionLines({ text, severity, holds, found }: AssertionDetails): string {
  const mark = holds ? paint.green("✔") : severity === "down" ? paint.red("✘") : paint.yellow("✘");
  const meaning = severity === "down" ? "" : paint.dim(` (${severity})`);
  return `  ${mark} ${plain(text)}${meaning}\n    ${paint.dim(plain(found))}`;
}

const PHASES: Readonly<Record<keyof Phases, string>> = {
  dns: "name look-up",
  connect: "connect",
  tls: "TLS",
  ttfb: "first byte",
  download: "download",
};

/** The phases as bars, each of which starts at the end of the one before. */
function phaseLines(phases: Phases, total: number | undefined): string {
  const sum = total ?? Object.values(phases).reduce((sum, time) => sum + time, 0);
  if (sum === 0) return "";
  const milliseconds = (time: number) =>
    (time < 9.95 ? `${time.toFixed(1)} ms` : formatMilliseconds(time)).padStart(9);
  let before = 0;
  const lines = Object.entries(PHASES).flatMap(([key, name]): string[] => {
    const time = phases[key as keyof Phases] ?? 0;
    if (time === 0) return [];
    const from = Math.round(before / sum * BAR);
    before += time;
    const length = Math.max(time >= 0.5 ? 1 : 0, Math.round(before / sum * BAR) - from);
    const bar = " ".repeat(Math.min(from, BAR - length)) + "█".repeat(length);
    const label = paint.dim(column(name, LABEL));
    return [`  ${label}  ${milliseconds(time)}  ${paint.cyan(bar)}`.trimEnd()];
  });
  return [...lines, `  ${column("together", LABEL)}  ${milliseconds(sum)}`].join("\n");
}

function plain(text: string): string {
  return shorten(plainText(text), LONGEST_TEXT);
}

/** Warns that most canaries failed: the monitor's network is at fault, or the canaries are wrong. */
export function canaryNote(
  addresses: readonly string[],
  { results, distrusted }: { results: readonly ProbeResult[]; distrusted: boolean },
): string {
  if (distrusted) return distrustNote(addresses);
  const inconclusive = results.filter(({ state, unreached }) => state === "unknown" && unreached);
  const list = addresses.join(", ");
  const verb = inconclusive.length === 1 ? "is" : "are";
  return `the monitor's own network seems to be at fault: most canaries (${list}) can't be reached, so ${
    countSites(inconclusive.length)
  } that can't be reached either ${verb} unknown and not down`;
}

export function distrustNote(addresses: readonly string[]): string {
  const list = addresses.join(", ");
  return `the canaries (${list}) can't be reached from here though sites can, so they are not believed; name places that this runner reaches in canaries:, or none with []`;
}
