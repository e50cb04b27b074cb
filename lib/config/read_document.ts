import type { Problem } from "../io/problem.ts";
import { readNotifications } from "./channels/read_notifications.ts";
import type { Config } from "./config.ts";
import { isMap } from "./document.ts";
import { ALL_SHARED_KEYS, DEFAULT_KEYS } from "./keys/key_tables.ts";
import { readKeys } from "./keys/read_keys.ts";
import { TOP_KEYS } from "./keys/top_keys.ts";
import { found, type KeyProblem } from "./keys/values.ts";
import { readPage } from "./page/read_page.ts";
import { readMaintenance } from "./read_maintenance.ts";
import { readSites } from "./read_sites.ts";
import {
  nearMissProblems,
  unknownPlaceholders,
  writtenCredentials,
  wrongReferences,
} from "./references.ts";
import { cadence, scheduledMonths, scheduleTimes } from "./schedule.ts";
import { surveyKeys, withoutEchoes } from "./survey.ts";
import { rewriteSpellings } from "./upptime/spellings.ts";
import { SCHEDULED_KEYS } from "./workflows.ts";

/** A configuration as far as it can be used, and the problems of the rest. */
interface ReadDocument {
  config?: Config;
  problems: Problem[];
  /** Credentials that are written out in it, which must be redacted. */
  credentials: string[];
}

/** Facts about the document that decide how it is read. */
interface Surroundings {
  /** Top-level keys without a value. */
  blank: readonly string[];
  /** Names of the secrets that have a value. */
  known: readonly string[];
  /** Slugs of sites by their names, other than those that are made from the names. */
  slugs: ReadonlyMap<string, string>;
}

/** Reads a parsed document. */
export function readDocument(
  source: unknown,
  { blank, known, slugs }: Surroundings,
): ReadDocument {
  const { document, written } = rewriteSpellings(source);
  if (!isMap(document)) {
    const message = `expected a map with sites:, found ${found(document)}`;
    return { problems: [{ severity: "error", path: [], message }], credentials: [] };
  }
  const top = readKeys(TOP_KEYS, document);
  const shared = readKeys(ALL_SHARED_KEYS, document);
  const defaults = readDefaults(document["defaults"]);
  const channels = readNotifications(document["notifications"], ["notifications"]);
  const page = readPage(document);
  const credentials = writtenCredentials(document);
  const list = readSites(document["sites"], {
    isBlank: blank.includes("sites"),
    shared: { ...shared.accepted, ...defaults.accepted },
    known,
    slugs,
  });
  const lacksTimezone = top.problems.some(({ path: [key] }) => key === "timezone");
  const maintenance = readMaintenance(document["maintenance"], {
    sites: list.sites ?? [],
    lacksSites: list.isPartial,
    timezone: lacksTimezone ? undefined : top.values.timezone,
  });
  const config = list.sites === undefined ? undefined : {
    ...top.values,
    ...page.page,
    notifications: channels.notifications,
    sites: list.sites,
    maintenance: maintenance.windows,
  };
  const problems = [
    ...surveyKeys(document),
    ...unknownPlaceholders(document["commitMessages"]),
    ...credentials.problems,
    ...nearMissProblems(document, known),
    ...wrongReferences(document),
    ...[...top.problems, ...shared.problems].map((fault) => withoutTimezone(placed(fault, []))),
    ...defaults.problems,
    ...channels.problems,
    ...page.problems,
    ...list.problems,
    ...config === undefined ? [] : [
      ...maintenance.problems,
      ...deadlineProblems(config, document),
      ...scheduleProblems(config),
    ],
  ];
  return {
    config,
    problems: withoutEchoes(problems).map((one) => ({ ...one, path: written(one.path) })),
    credentials: credentials.values,
  };
}

/** Reads keys that apply to every site; a wrong one is reported and ignored. */
function readDefaults(value: unknown): { accepted: Record<string, unknown>; problems: Problem[] } {
  if (value === undefined) return { accepted: {}, problems: [] };
  if (!isMap(value)) {
    const message = `expected a map of keys of sites, found ${found(value)}`;
    return { accepted: {}, problems: [{ severity: "error", path: ["defaults"], message }] };
  }
  const { accepted, problems } = readKeys(DEFAULT_KEYS, value);
  return { accepted, problems: problems.map((fault) => placed(fault, ["defaults"])) };
}

/** Without its time zone a maintenance window is unknown, not gone. */
function withoutTimezone({ isIgnored, ...problem }: Problem): Problem {
  return isIgnored && problem.path[0] !== "timezone" ? { ...problem, isIgnored } : problem;
}

function placed({ path, ...fault }: KeyProblem, at: Problem["path"]): Problem {
  return { severity: "error", path: [...at, ...path], ...fault };
}

/** Warns of a deadline that cuts off attempts: a site that hangs would never be found down. */
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

/** Warns of schedules that GitHub does not keep, or that run in one month at most. */
function scheduleProblems({ workflowSchedule }: Config): Problem[] {
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
    return [{ severity: "warning", path: ["workflowSchedule", key], message }];
  });
}
