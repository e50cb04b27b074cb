import type { Texts } from "../messages.ts";

/** The languages beside English by their codes (BCP 47). Each file is read only if it is used. */
export const TABLES: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
  de: () => import("./de.json", { with: { type: "json" } }),
  fr: () => import("./fr.json", { with: { type: "json" } }),
  es: () => import("./es.json", { with: { type: "json" } }),
  "pt-BR": () => import("./pt-BR.json", { with: { type: "json" } }),
  it: () => import("./it.json", { with: { type: "json" } }),
  nl: () => import("./nl.json", { with: { type: "json" } }),
  pl: () => import("./pl.json", { with: { type: "json" } }),
  tr: () => import("./tr.json", { with: { type: "json" } }),
  hi: () => import("./hi.json", { with: { type: "json" } }),
  zh: () => import("./zh.json", { with: { type: "json" } }),
  ja: () => import("./ja.json", { with: { type: "json" } }),
  ko: () => import("./ko.json", { with: { type: "json" } }),
  ar: () => import("./ar.json", { with: { type: "json" } }),
};

/** The codes of all languages that have texts. */
export const LANGUAGE_CODES: readonly string[] = ["en", ...Object.keys(TABLES)];

/** The code of the language with texts for a tag: its own, else the same language in the same script. */
export function findLanguage(tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  return LANGUAGE_CODES.find((code) => {
    const own = new Intl.Locale(code).maximize();
    return own.language === language && own.script === script;
  });
}
