import type { Problem } from "../../io/problem.ts";
import { isMap, listTexts } from "../document.ts";
import { readPart } from "../keys/read_keys.ts";
import { canonicalLanguage } from "../keys/languages.ts";
import { type PageOptions, PAGES_KEYS, type Website, WEBSITE_KEYS } from "./page_keys.ts";
import { toAccent, toReadableAccent } from "./accent.ts";
import { joinFirst } from "../../text/words.ts";
import { ENGLISH } from "../../text/english.ts";
import { listPlaceholders, type TableKey } from "../../text/messages.ts";
import { found } from "../keys/values.ts";
import { describeUnknownPlaceholder } from "../references.ts";

export interface PageConfig {
  "status-website"?: Website;
  i18n: Words;
  pages: PageOptions;
}

/** Reads every setting of the status page; a wrong value costs nothing but itself. */
export function readPage(
  { "status-website": website, pages, i18n }: Readonly<Record<string, unknown>>,
): { page: PageConfig; problems: Problem[] } {
  const read = readPart("status-website", WEBSITE_KEYS, withoutBlanks(website));
  const options = readPart("pages", PAGES_KEYS, withoutBlanks(pages));
  const { words, problems } = readWords(i18n);
  return {
    page: {
      "status-website": website === undefined ? undefined : read.values,
      i18n: words,
      pages: options.values,
    },
    problems: [
      ...read.problems,
      ...options.problems,
      ...problems,
      ...publicSecrets(website),
      ...unusedLogo(website),
      ...changedAccent(read.values),
    ],
  };
}

/** An empty text means a key that is not set. */
function withoutBlanks(part: unknown): unknown {
  if (!isMap(part)) return part;
  const set = Object.entries(part).filter(([, one]) => typeof one !== "string" || /\S/.test(one));
  return Object.fromEntries(set);
}

/** Warns of texts that seem to wait for a secret: everybody can read the page. */
function publicSecrets(website: unknown): Problem[] {
  return listTexts(website, ["status-website"]).flatMap(([path, text]): Problem[] => {
    const name = [...text.matchAll(/\$([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name!)
      .find((name) => !["OWNER", "REPO"].includes(name));
    if (name === undefined) return [];
    const message = `$${name} is not replaced: the page is public, so it takes no secrets`;
    return [{ severity: "warning", path, message }];
  });
}

/** Warns of a logo that is never shown. */
function unusedLogo(website: unknown): Problem[] {
  if (!isMap(website) || !website["logoDark"] || website["logoUrl"]) return [];
  const path = ["status-website", "logoDark"];
  return [{ severity: "warning", path, message: "has no effect without logoUrl" }];
}

/** Warns of colors without quotes, which YAML reads as comments, given the text of the configuration. */
export function findUnquotedColors(text: string): Problem[] {
  return text.split("\n").flatMap((line, index): Problem[] => {
    const [, indent, color] =
      /^(\s*)(?:accent|light|dark):\s+(#(?:[\da-f]{3}|[\da-f]{6}))\s*$/i.exec(line) ?? [];
    if (indent === undefined) return [];
    const message = `${color} is a comment in YAML: write "${color}" in quotes`;
    const path = ["status-website", "accent"];
    return [{ severity: "warning", path, message, line: index + 1, column: indent.length + 1 }];
  });
}

/** Reports colors that are replaced by readable ones. */
function changedAccent({ accent, theme }: Pick<Website, "accent" | "theme">): Problem[] {
  if (accent === undefined) return [];
  const wanted = toAccent(accent);
  const used = toReadableAccent(wanted, theme);
  return (["light", "dark"] as const).flatMap((scheme): Problem[] => {
    const [own, other] = [wanted[scheme], used[scheme]];
    if (own === undefined || other === undefined || own === other) return [];
    const path = ["status-website", "accent", ...typeof accent === "string" ? [] : [scheme]];
    const message = `${own} is hard to read on ${scheme} pages: ${other} is used there`;
    return [{ severity: "notice", path, message }];
  });
}

/** Texts of page and README that the configuration replaces, by their names. */
type Words = Readonly<Record<string, string>>;

/** Sentences of Upptime's README, and the texts of our page that say the same. */
const UPPTIME_SENTENCES: Readonly<Record<string, TableKey>> = {
  degradedPerformance: "degradedService",
  completeOutage: "majorOutage",
};

/** Reads `i18n`: a text that can't be used is reported, and stays English. */
function readWords(value: unknown): { words: Words; problems: Problem[] } {
  if (value === undefined) return { words: {}, problems: [] };
  if (!isMap(value)) {
    const message = `expected a map of texts, found ${found(value)}`;
    return { words: {}, problems: [{ severity: "error", path: ["i18n"], message }] };
  }
  const words: Record<string, string> = {};
  const problems: Problem[] = [];
  const unused: string[] = [];
  for (const [key, own] of Object.entries(value)) {
    if (key.startsWith("x-")) continue;
    const text = typeof own === "string" || typeof own === "number"
      ? String(own).trim()
      : undefined;
    const sentence = Object.hasOwn(UPPTIME_SENTENCES, key) ? UPPTIME_SENTENCES[key] : undefined;
    if (sentence !== undefined) words[sentence] ??= text ?? ENGLISH[sentence];
    else if (!Object.hasOwn(ENGLISH, key)) unused.push(key);
    else {
      const fault = text === undefined
        ? `expected a text, found ${found(own)}`
        : findFault(key, text);
      if (fault === undefined) words[key] = key === "locale" ? canonicalLanguage(text!)! : text!;
      else {
        const message = `${fault}; the English text is shown`;
        problems.push({ severity: "warning", path: ["i18n", key], message });
      }
    }
  }
  if (unused.length > 0) {
    const texts = unused.length === 1 ? "1 text is" : `${unused.length} texts are`;
    const message = `${texts} not used by this page: ${joinFirst(unused, 3)}`;
    problems.push({ severity: "notice", path: ["i18n"], message });
  }
  return { words, problems };
}

function findFault(key: string, text: string): string | undefined {
  if (key === "locale" && canonicalLanguage(text) === undefined) {
    return `expected a language such as en or pt-BR, found ${found(text)}`;
  }
  if (text === "" && key !== "footer") return "is empty";
  const english: Readonly<Record<string, string>> = ENGLISH;
  const names = listPlaceholders(english[key] ?? "");
  return describeUnknownPlaceholder(text, key === "footer" ? ["OWNER", "REPO", ...names] : names);
}
