import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { ALL_CHANNELS } from "./channels/read_notifications.ts";
import { isMap } from "./document.ts";
import { isSingleGroup } from "./groups.ts";
import { KNOWN_SITE_KEYS, KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { findEntries, findItem, unwrapped } from "./keys/read_keys.ts";
import type { Texts } from "../text/messages.ts";
import { nearest } from "../text/nearest.ts";
import { CHANNEL_TYPES, NOTIFICATION } from "./channels/keys.ts";
import { isKeyOfOthers } from "./channels/kinds.ts";
import { findMeantKey, findOtherWord } from "./keys/words.ts";
import type { NoEffect } from "./keys/values.ts";
import { STRAY_SITE } from "./read_sites.ts";
import { PAGES_KEYS, WEBSITE_KEYS } from "./page/page_keys.ts";

/** Reports every key of a document that has no effect, whatever its value; `texts` are those that `i18n` can have. */
export function surveyKeys(
  document: Readonly<Record<string, unknown>>,
  texts: Texts,
): Problem[] {
  const unknown: Problem[] = [];
  const unused: Problem[] = [];
  /** Names of keys of other programs that are reported: the first of each is. */
  const noticed = new Set<string>();
  const visit = (value: unknown, schema: v.GenericSchema, path: Problem["path"]): void => {
    const item = findItem(schema);
    if (item !== undefined) {
      if (Array.isArray(value)) value.forEach((one, index) => visit(one, item, [...path, index]));
      else if (path.length > 1 || isSingleItem(path[0]!, value)) visit(value, item, path);
    }
    const entries = findEntries(schema);
    if (!isMap(value) || entries === undefined) return;
    for (const [key, own] of Object.entries(value)) {
      // Keys that start with x- are there for their anchor.
      if (key.startsWith("x-")) continue;
      const at = [...path, key];
      if (!Object.hasOwn(entries, key)) {
        unknown.push(unknownKey(at, listKnown(entries, value), texts));
        continue;
      }
      const inner = unwrapped(entries[key]!);
      const { severity } = v.getMetadata(inner) as Partial<NoEffect>;
      if (severity === undefined) visit(own, inner, at);
      else if (own !== false && !(Array.isArray(own) && own.length === 0)) {
        const name = at.slice(at.findLastIndex((part) => typeof part === "number") + 1).join(".");
        const message = `has no effect: ${v.getDescription(inner) ?? ""}`;
        if (severity === "warning" || !noticed.has(name)) {
          unused.push({ severity, path: at, message });
        }
        noticed.add(name);
      }
    }
  };
  visit(document, v.object(KNOWN_TOP_KEYS), []);
  return [...unknown, ...unused];
}

/** False for a map of sites or groups by their names in place of a list. */
function isSingleItem(list: string | number, value: unknown): boolean {
  return list !== "sites" && (list !== "groups" || isSingleGroup(value));
}

/** The known keys of a map; of a channel only those of its type. */
function listKnown(entries: v.ObjectEntries, map: Readonly<Record<string, unknown>>): string[] {
  const type = CHANNEL_TYPES.find((one) => one === map["type"]);
  const known = Object.keys(entries);
  return entries !== NOTIFICATION.entries || type === undefined
    ? known
    : known.filter((key) => !isKeyOfOthers(key, type));
}

/**
 * Joins the report of a missing key with that of an unknown key of the same map that means it: one mistake is one
 * problem.
 */
export function joinMissing(survey: readonly Problem[], others: readonly Problem[]): Problem[] {
  const left = new Set(survey);
  const stray = others.find(({ message }) => message === STRAY_SITE);
  // Sites below another list are wrong items of that.
  const isOfStray = ({ path: [list, index] }: Problem) =>
    list === stray?.path[0] && Number(index) >= Number(stray?.path[1]);
  const joined = others.filter((one) => one === stray || !isOfStray(one)).map(
    (problem): Problem => {
      const [, sites, rest = ""] = /^(sites: )?is missing(?:: (.*)|,.*)?$/.exec(problem.message) ??
        [];
      const path = sites === undefined ? problem.path : ["sites"];
      const isMissing = sites !== undefined || problem.message.startsWith("is missing");
      const meant = `did you mean "${path.at(-1)}"?`;
      const unknown = !isMissing
        ? undefined
        : [...left].find((one) =>
          one.path.length === path.length && one.message.endsWith(meant) &&
          one.path.every((key, index) => index === path.length - 1 || key === path[index])
        );
      if (unknown === undefined) return problem;
      left.delete(unknown);
      const note = rest.startsWith("the site is named") ? ` ${rest.replace(/^t/, "T")}` : "";
      return { ...problem, path: unknown.path, message: unknown.message + note };
    },
  );
  return [...left, ...joined];
}

type Place = readonly [keys: Readonly<Record<string, unknown>>, cure: string];

const OF_GROUP: Place = [KNOWN_SITE_KEYS, "it belongs to each site of the group"];

/** Keys by the place they belong to, the likeliest first. */
const PLACES: readonly Place[] = [
  [WEBSITE_KEYS, "move it under status-website"],
  [findEntries(unwrapped(KNOWN_TOP_KEYS.workflowSchedule))!, "move it under workflowSchedule"],
  [PAGES_KEYS, "move it under pages"],
  [KNOWN_TOP_KEYS, "move it to the top level"],
  [KNOWN_SITE_KEYS, 'it belongs to a site: indent it below the "- name:" of its site'],
];

const OF_TEXTS = "move it under i18n";

/** Keys without a usable default: a misspelled one is not ignored. */
const PARTS = ["sites", "defaults", "notifications", "maintenance"];

/**
 * Warns of an unknown key, with the place that it belongs to or the key that it probably means. A key of the top
 * level that is one edit away is an error, and so is a wrong `notifications`: nobody is notified without it.
 */
function unknownKey(path: Problem["path"], known: readonly string[], texts: Texts): Problem {
  const key = String(path.at(-1));
  const isOfSite = path[0] === "sites" && path.length === 3;
  const isOfGroup = path[0] === "groups";
  const word = findOtherWord(key, known);
  const places = isOfGroup
    ? [OF_GROUP]
    : path.length === 2
    ? [...PLACES, [texts, OF_TEXTS] as const]
    : PLACES;
  const home = word === undefined && (path.length < 3 || isOfSite || isOfGroup)
    ? places.find(([keys]) => Object.hasOwn(keys, key))
    : undefined;
  const ofPage = path.length > 1 || word !== undefined
    ? undefined
    : findOtherWord(key, Object.keys(WEBSITE_KEYS));
  const message = ofPage !== undefined && home === undefined
    ? `unknown key, did you mean "${ofPage}" under status-website?`
    : home === undefined
    ? describeUnknown(findMeantKey(key, known))
    : `has no effect here: ${home[1]}`;
  const meant = home === undefined ? nearest(key, known, 1) : undefined;
  if ([key, meant, word].includes("notifications")) {
    return { severity: "error", path, message, channel: ALL_CHANNELS };
  }
  if (meant === undefined || path.length > 1) return { severity: "warning", path, message };
  const isIgnored = PARTS.includes(meant) ? undefined : true;
  return { severity: "error", path, message, isIgnored };
}

/** Message of a key that belongs to no known place. */
export const UNKNOWN_KEY = /^unknown key,/;

function describeUnknown(meant: string | undefined): string {
  return `unknown key, ${meant === undefined ? "it has no effect" : `did you mean "${meant}"?`}`;
}
