import { parsed } from "./values.ts";

export function language() {
  return parsed("a language such as en or pt-BR", canonicalLanguage);
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
