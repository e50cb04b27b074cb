import { type Config, shownAddress, type Site } from "../../lib/config/config.ts";
import { cadence } from "../../lib/config/schedule.ts";
import { formatPath, isUsable, type Problem } from "../../lib/io/problem.ts";
import {
  describeUnwarned,
  type UnwarnedSites,
} from "../../lib/notifications/certificate_routes.ts";
import type { Route, RouteRow } from "../../lib/notifications/routes.ts";
import {
  type Billing,
  describeBilling,
  FREE_MINUTES,
  type GlobalpingLoad,
} from "../../lib/setup/billing.ts";
import type { PageAddresses } from "../../lib/setup/page_addresses.ts";
import { fit, textWidth } from "../../lib/text/columns.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { paint } from "../../lib/text/paint.ts";
import { count, countSites, describeAddress } from "../words.ts";
import { distrustNote } from "./progress.ts";
import { GAP, indentRows, joinParts } from "./lines.ts";

export interface Validation {
  file: string;
  problems: readonly Problem[];
  config?: Config;
  billing?: Billing;
  /** Absent if no site is checked by Globalping. */
  globalping?: GlobalpingLoad;
  /** Addresses of the page. */
  addresses: PageAddresses;
  /** Canaries that the last runs couldn't reach although sites answered. */
  distrusted?: readonly string[];
  routes: readonly Route[];
  /** The routes as a table: a row for sites with the same events; `channels` are the names of the columns. */
  routeRows: readonly RouteRow[];
  channels: readonly string[];
  /** Names of sites whose outages notify nobody although there are channels. */
  unnotified: readonly string[];
  /** Sites whose certificates expire without a message. */
  unwarned?: readonly UnwarnedSites[];
  /** A sentence about notification services of Upptime that are not supported. */
  unsupported?: string;
  /** A sentence about secrets that are everyday words. */
  everyday?: string;
  /** Sentences about channels that can't be used with the secrets given here. */
  unusable: readonly string[];
  /** Names of secrets in the configuration, and of those that have no value here. */
  secrets: readonly string[];
  missing: readonly string[];
}

export function validationText(validation: Validation): string {
  const { file, problems, config, billing, routes, secrets, missing } = validation;
  const severities = problems.map(({ severity }) => severity);
  const mark = severities.includes("error")
    ? paint.red("✘")
    : severities.includes("warning")
    ? paint.yellow("▲")
    : paint.green("✔");
  const title = `${mark} ${file}: ${countProblems(problems)}`;
  if (config === undefined || billing === undefined) return title;
  const names = (all: readonly string[]) => all.map((name) => `$${name}`).join(", ");
  const none = missing.length === 0 ? "" : `; not given here: ${names(missing)}`;
  const distrusted = validation.distrusted === undefined ? [] : [
    distrustNote(validation.distrusted),
  ];
  return joinParts(
    title,
    siteLines(config, countOmitted(problems)),
    secrets.length === 0 ? "" : `Secrets used: ${names(secrets)}${none}.`,
    routes.length === 0 ? "" : ["Notifications:", ...routeLines(routes)].join("\n"),
    renderRouteTable(validation),
    [
      ...formatUnnotified(validation.unnotified),
      ...(validation.unwarned ?? []).map(formatUnwarned),
      ...[...validation.unusable, validation.unsupported ?? [], validation.everyday ?? []],
      ...distrusted,
    ].flat()
      .map((note) => `${paint.yellow("▲")} ${note}.`).join("\n"),
    validation.globalping === undefined ? "" : globalpingLine(validation.globalping),
    addressLines(validation.addresses),
    config.sites.length === 0 ? "" : costLines(billing).join("\n"),
  );
}

export function validationJson(validation: Validation): unknown {
  const { file, problems, config, billing, secrets, routes } = validation;
  const { unnotified, unwarned = [], unusable, unsupported, everyday, globalping, addresses } =
    validation;
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
      dependsOn: listDependencies(site, config!.sites),
      secrets: site.secrets,
    })),
    secrets,
    channels: routes.map((route) => ({ ...route, note: route.note ?? null })),
    ...unnotified.length === 0 ? {} : { unnotified },
    ...unwarned.length === 0 ? {} : { unwarned },
    ...unusable.length === 0 ? {} : { unusable },
    ...{ unsupported, everyday, globalping, addresses },
    billedMinutes: billing?.minutes ?? null,
    freeMinutes: FREE_MINUTES,
  };
}

function countProblems(problems: readonly Problem[]): string {
  const words = (["error", "warning"] as const).flatMap((severity) => {
    const number = problems.filter((problem) => problem.severity === severity).length;
    return number === 0 ? [] : [count(number, severity)];
  });
  return words.join(", ") || "no problems";
}

/** Counts the sites that are not monitored because of errors. */
function countOmitted(problems: readonly Problem[]): number {
  const errors = problems.filter(({ severity, isIgnored, path: [list, , key] }) =>
    severity === "error" && !isIgnored && list === "sites" && key !== "notifications" &&
    key !== "dependsOn"
  );
  return new Set(errors.map(({ path }) => path[1]).filter((index) => index !== undefined)).size;
}

function siteLines({ sites, workflowSchedule }: Config, omitted: number): string {
  const active = sites.filter(({ paused }) => !paused).length;
  const rest = [
    active === sites.length ? "" : `, ${sites.length - active} paused`,
    omitted === 0 ? "" : `, ${omitted} left out because of errors`,
  ].join("");
  const title = active === 0
    ? `Nothing would be monitored${rest}.`
    : `${countSites(active)} would be monitored ${cadence(workflowSchedule.uptime).words}${rest}:`;
  const rows = sites.map((site) => {
    const { name, paused, check, method = "GET" } = site;
    const address = describeAddress(site) ?? "(hidden)";
    const parents = listDependencies(site, sites).join(", ");
    return [
      name,
      paused ? "paused" : check,
      method === "GET" ? address : `${method} ${address}`,
      [
        ...parents === "" ? [] : [`depends on ${parents}`],
        ...describeLocations(site),
      ].join("; "),
    ];
  });
  return [title, ...indentRows(rows)].join("\n");
}

/** Names the locations that check a site: `from Virginia, Frankfurt, Tokyo (quorum 2)`. */
function describeLocations({ locations, quorum }: Site): string[] {
  if (locations.length === 0) return [];
  const note = locations.length === 1 ? "" : ` (quorum ${quorum})`;
  return [`from ${joinFirst(locations, MOST_NAMES)}${note}`];
}

function listDependencies({ dependsOn }: Site, sites: readonly Site[]): string[] {
  return dependsOn.map((one) =>
    "address" in one ? one.address : sites.find(({ slug }) => slug === one.slug)!.name
  );
}

function routeLines(routes: readonly Route[]): string[] {
  return indentRows(routes.map(({ channel, events, sites, note, after, quiet, report }) => {
    const notes = [after && `after ${after}`, quiet, report, note].filter((one) =>
      one !== undefined
    );
    return [
      channel,
      `${events.join(", ") || "nothing"} of ${
        sites === "all" ? "all sites" : joinFirst(sites, MOST_NAMES)
      }`,
      notes.length === 0 ? "" : `(${notes.join("; ")})`,
    ];
  }));
}

/** Columns of a table of routes, those of a small terminal. */
const TABLE_WIDTH = 80;
/** Longest name of a channel, in columns. */
const LONGEST_HEAD = 20;
/** Longest list of sites, in columns. */
const LONGEST_LIST = 24;
const MOST_NAMES = 5;

/** Shows who is notified of what, sites in rows and channels in columns, if there is a difference between sites. */
function renderRouteTable({ routeRows, channels }: Validation): string {
  if (routeRows.length < 2 || channels.length === 0) return "";
  const cut = channels.map((name) => fit(name, LONGEST_HEAD));
  // Heads that would look the same start with the number of the channel in the configuration.
  const heads = [
    "",
    ...cut.map((head, index) =>
      cut.filter((one) => one === head).length === 1
        ? head
        : fit(`${index + 1}. ${channels[index]}`, LONGEST_HEAD)
    ),
  ];
  const rows = routeRows.map(({ sites, events }) => [
    fitNames(sites),
    ...events.map((one) => one === "" ? "-" : one),
  ]);
  const widths = heads.map((head, index) =>
    Math.max(textWidth(head), ...rows.map((row) => textWidth(row[index]!)))
  );
  const [first = 0, ...others] = widths;
  const blocks: number[][] = [];
  let left = 0;
  for (const [index, width] of others.entries()) {
    left -= width + GAP.length;
    if (left < 0 || blocks.length === 0) {
      blocks.push([0]);
      left = TABLE_WIDTH - 2 - first - width - GAP.length;
    }
    blocks.at(-1)!.push(index + 1);
  }
  const tables = blocks.map((indexes) =>
    indentRows([heads, ...rows].map((row) => indexes.map((index) => row[index]!))).join("\n")
  );
  return ["Who is notified of what:", tables.join("\n\n")].join("\n");
}

/** As many names as fit into a column, and the number of the others. */
function fitNames(names: readonly string[]): string {
  const texts = names.map((_, index) => joinFirst(names, names.length - index));
  const fitting = texts.find((text) => textWidth(text) <= LONGEST_LIST);
  if (fitting !== undefined) return fitting;
  const [first = ""] = names;
  const others = texts.at(-1)!.slice(first.length);
  return fit(first, LONGEST_LIST - others.length) + others;
}

function formatUnnotified(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `Nobody is notified if ${joinFirst(names, MOST_NAMES)} fail${names.length > 1 ? "" : "s"}`,
  ];
}

function formatUnwarned(unwarned: UnwarnedSites): string {
  const { says, cure } = describeUnwarned(unwarned);
  return `${says.charAt(0).toUpperCase()}${says.slice(1)}: ${cure}`;
}

function addressLines(addresses: PageAddresses): string {
  const rows = Object.entries(addresses);
  return rows.length === 0 ? "" : ["Addresses, once published:", ...indentRows(rows)].join("\n");
}

function costLines(billing: Billing): string[] {
  if (billing.minutes === 0) return ["The jobs run on your own machine: no minutes are billed."];
  const { sum, cure } = describeBilling(billing);
  return [`In a private repository, ${sum}.`, ...cure === undefined ? [] : [`For less, ${cure}.`]];
}

/**
 * The tests that the configuration takes of Globalping, and a warning if it gives fewer.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const limits = { withToken: 500, withoutToken: 250 };
 * const load = { siteLocations: 3, runsPerHour: 12, testsPerHour: 36, limits, mostWithToken: 41 };
 * assertEquals(
 *   globalpingLine(load),
 *   "Globalping: 3 locations of sites, 12 runs an hour, so 36 tests an hour, of 500 with a GLOBALPING_TOKEN (250 without, which all users of an address share).",
 * );
 * ```
 */
export function globalpingLine(
  { siteLocations, runsPerHour, testsPerHour, limits, mostWithToken }: GlobalpingLoad,
): string {
  const places = `${count(siteLocations, "location")} of sites`;
  const needed = `${places}, ${
    count(runsPerHour, "run")
  } an hour, so ${testsPerHour} tests an hour`;
  const { withToken, withoutToken } = limits;
  return testsPerHour > withToken
    ? `${
      paint.yellow("▲")
    } Globalping: ${needed}, more than the ${withToken} of a GLOBALPING_TOKEN, so some have no result: choose at most ${mostWithToken}, or fewer runs.`
    : `Globalping: ${needed}, of ${withToken} with a GLOBALPING_TOKEN (${withoutToken} without, which all users of an address share).`;
}
