import type {
  AssertionDetails,
  CertificateDetails,
  Details,
  Phases,
} from "../../lib/checks/observation.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { DAY, isBefore, utcDay } from "../../lib/time.ts";
import { withNulls } from "../json.ts";
import { count, PHASES } from "../words.ts";
import { factLines, joinParts, stateMark } from "./lines.ts";

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
  return joinParts(
    `${site.name}  ${paint.dim(site.check)}${description}`,
    requestLines(details),
    indent(factLines([...observedFacts(details, now), ...phaseFacts(phases, responseTime)])),
    (details?.assertions ?? []).map(assertionLines).join("\n"),
    `${stateMark(state)} ${state}${error === undefined ? "" : `: ${error}`}`,
    failing.map((name) => `It depends on ${name}, which is down.`).join("\n"),
  );
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

export function checkJson(
  { site, state, code, responseTime, phases, error, details }: ProbeResult,
  failing: readonly string[],
): unknown {
  const rounded = (time: number) => Math.round(time * 10) / 10;
  return withNulls({
    name: site.name,
    slug: site.slug,
    check: site.check,
    state,
    code,
    responseTime: responseTime && rounded(responseTime),
    phases: phases && new Map(Object.entries(phases).map(([name, time]) => [name, rounded(time)])),
    error,
    failingDependencies: failing,
    details,
  });
}

function requestLines(details: Details | undefined): string {
  return (details?.hops ?? []).flatMap(({ method, url, status, words = "no answer" }, index) => [
    `  ${method} ${plain(url ?? "(hidden: it could repeat a secret)")}`,
    ...(index === 0 ? details?.sent ?? [] : []).map((line) => paint.dim(`    ${plain(line)}`)),
    `    ${paint.dim("→")} ${[status ?? [], words].flat().join(" ").trim()}`,
  ]).join("\n");
}

type Fact = readonly [label: string, text: string | undefined];

function observedFacts(details: Partial<Details> = {}, now: Temporal.Instant): Fact[] {
  const { address, protocol, certificate, issuers = [], resolver, answers = [], bytes } = details;
  const facts: Fact[] = [
    ["address", address],
    ["TLS", protocol],
    ...certificate === undefined ? [] : certificateFacts("certificate", certificate, now),
    ...issuers.flatMap((issuer) => certificateFacts("signed by", issuer, now)),
    ["resolver", resolver],
    ...answers.map((answer): Fact => ["answer", answer]),
    ...Object.entries(details.headers ?? {}),
    ["body", bytes === undefined ? undefined : count(bytes, "byte")],
  ];
  return facts.map(([label, text]) => [label, text && plain(text)]);
}

function certificateFacts(
  label: string,
  { subject, issuer, names, from, to }: CertificateDetails,
  now: Temporal.Instant,
): Fact[] {
  const left = Math.trunc((to.epochMilliseconds - now.epochMilliseconds) / DAY);
  const rest = isBefore(now, from)
    ? "not valid yet"
    : isBefore(to, now)
    ? `expired ${count(-left, "day")} ago`
    : `${count(left, "day")} left`;
  return [
    [label, subject && `${subject}, issued by ${issuer}`],
    [subject === undefined ? label : "valid", `from ${utcDay(from)} to ${utcDay(to)} (${rest})`],
    ["names", joinFirst(names, MOST_NAMES)],
  ];
}

function assertionLines({ text, severity, holds, found }: AssertionDetails): string {
  const mark = holds ? paint.green("✔") : severity === "down" ? paint.red("✘") : paint.yellow("✘");
  const meaning = severity === "down" ? "" : paint.dim(` (${severity})`);
  return `  ${mark} ${plain(text)}${meaning}\n    ${paint.dim(plain(found))}`;
}

function phaseFacts(phases: Phases | undefined, total: number | undefined): Fact[] {
  if (phases === undefined) return [];
  const facts = Object.entries(PHASES).map(([key, name]): Fact => {
    const time = phases[key as keyof Phases] ?? 0;
    return [name, time === 0 ? undefined : `${time.toFixed(1)} ms`];
  });
  return [...facts, ["total", total === undefined ? undefined : `${total.toFixed(1)} ms`]];
}

function plain(text: string): string {
  return shorten(plainText(text), LONGEST_TEXT);
}
