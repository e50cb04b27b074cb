import { type Config, shownAddress, type Site } from "../../lib/config/config.ts";
import { formatPath, isUsable, type Problem } from "../../lib/io/problem.ts";
import type { Route } from "../../lib/notifications/routes.ts";
import { type Billing, FREE_MINUTES } from "../../lib/setup/billing.ts";
import { column } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { escapeMarkdown, markdownTable } from "../markdown/markdown.ts";
import { count, countSites } from "../words.ts";
import { distrustNote } from "./check.ts";
import { nameWidth } from "./lines.ts";

/** Results of checking a configuration. */
export interface Validation {
  /** Name of the configuration file. */
  file: string;
  problems: readonly Problem[];
  /** Absent if it can't be used. */
  config?: Config;
  billing?: Billing;
  /** Canaries that the last runs couldn't reach although sites answered. */
  distrusted?: readonly string[];
  routes: readonly Route[];
  /** A sentence about notification services of Upptime that are not supported. */
  unsupported?: string;
  /** Sentences about channels that can't be used with the secrets given here. */
  unusable: readonly string[];
  /** Names of secrets that the configuration mentions, and of those not given here. */
  secrets: readonly string[];
  missing: readonly string[];
}

/** The result for the terminal; the problems are printed before it. */
export function validationText(validation: Validation): string {
  const { file, problems, config, billing, routes, secrets, missing, distrusted } = validation;
  const severities = problems.map(({ severity }) => severity);
  const mark = severities.includes("error")
    ? paint.red("✘")
    : severities.includes("warning")
    ? paint.yellow("▲")
    : paint.green("✔");
  const parts = [`${mark} ${file}: ${countProblems(problems)}`];
  if (config !== undefined && billing !== undefined) {
    parts.push(siteLines(config, billing, countOmitted(problems)).join("\n"));
    if (secrets.length > 0) {
      const none = missing.length === 0 ? "" : `; not given here: ${references(missing)}`;
      parts.push(`Secrets it refers to: ${references(secrets)}${none}.`);
    }
    if (routes.length > 0) parts.push(routeLines(routes));
    const notes = [...notesOf(validation)].map((note) => `${paint.yellow("▲")} ${note}.`);
    if (notes.length > 0) parts.push(notes.join("\n"));
    if (distrusted !== undefined) parts.push(`${paint.yellow("▲")} ${distrustNote(distrusted)}.`);
    if (config.sites.length > 0) parts.push(costLines(billing).join("\n"));
  }
  return parts.join("\n\n");
}

/** The result for the page of a job. */
export function validationSummary(validation: Validation): string {
  const { problems, config, billing, file, distrusted, routes } = validation;
  const rows = problems.map(({ severity, line, path, message }) => [
    severity,
    line === undefined ? "" : String(line),
    escapeMarkdown(formatPath(path)),
    escapeMarkdown(message),
  ]);
  const sites = (config?.sites ?? []).map((site) => [
    escapeMarkdown(site.name),
    site.paused ? "paused" : site.check,
    escapeMarkdown(target(site)),
  ]);
  const channels = routes.map((route) => {
    const note = route.note === undefined ? "" : ` (${route.note})`;
    return [route.channel, eventsText(route) + note, sitesText(route)].map(escapeMarkdown);
  });
  const table = (header: string[], rows: string[][], numeric: number[] = []) =>
    rows.length === 0 ? "" : markdownTable(header, rows, numeric);
  return [
    `### ${escapeMarkdown(file)}: ${countProblems(problems)}\n`,
    table(["", "Line", "Key", "Problem"], rows, [1]),
    table(["Site", "Check", "Address"], sites),
    table(["Channel", "Events", "Sites"], channels),
    ...notesOf(validation).map((note) => `${escapeMarkdown(note)}\n`),
    distrusted === undefined ? "" : `${escapeMarkdown(distrustNote(distrusted))}\n`,
    billing === undefined ? "" : `${costLines(billing)[0]}\n`,
  ].filter((part) => part !== "").join("\n");
}

/** Data for `validate --json`. */
export function validationJson(
  { file, problems, config, billing, secrets, routes, unusable, unsupported }: Validation,
): unknown {
  return {
    file,
    valid: isUsable(problems),
    problems: problems.map(({ severity, line, column, path, message }) => ({
      severity,
      line: line ?? 1,
      column: column ?? 1,
      path: formatPath(path),
      message,
    })),
    sites: (config?.sites ?? []).map((site) => ({
      name: site.name,
      slug: site.slug,
      check: site.check,
      address: shownAddress(site) ?? null,
      paused: site.paused,
      dependsOn: dependenciesOf(site, config!.sites),
      secrets: site.secrets,
    })),
    secrets,
    channels: routes.map(({ channel, events, sites, note }) => ({
      channel,
      events,
      sites,
      note: note ?? null,
    })),
    ...unusable.length === 0 ? {} : { unusable },
    ...unsupported === undefined ? {} : { unsupported },
    workflows: billing?.workflows ?? [],
    billedMinutes: billing === undefined ? null : billing.selfHosted ? 0 : billing.minutes,
    freeMinutes: FREE_MINUTES,
  };
}

function notesOf({ unusable, unsupported }: Validation): string[] {
  return [...unusable, ...unsupported === undefined ? [] : [unsupported]];
}

function countProblems(problems: readonly Problem[]): string {
  const words = (["error", "warning"] as const).flatMap((severity) => {
    const number = problems.filter((problem) => problem.severity === severity).length;
    return number === 0 ? [] : [count(number, severity)];
  });
  return words.join(", ") || "nothing is wrong";
}

/** Counts the sites that are not monitored because of errors. */
function countOmitted(problems: readonly Problem[]): number {
  const errors = problems.filter(({ severity, isIgnored, path: [list, , key] }) =>
    severity === "error" && !isIgnored && list === "sites" && key !== "notifications" &&
    key !== "dependsOn"
  );
  return new Set(errors.map(({ path }) => path[1]).filter((index) => index !== undefined)).size;
}

function siteLines({ sites }: Config, { workflows }: Billing, omitted: number): string[] {
  const active = sites.filter(({ paused }) => !paused).length;
  const rest = [
    active === sites.length ? "" : `, ${sites.length - active} paused`,
    omitted === 0 ? "" : `, ${omitted} left out because of errors`,
  ].join("");
  const title = active === 0
    ? `Nothing would be monitored${rest}.`
    : `${countSites(active)} would be monitored ${workflows[0]!.words}${rest}:`;
  const width = nameWidth(sites.map(({ name }) => name));
  return [
    title,
    ...sites.map((site) => {
      const check = site.paused ? paint.dim(column("paused", 8)) : column(site.check, 8);
      const line = `  ${column(site.name, width)}  ${check}  ${target(site)}`.trimEnd();
      const parents = dependenciesOf(site, sites).join(", ");
      return parents === "" ? line : line + paint.dim(`, depends on ${parents}`);
    }),
  ];
}

/** The names of dependencies. */
function dependenciesOf({ dependsOn }: Site, sites: readonly Site[]): string[] {
  return dependsOn.map((one) =>
    "address" in one ? one.address : sites.find(({ slug }) => slug === one.slug)!.name
  );
}

function target(site: Site): string {
  const address = shownAddress(site) ?? "(hidden)";
  return site.method === undefined || site.method === "GET" ? address : `${site.method} ${address}`;
}

function references(names: readonly string[]): string {
  return names.map((name) => `$${name}`).join(", ");
}

function routeLines(routes: readonly Route[]): string {
  const width = nameWidth(routes.map(({ channel }) => channel));
  const lines = routes.map((route) => {
    const note = route.note === undefined ? "" : paint.yellow(` (${route.note})`);
    const channel = column(route.channel, width);
    return `  ${channel}  ${eventsText(route)} of ${sitesText(route)}${note}`;
  });
  return ["Notifications:", ...lines].join("\n");
}

function eventsText({ events }: Route): string {
  return events.length === 0 ? "nothing" : events.join(", ");
}

function sitesText({ sites }: Route): string {
  return sites === "all" ? "all sites" : sites.join(", ");
}

function costLines({ workflows, minutes, selfHosted, cheaper }: Billing): string[] {
  if (selfHosted) return ["The jobs run on a machine of your own: no minutes are billed."];
  const number = (count: number) => count.toLocaleString("en");
  const free = minutes <= FREE_MINUTES
    ? `all free (${number(FREE_MINUTES)} are)`
    : `${number(FREE_MINUTES)} of them free`;
  const rows = workflows.map(({ name, words, runs, isFree }) =>
    `  ${column(name, 16)}  ${column(words, 18)}  ${number(isFree ? 0 : runs).padStart(6)} min`
  );
  const cure = cheaper === undefined ? [] : [
    "For less:",
    `  workflowSchedule: { uptime: "${cheaper}" }`,
    "  runner: self-hosted",
  ];
  const billed = `${number(minutes)} minutes a month are billed, ${free}`;
  return [`In a private repository about ${billed}; in a public one none.`, ...rows, ...cure];
}
