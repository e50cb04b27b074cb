import { LONGEST_WINDOW } from "../../config/read_maintenance.ts";
import { parseMoment } from "../../config/keys/times.ts";
import type { Issue } from "../../github/github.ts";
import type { Expected, PlannedWindow } from "../../history/maintenance.ts";
import { type Line, takeApart } from "../../text/hidden_part.ts";
import { nearest } from "../../text/nearest.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { describeDuration, utcMinute } from "../../time.ts";
import { MAINTENANCE_FORM, readForm } from "../issue_forms.ts";
import { cutToLabel } from "../issue_labels.ts";
import { type FoundSites, type NamedSite, splitSites, whyUnknown } from "../named_sites.ts";

export const MAINTENANCE_LABEL = "maintenance";

/** True for the label of announcements; GitHub ignores case in labels. */
export function isMaintenanceLabel(label: string): boolean {
  return label.toLowerCase() === MAINTENANCE_LABEL;
}

export interface AnnouncementContext {
  sites: readonly NamedSite[];
  /** True if there may be sites that are not among these, as part of the configuration can't be read. */
  lacksSites?: boolean;
  /** True if the repository may have other monitored folders, which an unknown site may belong to. */
  isPart?: boolean;
  timezone: string;
}

/**
 * Reads the maintenance window that an issue announces in the first HTML comment of its text, as Upptime's do, or by
 * our form.
 * `window` is absent if its times are not readable, or if it is about sites of another folder (`isElsewhere`).
 * `problems` are mistakes for its author, each with line and cure.
 */
export function announced(
  { number, title, body, labels }: Pick<Issue, "number" | "title" | "body" | "labels">,
  { sites, lacksSites = false, isPart = false, timezone }: AnnouncementContext,
): { window?: PlannedWindow; isElsewhere?: true; problems: string[] } {
  const failure = `Cannot tell when the maintenance of issue #${number} is`;
  const parts = readParts(body);
  if (parts === undefined) {
    const lines = `<!--, start: ${EXAMPLE.start}, end: ${EXAMPLE.end} and -->`;
    const cure = `its text has no HTML comment; begin it with four lines: ${lines}`;
    return { problems: [`${failure}: ${cure}`] };
  }
  const { values, unknown: unknownKeys, line, isEnded, shown } = parts;
  const { times, problems: faults } = readTimes(values, line, timezone);
  const problems = [
    ...isEnded ? [] : [
      `Cannot see where the comment ends that begins in line ${line} of issue #${number}; write --> after it, because nothing that follows is shown`,
    ],
    ...faults.map((fault) => `${failure}: ${fault}`),
    ...unknownKeys.map(({ line, word, key }) =>
      `Cannot use line ${line} of issue #${number}: "${word}" is no key, write ${key}:`
    ),
  ];
  if (times === undefined) return { problems };
  const [down, degraded] = (["expectedDown", "expectedDegraded"] as const).map((key) => {
    const { text = "", line } = values.get(key) ?? {};
    const named = splitSites(text, sites);
    if (named.unknown.length > 0 && !lacksSites && !isPart) {
      problems.push(
        whyUnknown(named.unknown, sites, `issue #${number} names in line ${line}, ${key}`),
      );
    }
    return named;
  }) as [FoundSites, FoundSites];
  const labeled = new Set(labels.map((label) => label.toLowerCase()));
  const expected = sites.flatMap(({ slug }): [string, Expected][] => {
    if (down.slugs.has(slug)) return [[slug, "down"]];
    if (degraded.slugs.has(slug)) return [[slug, "degraded"]];
    // Nothing is expected of a site that is only a label of the issue. A site may be called like our label.
    const isNamed = !isMaintenanceLabel(slug) && labeled.has(cutToLabel(slug).toLowerCase());
    return isNamed ? [[slug, "none"]] : [];
  });
  const isForOthers = down.unknown.length + degraded.unknown.length > 0 || labeled.size > 1;
  if (isPart && !lacksSites && expected.length === 0 && isForOthers) {
    return { isElsewhere: true, problems };
  }
  const name = plainText(title.toWellFormed()) || "Maintenance";
  const window = { source: "issue" as const, name, ...times, issue: number, text: shown };
  return { window: { ...window, sites: new Map(expected) }, problems };
}

interface Parts {
  values: Values;
  unknown: { line: number; word: string; key: string }[];
  /** Of the values' start. */
  line: number;
  isEnded: boolean;
  shown: string;
}

/** Takes the text of an issue apart; `undefined` if it has neither our form nor an HTML comment. */
function readParts(body: string): Parts | undefined {
  const form = readForm(body, MAINTENANCE_FORM);
  if (form !== undefined) {
    const { shown } = takeApart(form.text.text);
    const values = new Map(KEYS.map((key) => [key, form[key]]));
    return { values, unknown: [], line: 1, isEnded: true, shown };
  }
  const { hidden, shown } = takeApart(body);
  if (hidden === undefined) return undefined;
  return { ...readKeys(hidden.lines), line: hidden.line, isEnded: hidden.isEnded, shown };
}

/** Keys of an announcement in Upptime's spelling. */
const KEYS = ["start", "end", "expectedDown", "expectedDegraded"] as const;
type Key = typeof KEYS[number];
type Values = ReadonlyMap<Key, { text: string; line: number }>;

/** A key and its value; the full-width colon is typed on Chinese and Japanese keyboards. */
const LINE = /^([^:：]{1,40})[:：](.*)$/s;

/** Reads the keys of an announcement, in any capitals, and finds misspelled ones; of a key that comes twice the last counts. */
function readKeys(
  lines: readonly Line[],
): { values: Values; unknown: { line: number; word: string; key: string }[] } {
  const values = new Map<Key, { text: string; line: number }>();
  const unknown: { line: number; word: string; key: string }[] = [];
  for (const { number: line, text } of lines) {
    const [, name = "", value = ""] = LINE.exec(text) ?? [];
    // Signs of lists and of bold type around a key are no part of it.
    const word = plainText(name.replaceAll(/[\s*_~`>"'-]/g, ""));
    const key = KEYS.find((one) => one.toLowerCase() === word.toLowerCase());
    if (key !== undefined) {
      values.set(key, { line, text: value.trim().replaceAll(/^["'`]|["'`]$/g, "") });
      continue;
    }
    if (word === "" || unknown.length === KEYS.length) continue;
    const meant = nearest(word, KEYS);
    if (meant !== undefined) unknown.push({ line, word, key: meant });
  }
  return { values, unknown };
}

const EXAMPLE = { start: "2026-11-21T10:00:00Z", end: "2026-11-21T12:00:00Z" };
/** Longest quoted value, in characters. */
const LONGEST_QUOTE = 60;

/** Reads start and end of a window, or explains why that fails. `line` is that of the comment with the keys. */
function readTimes(
  values: Values,
  line: number,
  timezone: string,
): { times?: Pick<PlannedWindow, "start" | "until">; problems: string[] } {
  const problems: string[] = [];
  const [start, until] = (["start", "end"] as const).map((key) => {
    const value = values.get(key);
    const moment = parseMoment(value?.text ?? "", timezone);
    const example = EXAMPLE[key];
    if (value === undefined) {
      const place = `its first HTML comment, in line ${line}, has no ${key}`;
      problems.push(`${place}; add a line "${key}: ${example}" to it`);
    } else if (moment === undefined) {
      const found = shorten(plainText(value.text), LONGEST_QUOTE);
      const local = example.slice(0, 16).replace("T", " ");
      const cure = `write a time as ${example}, or as ${local} in the time zone ${timezone}`;
      problems.push(`line ${value.line}, ${key}, is "${found}"; ${cure}`);
    }
    return moment;
  });
  if (start === undefined || until === undefined) return { problems };
  const [from, to] = [values.get("start")!, values.get("end")!];
  const length = until.epochMilliseconds - start.epochMilliseconds;
  if (length <= 0) {
    const [end, begin] = [until, start].map((moment) => `${utcMinute(moment)} UTC`);
    const place = `line ${to.line}, end, is ${end}, which is not after start`;
    return { problems: [`${place}, ${begin} in line ${from.line}; write a later end`] };
  }
  if (length > LONGEST_WINDOW) {
    const longest = describeDuration(LONGEST_WINDOW);
    const place = `line ${to.line}, end, is more than ${longest} after start in line ${from.line}`;
    const cure = "write an earlier end, or set paused: true for sites that are not to be checked";
    return { problems: [`${place}; ${cure}`] };
  }
  return { times: { start, until }, problems };
}
