import type { Problem } from "../../io/problem.ts";
import { joinFirst } from "../../text/words.ts";
import { ENGLISH } from "../../text/english.ts";
import { listPlaceholders } from "../../text/messages.ts";
import { isMap } from "../document.ts";
import { found } from "../keys/values.ts";
import { describeUnknownPlaceholder } from "../references.ts";
import { canonicalLanguage } from "./page_keys.ts";

/** Texts of page and README that the configuration replaces, by their names. */
export type Words = Readonly<Record<string, string>>;

/** Sentences of Upptime's README, and the texts of our page that say the same. */
const UPPTIME_SENTENCES: Readonly<Record<string, string>> = {
  degradedPerformance: "degradedService",
  completeOutage: "majorOutage",
};

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
    if (sentence === undefined) unused.push(key);
    else if (typeof own === "string") words[sentence] ??= own.trim();
  }
  if (unused.length > 0) {
    const texts = unused.length === 1 ? "1 text is" : `${unused.length} texts are`;
    const message = `${texts} not used by this page: ${joinFirst(unused, 3)}`;
    problems.push({ severity: "notice", path: ["i18n"], message });
  }
  return { words, problems };
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
  const unknown = describeUnknownPlaceholder(text, known);
  if (unknown === undefined) return { text };
  return { severity: "warning", message: `${unknown}; the English text is shown` };
}
