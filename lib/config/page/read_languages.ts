import type { Problem } from "../../io/problem.ts";
import { findLanguage, LANGUAGE_CODES } from "../../text/languages/mod.ts";
import { isMap } from "../document.ts";
import { canonicalLanguage, findNearLanguage, nameLanguage } from "../keys/languages.ts";
import { found } from "../keys/values.ts";

/** Languages that have texts, or for the page own ones. */
interface Languages {
  /** Language of messages and issues; absent if none is configured. */
  language?: string;
  /** Language of page, README and feeds. */
  lang: string;
}

/** Chooses the languages, given `language`, `pages.lang` and `i18n`; one without texts is ignored with a warning. */
export function readLanguages(
  { language, lang, i18n }: { language?: string; lang?: string; i18n: unknown },
): Languages & { problems: Problem[] } {
  const own = isMap(i18n) ? i18n : {};
  const { locale, problems } = readLocale(own["locale"]);
  const hasOwnTexts = Object.keys(own).some((key) => key !== "locale" && !key.startsWith("x-"));
  const hasTexts = (tag: string) =>
    nameLanguage(tag) !== undefined && findLanguage(tag) !== undefined;
  const isUsable = (tag: string) =>
    hasTexts(tag) || (hasOwnTexts && nameLanguage(tag) !== undefined);
  const ofPage = lang ?? locale;
  const page = [ofPage, language].find((tag) => tag !== undefined && isUsable(tag)) ?? "en";
  if (ofPage !== undefined && !isUsable(ofPage)) {
    const path = lang === undefined ? ["i18n", "locale"] : ["pages", "lang"];
    problems.push(unknownLanguage(path, ofPage, `${nameLanguage(page)} is used`));
  }
  if (language === undefined || hasTexts(language)) return { language, lang: page, problems };
  const effect = page === language ? "messages and issues are in English" : "English is used";
  problems.push(unknownLanguage(["language"], language, effect));
  return { lang: page, problems };
}

function readLocale(value: unknown): { locale?: string; problems: Problem[] } {
  if (value === undefined) return { problems: [] };
  const text = typeof value === "string" ? value : "";
  const locale = canonicalLanguage(text) ?? (findNearLanguage(text) && text);
  if (locale !== undefined) return { locale, problems: [] };
  const message = `expected a language such as en or pt-BR, found ${found(value)}; it is ignored`;
  return { problems: [{ severity: "warning", path: ["i18n", "locale"], message }] };
}

function unknownLanguage(path: Problem["path"], tag: string, effect: string): Problem {
  const near = findNearLanguage(tag);
  const hint = near === undefined ? ":" : `, did you mean ${near} (${nameLanguage(near)})?`;
  const known = LANGUAGE_CODES.join(", ");
  const message = `unknown language ${found(tag)}${hint} ${effect}; known are ${known}`;
  return { severity: "warning", path, message };
}
