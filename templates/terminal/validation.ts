import { type Billing, FREE_MINUTES } from "../../lib/setup/billing/billing.ts";
import { column } from "../../lib/text/columns.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import { formatPath, isUsable, type Problem } from "../../lib/io/problem.ts";
import { shownAddress } from "../../lib/config/shown_address.ts";
import type { Route } from "../../lib/notifications/routes.ts";
import { paint } from "../../lib/text/paint.ts";
import { escapeMarkdown, markdownTable } from "../markdown/markdown.ts";
import { countSites } from "../words.ts";
import { distrustNote } from "./check.ts";
import { nameWidth } from "./lines.ts";

export interface Validation {
  /** Name of its file. */
  file: string;
  problems: readonly Problem[];
  /** Absent where nothing of it can be used. */
  config?: Config;
  billing?: Billing;
  /** Canaries that the last runs could not reach though sites answered; absent where they are believed. */
  distrusted?: readonly string[];
  routes: readonly Route[];
  /** Services that Upptime would notify and this program does not, in a sentence; absent if there are none. */
  unsupported?: string;
  /** Channels that nothing can be sent to with the secrets given here, in sentences. */
  unusable: readonly string[];
  /** Names of the secrets it refers to. */
  secrets: readonly string[];
  missing: readonly string[];
}

/** The result for the terminal; the problems themselves stand above it. */
export function validationText(validation: Validation): string {
  const { config, billing, routes, secrets, missing, distrusted } = validation;
  const notes = notesOf(validation);
  const parts = [verdict(validation)];
  if (config !== undefined && billing !== undefined) {
    parts.push(monitored(config, billing, leftOut(validation)).join("\n"));
    if (secrets.length > 0) {
      const none = missing.length === 0 ? "" : `; not given here: ${references(missing)}`;
      parts.push(`Secrets it refers to: ${references(secrets)}${none}.`);
    }
    if (routes.length > 0) parts.push(routesText(routes));
    if (notes.length > 0) {
      parts.push(notes.map((note) => `${paint.yellow("▲")} ${note}.`).join("\n"));
    }
    if (distrusted !== undefined) parts.push(`${paint.yellow("▲")} ${distrustNote(distrusted)}.`);
    if (config.sites.length > 0) parts.push(costs(billing).join("\n"));
  }
  return parts.join("\n\n");
}

function notesOf({ unusable, unsupported }: Validation): string[] {
  return [...unusable, ...unsupported === undefined ? [] : [unsupported]];
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
  const table = rows.length === 0 ? "" : markdownTable(["", "Line", "Key", "Problem"], rows, [1]);
  const sites = (config?.sites ?? []).map((site) => [
    escapeMarkdown(site.name),
    site.paused ? "paused" : site.check,
    escapeMarkdown(target(site)),
  ]);
  return [
    `### ${escapeMarkdown(file)}: ${countProblems(problems)}\n`,
    table,
    sites.length === 0 ? "" : markdownTable(["Site", "Check", "Address"], sites),
    routesTable(routes),
    ...notesOf(validation).map((note) => `${escapeMarkdown(note)}\n`),
    distrusted === undefined ? "" : `${escapeMarkdown(distrustNote(distrusted))}\n`,
    billing === undefined ? "" : `${costs(billing)[0]}\n`,
  ].filter((part) => part !== "").join("\n");
}

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
    channels: routesJson(routes),
    ...unusable.length === 0 ? {} : { unusable },
    ...unsupported === undefined ? {} : { unsupported },
    workflows: billing?.workflows ?? [],
    billedMinutes: billing === undefined ? null : billing.selfHosted ? 0 : billing.minutes,
    freeMinutes: FREE_MINUTES,
  };
}

function verdict({ file, problems }: Validation): string {
  const words = `${file}: ${countProblems(problems)}`;
  const worst = problems.map(({ severity }) => severity);
  if (worst.includes("error")) return `${paint.red("✘")} ${words}`;
  return worst.includes("warning")
    ? `${paint.yellow("▲")} ${words}`
    : `${paint.green("✔")} ${words}`;
}

function countProblems(problems: readonly Problem[]): string {
  const count = (severity: Problem["severity"]) =>
    problems.filter((problem) => problem.severity === severity).length;
  const words = (["error", "warning"] as const).flatMap((severity) => {
    const number = count(severity);
    return number === 0 ? [] : [`${number} ${severity}${number === 1 ? "" : "s"}`];
  });
  return words.length === 0 ? "nothing is wrong" : words.join(", ");
}

function leftOut({ problems }: Validation): number {
  const errors = problems.filter(({ severity, isIgnored, path: [list, , key] }) =>
    severity === "error" && !isIgnored && list === "sites" && key !== "notifications" &&
    key !== "dependsOn"
  );
  return new Set(errors.map(({ path }) => path[1]).filter((index) => index !== undefined)).size;
}

function monitored({ sites }: Config, { workflows }: Billing, leftOut: number): string[] {
  const active = sites.filter(({ paused }) => !paused).length;
  const paused = active === sites.length ? "" : `, ${sites.length - active} paused`;
  const wrong = leftOut === 0 ? "" : `, ${leftOut} left out because of errors`;
  const title = active === 0
    ? `Nothing would be monitored${paused}${wrong}.`
    : `${countSites(active)} would be monitored ${workflows[0]!.words}${paused}${wrong}:`;
  const width = nameWidth(sites.map(({ name }) => name));
  return [
    title,
    ...sites.map((site) => {
      const check = site.paused ? paint.dim(column("paused", 8)) : column(site.check, 8);
      const line = `  ${column(site.name, width)}  ${check}  ${target(site)}`.trimEnd();
      const parents = dependenciesOf(site, sites);
      return parents.length === 0
        ? line
        : `${line}${paint.dim(`, depends on ${parents.join(", ")}`)}`;
    }),
  ];
}

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

function costs({ workflows, minutes, selfHosted, cheaper }: Billing): string[] {
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
  return [
    `In a private repository about ${
      number(minutes)
    } minutes a month are billed, ${free}; in a public one none.`,
    ...rows,
    ...cure,
  ];
}

function routesText(routes: readonly Route[]): string {
  const width = nameWidth(routes.map(({ channel }) => channel));
  const lines = routes.map((route) => {
    const { channel, note } = route;
    const more = note === undefined ? "" : paint.yellow(` (${note})`);
    return `  ${column(channel, width)}  ${eventsText(route)} of ${sitesText(route)}${more}`;
  });
  return ["Who is told:", ...lines].join("\n");
}

function routesTable(routes: readonly Route[]): string {
  if (routes.length === 0) return "";
  const rows = routes.map((route) => {
    const more = route.note === undefined ? "" : ` (${route.note})`;
    return [route.channel, eventsText(route) + more, sitesText(route)].map(escapeMarkdown);
  });
  return markdownTable(["Channel", "Is told", "Of"], rows);
}

function routesJson(routes: readonly Route[]): unknown {
  return routes.map(({ channel, events, sites, note }) => ({
    channel,
    events,
    sites,
    note: note ?? null,
  }));
}

function eventsText({ events }: Route): string {
  return events.length === 0 ? "nothing" : events.join(", ");
}

function sitesText({ sites }: Route): string {
  return sites === "all" ? "all sites" : sites.join(", ");
}
