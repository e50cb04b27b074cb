import { createLanguage, type Language } from "./language.ts";
import { ENGLISH } from "./english.ts";
import { ENGLISH_ISSUES } from "./english_issues.ts";
import { ENGLISH_MESSAGES } from "./english_messages.ts";
import { mergeMessages } from "./messages.ts";

type Texts = Readonly<Record<string, string>>;

/** The languages beside English by their codes (BCP 47). Each file is read only if it is used. */
const TEXTS: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
  de: () => import("./languages/de.json", { with: { type: "json" } }),
  fr: () => import("./languages/fr.json", { with: { type: "json" } }),
  es: () => import("./languages/es.json", { with: { type: "json" } }),
  "pt-BR": () => import("./languages/pt-BR.json", { with: { type: "json" } }),
  it: () => import("./languages/it.json", { with: { type: "json" } }),
  nl: () => import("./languages/nl.json", { with: { type: "json" } }),
  pl: () => import("./languages/pl.json", { with: { type: "json" } }),
  tr: () => import("./languages/tr.json", { with: { type: "json" } }),
  hi: () => import("./languages/hi.json", { with: { type: "json" } }),
  zh: () => import("./languages/zh.json", { with: { type: "json" } }),
  ja: () => import("./languages/ja.json", { with: { type: "json" } }),
  ko: () => import("./languages/ko.json", { with: { type: "json" } }),
  ar: () => import("./languages/ar.json", { with: { type: "json" } }),
};

/** The codes of all languages that have texts. */
export const LANGUAGE_CODES: readonly string[] = ["en", ...Object.keys(TEXTS)];

export const ENGLISH_LANGUAGE: Language = createLanguage("en", mergeMessages());

/** The code of the language with texts for a tag: its own, else the same language in the same script. */
export function findLanguage(tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  return LANGUAGE_CODES.find((code) => {
    const own = new Intl.Locale(code).maximize();
    return own.language === language && own.script === script;
  });
}

/** Loads the texts for a tag; those of a language without texts are English. */
export async function loadTexts(tag: string): Promise<Texts> {
  const code = Object.hasOwn(TEXTS, tag) || tag === "en" ? tag : findLanguage(tag);
  return code === undefined || code === "en" ? ENGLISH : (await TEXTS[code]!()).default;
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

const OF_MESSAGES = { ...ENGLISH_ISSUES, ...ENGLISH_MESSAGES };

/** True for the key of a text that the page doesn't have; own ones are in the language of messages. */
function isOfMessages(key: string): boolean {
  return [key, key.replace(/\w+$/, "other")].some((one) => Object.hasOwn(OF_MESSAGES, one));
}

/** Loads the language of page, README, feeds and badges. */
export async function loadPageLanguage({ pages: { lang }, i18n }: Choice): Promise<Language> {
  return await load(lang, i18n);
}

async function load(tag: string, own: Texts): Promise<Language> {
  return createLanguage(tag, mergeMessages(own, await loadTexts(tag)));
}
