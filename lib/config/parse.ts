import type { Config } from "./config.ts";
import { keptSlugs, NO_RECORDS, type RecordedSlugs } from "./slug.ts";
import type { Problem } from "../io/problem.ts";
import { DOUBTFUL } from "./yaml/mistakes.ts";
import { decodeYaml, readYaml, withNamesAsWritten } from "./yaml/read_yaml.ts";
import type { Notification } from "./channels/keys.ts";
import { readNotifications } from "./channels/read_notifications.ts";
import { isMap } from "./document.ts";
import { readGroups } from "./groups.ts";
import { ALL_SHARED_KEYS, DEFAULT_KEYS } from "./keys/key_tables.ts";
import { ANY_QUORUM } from "./keys/location_keys.ts";
import { rewriteCase } from "./keys/letter_case.ts";
import { readKeys, readPart } from "./keys/read_keys.ts";
import { TOP_KEYS } from "./keys/top_keys.ts";
import { found } from "./keys/values.ts";
import { findLegProblems } from "./legs.ts";
import { findUnknownDefaults, markUnused, readLocations } from "./locations.ts";
import { findUnquotedColors, readPage, type TextReader } from "./page/read_page.ts";
import { readMaintenance } from "./read_maintenance.ts";
import { hideInDoubt } from "./read_site.ts";
import { readSites } from "./read_sites.ts";
import {
  nearMissProblems,
  smallReferences,
  unknownPlaceholders,
  writtenCredentials,
  wrongReferences,
} from "./references.ts";
import { cadence } from "./schedule.ts";
import { joinMissing, surveyKeys, UNKNOWN_KEY } from "./survey.ts";
import { rewriteSpellings } from "./upptime/spellings.ts";
import { isHosted, SCHEDULED_KEYS } from "./workflows.ts";
import { formatCommand } from "../text/invocation.ts";

/** A configuration as far as it can be used. */
export interface ParsedConfig {
  /** Absent if nothing of the text can be used. */
  config?: Config;
  problems: Problem[];
  /** Credentials that are written out in it, which must be redacted. */
  credentials: readonly string[];
}

/**
 * Reads a configuration. Every problem is reported with line and column; wrong values are ignored, and the
 * rest is used. `known` are the names of the secrets that have a value, `records` the slugs used so far.
 */
export async function parseConfig(
  text: string,
  known: readonly string[] = [],
  records: RecordedSlugs = NO_RECORDS,
): Promise<ParsedConfig> {
  const { document, problem } = await readYaml(text);
  if (problem !== undefined) return { problems: [problem], credentials: [] };
  const named = withNamesAsWritten(document, text);
  const slugs = await keptSlugs(named, records);
  // Loaded only if there are own texts, or what may be some in a wrong place: ours are many.
  const loadTexts = () => import("./page/read_texts.ts");
  const texts = /i18n/i.test(text) ? await loadTexts() : undefined;
  let read = readDocument(named, { known, slugs, texts });
  if (texts === undefined && read.problems.some(({ message }) => UNKNOWN_KEY.test(message))) {
    read = readDocument(named, { known, slugs, texts: await loadTexts() });
  }
  read.problems.push(...findUnquotedColors(text));
  if (read.problems.length === 0 && !DOUBTFUL.test(text)) return read;
  // Loaded only if there is a problem.
  const { locate } = await import("./yaml/positions.ts");
  const problems = locate(read.problems, text)
    .sort((a, b) => a.line! - b.line! || a.column! - b.column!);
  return { ...read, problems };
}

export async function parseContent(
  content: Uint8Array,
  known: readonly string[] = [],
  records: RecordedSlugs = NO_RECORDS,
): Promise<ParsedConfig> {
  const decoded = decodeYaml(content);
  if ("problem" in decoded) return { problems: [decoded.problem], credentials: [] };
  return await parseConfig(decoded.text, known, records);
}

function emptyNote(): string {
  const init = formatCommand("init");
  return `the configuration is empty: write "sites: [{ name: Website, url: https://example.com }]" with your own site, or delete the file and run "${init}"`;
}

/**
 * Reads a parsed document. `known` are the names of the secrets that have a value; `slugs` are the slugs of
 * sites by their names, other than those that are made from the names.
 */
function readDocument(
  source: unknown,
  { known, slugs, texts }: {
    known: readonly string[];
    slugs: ReadonlyMap<string, string>;
    texts: TextReader | undefined;
  },
): { config?: Config; problems: Problem[]; credentials: string[] } {
  const cased = rewriteCase(source);
  const { document, written } = rewriteSpellings(cased.document);
  if (!isMap(document)) {
    const message = document === undefined || document === null
      ? emptyNote()
      : `expected a map with sites:, found ${found(document)}`;
    return { problems: [{ severity: "error", path: [], message }], credentials: [] };
  }
  const top = readKeys(TOP_KEYS, document);
  const shared = readKeys({ ...ALL_SHARED_KEYS, ...ANY_QUORUM }, document);
  const defaults = readPart("defaults", { ...DEFAULT_KEYS, ...ANY_QUORUM }, document["defaults"]);
  const page = readPage(document, { language: top.values.language, texts });
  const credentials = writtenCredentials(document);
  const places = readLocations(document["locations"]);
  const sharedKeys = { ...defaults.accepted, ...hideInDoubt(defaults.problems) };
  const list = readSites(document, {
    shared: { ...pickTimezone(top.accepted), ...shared.accepted, ...sharedKeys },
    known,
    slugs,
    locations: places.locations,
    lacksLocations: places.isPartial,
    isHosted: isHosted(top.values.runner.uptime),
  });
  // A site in error may name any of them.
  const used = list.sites === undefined || list.isPartial || places.isPartial
    ? { locations: places.locations, problems: [] }
    : markUnused(places.locations, list.sites);
  const channels = readNotifications(document["notifications"], ["notifications"], {
    sites: list.sites ?? [],
    lacksSites: list.isPartial,
  });
  const { groups, problems: ofGroups } = readGroups(document["groups"], {
    sites: list.sites ?? [],
    lacksSites: list.isPartial,
  });
  const external = new Set(groups.flatMap(({ name, isExternal }) => isExternal ? [name] : []));
  const lacksTimezone = top.problems.some(({ path: [key] }) => key === "timezone");
  const maintenance = readMaintenance(document["maintenance"], {
    sites: list.sites ?? [],
    lacksSites: list.isPartial,
    timezone: lacksTimezone ? undefined : top.values.timezone,
  });
  const config = list.sites === undefined ? undefined : {
    ...top.values,
    ...page.page,
    announce: top.values.announce && top.values.issues,
    notifications: lacksTimezone
      ? channels.notifications.map(withoutUnknownHours)
      : channels.notifications,
    sites: list.sites.map((site) => ({
      ...site,
      isExternal: external.has(site.group),
      notifications: lacksTimezone
        ? site.notifications.map(withoutUnknownHours)
        : site.notifications,
    })),
    groups,
    locations: used.locations,
    maintenance: maintenance.windows,
  };
  const problems = joinMissing(surveyKeys(document, texts?.TEXTS ?? {}), [
    ...unknownPlaceholders(document["commitMessages"]),
    ...credentials.problems,
    ...nearMissProblems(document, known),
    ...smallReferences(document, known),
    ...wrongReferences(document),
    ...[...top.problems, ...shared.problems]
      .map((fault): Problem => ({ severity: "error", ...fault })),
    ...defaults.problems,
    ...channels.problems,
    ...page.problems,
    ...places.problems,
    ...ofGroups,
    ...findUnknownDefaults([defaults.accepted["locations"] ?? []].flat(), places),
    ...used.problems,
    ...findLegProblems({ ...top.values, ...used, sites: list.sites ?? [] }),
    ...list.problems,
    ...config === undefined ? [] : [
      ...maintenance.problems,
      ...announceProblems(top.values),
      ...deadlineProblems(config),
      ...scheduleProblems(config),
    ],
  ]);
  return {
    config,
    problems: [
      ...cased.problems,
      ...problems.map((one) => ({ ...one, path: cased.written(written(one.path)) })),
    ],
    credentials: credentials.values,
  };
}

/** The time zone of the top level, which applies to schedules of heartbeats. */
function pickTimezone({ timezone }: Readonly<Record<string, unknown>>) {
  return timezone === undefined ? {} : { timezone };
}

/** A channel without quiet hours that would be in the time zone of the top level, which can't be read. */
function withoutUnknownHours({ quiet, ...rest }: Notification): Notification {
  return quiet?.timezone === undefined ? rest : { ...rest, quiet };
}

/** Warns of a way to announce incidents that nobody would see. */
function announceProblems({ announce, issues }: Pick<Config, "announce" | "issues">): Problem[] {
  if (!announce || issues) return [];
  const message = "has no effect with issues: false, which keeps incidents in files only";
  return [{ severity: "warning", path: ["announce"], message }];
}

/** Warns of a deadline that cuts off attempts. */
function deadlineProblems({ sites, runDeadline }: Config): Problem[] {
  const longest = Math.max(0, ...sites.map(({ requestTimeout }) => requestTimeout));
  if (longest < runDeadline) return [];
  const message =
    `${runDeadline / 1000} s is no longer than the longest requestTimeout (${longest / 1000} s): ` +
    "a site that hangs would never be found down";
  return [{ severity: "warning", path: ["runDeadline"], message }];
}

/** Shortest time between two runs of a schedule on GitHub, in minutes. */
const SHORTEST = 5;

/** Warns of schedules that GitHub does not keep. */
function scheduleProblems({ workflowSchedule }: Config): Problem[] {
  return SCHEDULED_KEYS.flatMap((key): Problem[] => {
    const { shortest, words } = cadence(workflowSchedule[key]);
    if (shortest >= SHORTEST && words !== "never") return [];
    const message = words === "never"
      ? "never runs: the five fields are minute, hour, day of the month, month, day of the week"
      : `runs ${shortest} min apart, but GitHub starts scheduled workflows no more often than every ${SHORTEST} minutes`;
    return [{ severity: "warning", path: ["workflowSchedule", key], message }];
  });
}
