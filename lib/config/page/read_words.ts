import type { Problem } from "../../io/problem.ts";
import { joinFirst } from "../../text/words.ts";
import { ENGLISH } from "../../text/english.ts";
import { listPlaceholders } from "../../text/messages.ts";
import { UPPTIME_PAGE_TEXTS, UPPTIME_SENTENCES } from "../upptime/page_texts.ts";
import { isMap } from "../document.ts";
import { unknownKey } from "../keys/unknown_key.ts";
import { nearest } from "../../text/nearest.ts";
import { found } from "../keys/values.ts";
import { findUnknownPlaceholder } from "../references.ts";
import { canonicalLanguage } from "./page_keys.ts";

/** Texts of page and README that the configuration replaces, by their names. */
export type Words = Readonly<Record<string, string>>;

/** Texts that may be empty. */
const MAY_BE_EMPTY: readonly string[] = ["footer"];

/** Reads `i18n`: a text that can't be used is reported, and stays English. */
export function readWords(value: unknown): { words: Words; problems: Problem[] } {
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
    const path = ["i18n", key];
    if (Object.hasOwn(ENGLISH, key)) {
      const { text, severity, message } = readText(key, own);
      if (text !== undefined) words[key] = text;
      if (message !== undefined) problems.push({ severity: severity!, path, message });
      continue;
    }
    const sentence = Object.hasOwn(UPPTIME_SENTENCES, key) ? UPPTIME_SENTENCES[key] : undefined;
    const misspelt = Object.hasOwn(UPPTIME_PAGE_TEXTS, key) ? undefined : misspeltText(key);
    if (sentence !== undefined) {
      if (typeof own === "string") words[sentence] ??= own.trim();
    } else if (misspelt !== undefined) problems.push(unknownKey(key, [misspelt], path));
    else unused.push(key);
  }
  if (unused.length > 0) {
    const texts = unused.length === 1 ? "1 text is" : `${unused.length} texts are`;
    const message = `${texts} not used by this page: ${joinFirst(unused, 3)}`;
    problems.push({ severity: "notice", path: ["i18n"], message });
  }
  return { words, problems };
}

/** The text that an unknown name is a misspelling of; guesses further away are mostly wrong. */
function misspeltText(key: string): string | undefined {
  const near = nearest(key, Object.keys(ENGLISH), 2);
  return near === undefined || near.toLowerCase().includes(key.toLowerCase()) ? undefined : near;
}

function readText(
  key: string,
  value: unknown,
): { text?: string; severity?: Problem["severity"]; message?: string } {
  if (key === "locale") {
    const text = typeof value === "string" ? canonicalLanguage(value) : undefined;
    if (text !== undefined) return { text };
    const message = `expected a language such as en or pt-BR, found ${found(value)}`;
    return { severity: "error", message };
  }
  if (typeof value !== "string" && typeof value !== "number") {
    return { severity: "error", message: `expected a text, found ${found(value)}` };
  }
  const text = String(value).trim();
  if (text === "" && !MAY_BE_EMPTY.includes(key)) {
    return { severity: "warning", message: "is empty: the English text is shown" };
  }
  const english: Readonly<Record<string, string>> = ENGLISH;
  const known = [
    ...listPlaceholders(english[key] ?? ""),
    ...key === "footer" ? ["OWNER", "REPO"] : [],
  ];
  const unknown = findUnknownPlaceholder(text, known);
  if (unknown === undefined) return { text };
  return { severity: "warning", message: `${unknown.message}; the English text is shown` };
}
