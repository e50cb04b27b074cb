import { isDeepStrictEqual } from "node:util";
import type { Site } from "../config/config.ts";
import { isMap } from "../config/document.ts";
import { parseConfig, type ParsedConfig } from "../config/parse.ts";
import type { RecordedSlugs } from "../config/slug.ts";
import { findKey } from "../config/yaml/positions.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import type { Problem } from "../io/problem.ts";
import { plainText } from "../text/plain_text.ts";
import { type Change, commentOut, type Removal } from "./comment_out.ts";

/** A text with what is left to change in it. */
interface Attempt {
  text: string;
  parsed: ParsedConfig;
}

/**
 * Comments out what `validate` would reject, each with the reason: the value, or, of a site without a good address, the
 * site. `complete` adds what a site needs instead. Errors that have no place stay.
 */
export async function withoutFaults(
  source: string,
  records: RecordedSlugs,
  complete: (text: string) => Promise<{ text: string; changes: readonly Change[] }>,
): Promise<{ text: string; changes: Change[] }> {
  const changes: Change[] = [];
  const attempt = async (text: string): Promise<Attempt> => ({
    text,
    parsed: await parseConfig(text, [], records),
  });
  let now = await attempt(source);
  for (let errors = listErrors(now); errors.length > 0; errors = listErrors(now)) {
    const { document } = await readYaml(now.text);
    const all = errors.map((error) => toRemoval(error, findBroken(error)));
    const next = await tryWithout(now, all, true) ?? await correct(errors[0]!, document);
    if (next === undefined) break;
    if (!("removals" in next)) {
      changes.push(...next.changes);
    } else {
      changes.push(...next.removals.map((removal) => toChange(removal, document)), ...next.changes);
    }
    now = next;
  }
  return { text: now.text, changes };

  /** The text without some parts, if that leaves fewer errors, and, if it is `strict`, all sites as they are read. */
  async function tryWithout(before: Attempt, removals: readonly Fault[], strict: boolean) {
    const without = await commentOut(before.text, removals);
    if (without === undefined) return undefined;
    const completed = strict ? { text: without, changes: [] } : await complete(without);
    const after = await attempt(completed.text);
    const isBetter = listErrors(after).length < listErrors(before).length;
    const isSame = isDeepStrictEqual(after.parsed.config?.sites, before.parsed.config?.sites);
    if (!isBetter || strict && !isSame) return undefined;
    return { ...after, removals, changes: completed.changes };
  }

  /** Corrects one error by the smallest change that helps. */
  async function correct(error: Problem, document: unknown) {
    const { path } = error;
    const inSite = path[0] === "sites" && path.length > 2;
    const parts = path.map((_, index) => path.slice(0, path.length - index))
      .filter((part) => part.length > (inSite ? 2 : path[0] === "sites" ? 1 : 0));
    const origin = ["type", "location"].map((key) => [...path.slice(0, 2), key])
      .filter((part) => inSite && findKey(now.text, part) !== undefined);
    const choices = [...parts.map((part) => [part]), ...origin.length === 0 ? [] : [origin]]
      .map((choice) => choice.map((part) => toRemoval(error, part)));
    for (const strict of [true, false]) {
      if (!strict) {
        const replaced = await replace(error, document);
        if (replaced !== undefined) return replaced;
      }
      for (const choice of choices) {
        const next = await tryWithout(now, choice, strict);
        if (next !== undefined) return next;
      }
    }
    return inSite ? await tryWithout(now, [toRemoval(error, path.slice(0, 2))], false) : undefined;
  }

  /** Writes the name or check that a site has in place of its own. */
  async function replace(error: Problem, document: unknown) {
    const { path } = error;
    const key = String(path[2]);
    if (path[0] !== "sites" || path.length !== 3 || !["name", "check"].includes(key)) return;
    const read = findSite(now.parsed.config?.sites ?? [], readEntry(document, path));
    const place = findKey(now.text, path) ?? findKey(now.text, [...path.slice(0, 2), "url"]);
    if (read === undefined || place === undefined) return undefined;
    const { text } = now;
    const line = `${key}: ${JSON.stringify(read[key as "name" | "check"])}`;
    const reason = place.isFlow ? "" : ` # ${formatReason(error)}`;
    const lead = text.slice(text.lastIndexOf("\n", place.start - 1) + 1, place.start);
    const isNew = findKey(text, path) === undefined;
    const rest = place.isFlow ? ", " : `\n${lead.replaceAll(/\S/g, " ")}`;
    const replaced = await attempt(
      text.slice(0, place.start) + line + reason +
        (isNew ? rest + text.slice(place.start) : text.slice(place.end)),
    );
    if (listErrors(replaced).length >= listErrors(now).length) return undefined;
    const change: Change = {
      ...toSiteName(readEntry(document, path)),
      describe: (of) => `${line}${of} is new: ${formatReason(error)}`,
    };
    return { ...replaced, changes: [change] };
  }
}

interface Fault extends Removal {
  message: string;
}

function listErrors({ parsed: { problems } }: Attempt): Problem[] {
  return problems.filter(({ severity, path }) => severity === "error" && path.length > 0);
}

/** The path to comment out: that of the value, or of the whole site if its address can't be used. */
function findBroken({ path }: Problem): Problem["path"] {
  return path[0] === "sites" && path[2] === "url" ? path.slice(0, 2) : path;
}

function toRemoval(error: Problem, path: Problem["path"]): Fault {
  const message = formatReason(error);
  return { path, message, note: `Switched off, because it can't be used: ${message}` };
}

/** Formats an error so that it makes sense without its path. */
function formatReason({ path, message }: Problem): string {
  return plainText(message.startsWith("is ") ? `${path.at(-1)} ${message}` : message);
}

function readEntry(document: unknown, [, index]: Problem["path"]): Record<string, unknown> {
  const sites = isMap(document) && Array.isArray(document["sites"]) ? document["sites"] : [];
  const site = sites[Number(index)];
  return isMap(site) ? site : {};
}

/** The site that an entry is read as. */
function findSite(
  sites: readonly Site[],
  { name, url }: Record<string, unknown>,
): Site | undefined {
  const own = sites.filter((site) => site.url === String(url).trim());
  return own.find((site) => site.name === plainText(String(name))) ?? own[0];
}

function toSiteName({ name, url }: Record<string, unknown>): { site: string } {
  return { site: JSON.stringify(String(name ?? url ?? "")) };
}

function toChange({ path, message }: Fault, document: unknown): Change {
  const isOfSite = path[0] === "sites" && path.length > 1;
  const key = path.slice(isOfSite ? 2 : 0).join(".") || "the entry";
  return {
    ...isOfSite ? toSiteName(readEntry(document, path)) : {},
    describe: (of) => `${key}${of} is commented out, because it can't be used: ${message}`,
  };
}
