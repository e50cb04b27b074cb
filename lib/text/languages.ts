import { createLanguage, type Language } from "./language.ts";
import { ENGLISH } from "./english.ts";
import { mergeMessages } from "./messages.ts";

type Table = Readonly<Record<string, string>>;

/** The languages beside English by their codes (BCP 47). Each table is read only if it is used. */
const TABLES: Readonly<Record<string, () => Promise<{ default: Table }>>> = {
  de: () => import("./languages/de.json", { with: { type: "json" } }),
};

/** Loads a language, with one's own texts in place of ours; of an unknown one, the texts are English. */
export async function loadLanguage(
  { language, i18n }: { language: string; i18n: Table },
): Promise<Language> {
  const table = findTable(language);
  const texts = table === undefined ? ENGLISH : (await TABLES[table]!()).default;
  return createLanguage(language, mergeMessages(i18n, texts));
}

/** The code of the table for a tag: its own, else that of its language in the same script. */
export function findTable(tag: string): string | undefined {
  const { language, script } = new Intl.Locale(tag).maximize();
  return Object.keys(TABLES).find((code) => {
    const own = new Intl.Locale(code).maximize();
    return own.language === language && own.script === script;
  });
}
