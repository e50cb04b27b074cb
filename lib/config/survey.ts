import * as v from "valibot";
import type { Problem } from "../io/problem.ts";
import { ALL_CHANNELS } from "./channels/read_notifications.ts";
import { isMap } from "./document.ts";
import { KNOWN_SITE_KEYS, KNOWN_TOP_KEYS } from "./keys/key_tables.ts";
import { findEntries, findItem, unwrapped } from "./keys/read_keys.ts";
import { nearest, nearHint } from "../text/nearest.ts";
import type { NoEffect } from "./keys/values.ts";
import { PAGES_KEYS, WEBSITE_KEYS } from "./page/page_keys.ts";

/** Reports every key of a document that has no effect, whatever its value. */
export function surveyKeys(document: Readonly<Record<string, unknown>>): Problem[] {
  const unknown: Problem[] = [];
  // Of keys of other programs the first of each name is reported.
  const unused = new Map<string, Problem>();
  const visit = (value: unknown, schema: v.GenericSchema, path: Problem["path"]): void => {
    const item = findItem(schema);
    if (item !== undefined) {
      if (Array.isArray(value)) value.forEach((one, index) => visit(one, item, [...path, index]));
      else if (path[0] !== "sites" || path.length > 1) visit(value, item, path);
    }
    const entries = findEntries(schema);
    if (!isMap(value) || entries === undefined) return;
    for (const [key, own] of Object.entries(value)) {
      // Keys that start with x- are there for their anchor.
      if (key.startsWith("x-")) continue;
      const at = [...path, key];
      if (!Object.hasOwn(entries, key)) {
        unknown.push(unknownKey(at, Object.keys(entries)));
        continue;
      }
      const inner = unwrapped(entries[key]!);
      const { severity } = v.getMetadata(inner) as Partial<NoEffect>;
      if (severity === undefined) visit(own, inner, at);
      else if (own !== false && !(Array.isArray(own) && own.length === 0)) {
        const name = at.slice(at.findLastIndex((part) => typeof part === "number") + 1).join(".");
        const message = `has no effect: ${v.getDescription(inner) ?? ""}`;
        if (!unused.has(name)) unused.set(name, { severity, path: at, message });
      }
    }
  };
  visit(document, v.object(KNOWN_TOP_KEYS), []);
  return [...unknown, ...unused.values()];
}

/** Keys by the place they belong to, the likeliest first. */
const PLACES: readonly [keys: v.ObjectEntries, cure: string][] = [
  [WEBSITE_KEYS, "move it under status-website"],
  [PAGES_KEYS, "move it under pages"],
  [KNOWN_TOP_KEYS, "move it to the top level"],
  [KNOWN_SITE_KEYS, 'it belongs to a site: indent it below the "- name:" of its site'],
];

/** Keys without a usable default: a misspelled one is not ignored. */
const PARTS = ["sites", "defaults", "notifications", "maintenance"];

/**
 * Warns of an unknown key, with the place that it belongs to or the key that it probably means. A key of the top
 * level that is one edit away is an error, and so is a wrong `notifications`: nobody is notified without it.
 */
function unknownKey(path: Problem["path"], known: readonly string[]): Problem {
  const key = String(path.at(-1));
  const isOfSite = path[0] === "sites" && path.length === 3;
  const home = path.length < 3 || isOfSite
    ? PLACES.find(([keys]) => Object.hasOwn(keys, key))
    : undefined;
  const message = home === undefined
    ? `unknown key${nearHint(key, known) || ", it has no effect"}`
    : `has no effect here: ${home[1]}`;
  const meant = home === undefined ? nearest(key, known, 1) : undefined;
  if (key === "notifications" || meant === "notifications") {
    return { severity: "error", path, message, channel: ALL_CHANNELS };
  }
  if (meant === undefined || path.length > 1) return { severity: "warning", path, message };
  const isIgnored = PARTS.includes(meant) ? undefined : true;
  return { severity: "error", path, message, isIgnored };
}
