import { createLanguage, type Language } from "./language.ts";
import { ENGLISH } from "./english.ts";
import { ENGLISH_ISSUES } from "./english_issues.ts";
import { ENGLISH_MESSAGES } from "./english_messages.ts";
import { findLanguage, TABLES } from "./languages/mod.ts";
import { mergeMessages, type Texts } from "./messages.ts";

export const ENGLISH_LANGUAGE: Language = createLanguage("en", mergeMessages());

/** Loads the texts for a tag; those of a language without texts are English. */
export async function loadTexts(tag: string): Promise<Texts> {
  const code = Object.hasOwn(TABLES, tag) || tag === "en" ? tag : findLanguage(tag);
  return code === undefined || code === "en" ? ENGLISH : (await TABLES[code]!()).default;
}

/** The languages of a configuration, and its own texts. */
interface Choice {
  /** Language of messages and issues; English if it is absent. */
  language?: string;
  /** `lang` is the language of page, README and feeds, and of own texts for them. */
  pages: { lang: string };
  i18n: Texts;
}

/** Loads the language of messages and issues. */
export async function loadLanguage({ language, pages, i18n }: Choice): Promise<Language> {
  const own = Object.entries(i18n).filter(([key]) => language === pages.lang || isOfMessages(key));
  return await load(language ?? "en", Object.fromEntries(own));
}

/** True for the key of a text that the page doesn't have; own ones are in the language of messages. */
function isOfMessages(key: string): boolean {
  const keys = [key, key.replace(/\w+$/, "other")];
  return [ENGLISH_ISSUES, ENGLISH_MESSAGES].some((of) =>
    keys.some((one) => Object.hasOwn(of, one))
  );
}

/** Loads the language of page, README, feeds and badges. */
export async function loadPageLanguage({ pages: { lang }, i18n }: Choice): Promise<Language> {
  return await load(lang, i18n);
}

async function load(tag: string, own: Texts): Promise<Language> {
  return createLanguage(tag, mergeMessages(own, await loadTexts(tag)));
}
