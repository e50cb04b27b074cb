import { LANGUAGE_CODES } from "../../text/languages/mod.ts";
import { findMeant } from "../../text/nearest.ts";
import { parsed } from "./values.ts";

/** A language tag, or a text that means one, such as `Deutsch`. */
export function language() {
  return parsed(
    "a language such as en or pt-BR",
    (text) => canonicalLanguage(text) ?? (findNearLanguage(text) && text.trim()),
  );
}

/** A language tag in canonical form, also from `pt_BR.UTF-8`; `undefined` if a text is none. */
export function canonicalLanguage(text: string): string | undefined {
  try {
    const tag = text.trim().replace(/[.@].*$/, "").replaceAll("_", "-");
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** The English name of a tag's language, such as `Swedish`; `undefined` if there is no such language. */
export function nameLanguage(tag: string): string | undefined {
  try {
    return nameIn("en", new Intl.Locale(tag).language);
  } catch {
    return undefined;
  }
}

function nameIn(code: string, of: string): string | undefined {
  return new Intl.DisplayNames(code, { type: "language", fallback: "none" }).of(of);
}

/**
 * Finds the code that an unknown language means: by the language in another script, else by a code, an English name
 * or a language's own name that is at most one edit away.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const near = ["zh-TW", "dee", "German", "francais", "cn", "sw"].map(findNearLanguage);
 * assertEquals(near, ["zh", "de", "de", "fr", "zh", undefined]);
 * ```
 */
export function findNearLanguage(text: string): string | undefined {
  if (nameLanguage(text) !== undefined) {
    const { language } = new Intl.Locale(text);
    return LANGUAGE_CODES.find((code) => new Intl.Locale(code).language === language);
  }
  const code = findOfCountry(text) ?? findMeant(text, LANGUAGE_CODES, 1);
  if (code !== undefined) return code;
  const names = LANGUAGE_CODES.flatMap((code) => {
    const { language } = new Intl.Locale(code);
    return ["en", code].flatMap((reader) => [nameIn(reader, language), nameIn(reader, code)])
      .map((name) => [withoutMarks(name ?? ""), code] as const);
  });
  const meant = findMeant(withoutMarks(text.trim()), names.map(([name]) => name), 1);
  return names.find(([name]) => name === meant)?.[1];
}

/** The language that most people speak in a country other than an English one, given its code, such as `cn`. */
function findOfCountry(text: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(text)) return undefined;
  const { language } = new Intl.Locale(`und-${text}`).maximize();
  return language === "en" ? undefined : LANGUAGE_CODES.find((code) => code === language);
}

/** Letters without their accents. */
function withoutMarks(text: string): string {
  return text.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "");
}
