import { SCHEDULE_ALIASES, SITE_ALIASES, spell } from "./keys/aliases.ts";
import { cadence } from "./cadence.ts";
import type { Config, Site } from "./config.ts";
import { distinctSlugs, type PlacedSite } from "./distinct_slugs.ts";
import { foreignReferences } from "./secrets/foreign_references.ts";
import { nearMissProblems } from "./secrets/near_misses.ts";
import { writtenCredentials } from "./secrets/written_credentials.ts";
import { ALL_SHARED_KEYS, DEFAULT_KEYS, KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { isMap } from "./document.ts";
import { unknownPlaceholders } from "./commit_placeholders.ts";
import { misplacedKey, withoutEchoes } from "./misplaced_key.ts";
import type { Problem } from "../io/problem.ts";
import { readKeys } from "./keys/read_keys.ts";
import { readMaintenance } from "./read_maintenance.ts";
import { readDependencies } from "./read_dependencies.ts";
import { readNotifications } from "./channels/read_notifications.ts";
import { readPage } from "./page/read_page.ts";
import { readSite } from "./read_site.ts";
import { survey, type UnusedKey, unusedProblems } from "./keys/survey.ts";
import { scheduledMonths, scheduleTimes } from "./keys/schedule.ts";
import { SCHEDULED_KEYS } from "./workflows.ts";
import { startHint } from "./keys/unknown_key.ts";
import { plainText } from "../text/plain_text.ts";
import { TOP_KEYS } from "./keys/top_keys.ts";
import { found, type KeyProblem } from "./keys/values.ts";

/** A configuration as far as it can be used, and what is wrong with the rest. */
export interface ReadDocument {
  config?: Config;
  problems: Problem[];
  /** Credentials that are written out in it, which nothing may show. */
  credentials: string[];
}

/** Facts beside the document that decide how it is read. */
export interface Surroundings {
  /** Keys of the top level that have no value. */
  blank: readonly string[];
  /** Names of the secrets that have a value. */
  known: readonly string[];
  /** Slugs of sites by their names, other than those that are made from the names. */
  slugs: ReadonlyMap<string, string>;
}

/** Reads a document. */
export function readDocument(
  document: unknown,
  { blank, known, slugs }: Surroundings,
): ReadDocument {
  if (!isMap(document)) {
    return {
      problems: [error([], `expected a map with sites:, found ${found(document)}`)],
      credentials: [],
    };
  }
  const { map: input, written } = spell(document, SITE_ALIASES);
  const { workflowSchedule, defaults, notifications } = input;
  const schedule = isMap(workflowSchedule)
    ? spell(workflowSchedule, SCHEDULE_ALIASES)
    : { map: workflowSchedule, written };
  const top = readKeys(TOP_KEYS, { ...input, workflowSchedule: schedule.map });
  const shared = readKeys(ALL_SHARED_KEYS, input);
  const common = readDefaults(defaults);
  const channels = readNotifications(notifications, ["notifications"]);
  const { page, problems: ofPage } = readPage(input);
  const { unknown, unused } = survey(document, KNOWN_TOP_KEYS, []);
  const { values: credentials, problems: exposed } = writtenCredentials(document);
  const problems = [
    ...unknown.map(misplacedKey),
    ...unknownPlaceholders(input["commitMessages"]),
    ...exposed,
    ...nearMissProblems(document, known),
    ...[...top.problems, ...shared.problems].map(({ path: [key, ...rest], ...fault }) =>
      key === "workflowSchedule"
        ? placed({ ...fault, path: rest }, [key], schedule.written)
        : placed({ ...fault, path: [key!, ...rest] }, [], written)
    ).map(withoutTimezone),
    ...common.problems,
    ...channels.problems,
    ...ofPage,
    ...foreignReferences({ defaults, notifications }, []),
  ];
  const list = readSites(input, {
    blank,
    shared: { ...shared.accepted, ...common.accepted },
    known,
    slugs,
  });
  problems.push(...list.problems, ...unusedProblems([...unused, ...list.unused]));
  if (list.sites === undefined) return { problems: withoutEchoes(problems), credentials };
  const planned = readMaintenance(input["maintenance"], {
    sites: list.sites,
    lacksSites: list.isPartial,
    timezone: top.problems.some(({ path: [key] }) => key === "timezone")
      ? undefined
      : top.values.timezone,
  });
  problems.push(...planned.problems);
  const config = {
    ...top.values,
    ...page,
    notifications: channels.notifications,
    sites: list.sites,
    maintenance: planned.windows,
  };
  return {
    config,
    problems: withoutEchoes([
      ...problems,
      ...deadlineProblems(config, input),
      ...scheduleProblems(config, schedule.written),
    ]),
    credentials,
  };
}

interface ReadSites {
  sites?: Site[];
  /** Whether some can't be read. */
  isPartial: boolean;
  problems: Problem[];
  unused: UnusedKey[];
}

function readSites(
  { sites: list }: Readonly<Record<string, unknown>>,
  { blank, shared, known, slugs }: Surroundings & { shared: Readonly<Record<string, unknown>> },
): ReadSites {
  const none = (message: string, path: Problem["path"]) => ({
    isPartial: true,
    problems: [error(path, message)],
    unused: [],
  });
  if (list === undefined && !blank.includes("sites")) {
    return none("sites: is missing, the list of what to monitor", []);
  }
  const items = list ?? [];
  const [key] = isMap(items) ? Object.keys(items) : [];
  if (key !== undefined) {
    const hint = startHint(key) ?? `start each site with a hyphen, such as "- name:"`;
    return none(`expected a list of sites, found the key "${plainText(key)}": ${hint}`, [
      "sites",
      key,
    ]);
  }
  if (!Array.isArray(items)) {
    return none(`expected a list of sites, found ${found(items)}`, ["sites"]);
  }
  const read = items.map((item, index) => readSite(item, index, { shared, known, slugs }));
  const placed = read.flatMap(({ site }, index): PlacedSite[] =>
    site === undefined ? [] : [{ site, index }]
  );
  const placeOf = (index: number) =>
    isMap(items[index]) && Object.hasOwn(items[index], "slug") ? "slug" : "name";
  const named = distinctSlugs(placed, placeOf);
  const dependent = readDependencies(items, {
    sites: new Map(named.sites.map((site, at) => [placed[at]!.index, site])),
    shared: shared["dependsOn"],
  });
  const problems = [
    ...read.flatMap((site) => site.problems),
    ...named.problems,
    ...dependent.problems,
  ];
  if (items.length === 0) {
    const message = "the list is empty: there is nothing to monitor";
    problems.push({ severity: "warning", path: ["sites"], message });
  }
  const isPartial = placed.length < items.length;
  return {
    sites: dependent.sites,
    isPartial,
    problems,
    unused: read.flatMap((site) => site.unused),
  };
}

/** Keys that count for every site; a wrong one is told and left out. */
function readDefaults(value: unknown): { accepted: Record<string, unknown>; problems: Problem[] } {
  if (value === undefined) return { accepted: {}, problems: [] };
  if (!isMap(value)) {
    const message = `expected a map of keys of sites, found ${found(value)}`;
    return { accepted: {}, problems: [error(["defaults"], message)] };
  }
  const { map, written } = spell(value, SITE_ALIASES);
  const { accepted, problems } = readKeys(DEFAULT_KEYS, map);
  return { accepted, problems: problems.map((one) => placed(one, ["defaults"], written)) };
}

/** Without its time zone a maintenance window is unknown, not gone. */
function withoutTimezone({ isIgnored, ...problem }: Problem): Problem {
  return isIgnored && problem.path[0] !== "timezone" ? { ...problem, isIgnored } : problem;
}

function placed(
  { path: [key, ...rest], ...fault }: KeyProblem,
  at: Problem["path"],
  written: (key: string | number) => string | number,
): Problem {
  const path = [...at, ...(key === undefined ? [] : [written(key)]), ...rest];
  return { severity: "error", path, ...fault };
}

/**
 * An attempt that the end of a run cuts off tells nothing: a site that hangs would never be down, and
 * one that was down never up.
 */
function deadlineProblems(
  { sites, runDeadline }: Config,
  input: Readonly<Record<string, unknown>>,
): Problem[] {
  const longest = (times: number[]) => Math.max(0, ...times);
  const limits = [{
    needed: longest(sites.map(({ requestTimeout }) => requestTimeout!)),
    what: "requestTimeout",
    outcome: "a site that hangs would never be found down",
  }, {
    needed: longest(
      sites.map(({ successThreshold, recheckDelay }) => (successThreshold - 1) * recheckDelay),
    ),
    what: "time that successThreshold and recheckDelay ask for",
    outcome: "a site that was down would never be found up",
  }];
  const path = Object.hasOwn(input, "runDeadline") ? ["runDeadline"] : [];
  return limits.filter(({ needed }) => needed >= runDeadline).map(({ needed, what, outcome }) => ({
    severity: "warning",
    path,
    message: `${path.length === 0 ? "runDeadline: " : ""}${
      runDeadline / 1000
    } s is no longer than the longest ${what} (${needed / 1000} s): ${outcome}`,
  }));
}

/** Shortest time between two runs of a schedule on GitHub, in minutes. */
const SHORTEST = 5;
const MONTHS = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });

/** Schedules that GitHub does not keep, or that run more rarely than anybody wants. */
function scheduleProblems(
  { workflowSchedule }: Config,
  written: (key: string | number) => string | number,
): Problem[] {
  return SCHEDULED_KEYS.flatMap((key) => {
    const times = scheduleTimes(workflowSchedule[key]);
    if (typeof times === "string") return [];
    const { shortest } = cadence(workflowSchedule[key]);
    const months = scheduledMonths(times);
    const interval = shortest === 1 ? "every minute" : `every ${shortest} minutes`;
    const fields = "the five fields are minute, hour, day of the month, month, day of the week";
    const message = months.length === 0
      ? `never runs: no month has such a day; ${fields}`
      : months.length === 1
      ? `runs in ${MONTHS.format(Date.UTC(2027, months[0]! - 1))} only: ${fields}`
      : shortest < SHORTEST
      ? `asks for a run ${interval}, but GitHub starts scheduled workflows no more often than every ${SHORTEST} minutes`
      : undefined;
    if (message === undefined) return [];
    return [{ severity: "warning", path: ["workflowSchedule", written(key)], message }];
  });
}

function error(path: Problem["path"], message: string): Problem {
  return { severity: "error", path, message };
}
