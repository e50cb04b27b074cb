import type { Problem } from "../../io/problem.ts";
import { isMap, listTexts } from "../document.ts";
import { readPart } from "../keys/read_keys.ts";
import { type PageOptions, PAGES_KEYS, type Website, WEBSITE_KEYS } from "./page_keys.ts";
import { toAccent, toReadableAccent } from "./accent.ts";
import { readLanguages } from "./read_languages.ts";
import type { Texts } from "../../text/messages.ts";

/** The module that reads own texts. */
export type TextReader = typeof import("./read_texts.ts");

export interface PageConfig {
  /** Language of messages and issues; absent if none is configured. */
  language?: string;
  "status-website"?: Website;
  i18n: Texts;
  /** `lang` is the language of page, README and feeds. */
  pages: PageOptions & { lang: string };
}

/** Reads every setting of the status page, and all texts and languages; a wrong value costs nothing but itself. */
export function readPage(
  { "status-website": website, pages, i18n }: Readonly<Record<string, unknown>>,
  { language, texts: reader }: { language: string | undefined; texts: TextReader | undefined },
): { page: PageConfig; problems: Problem[] } {
  const read = readPart("status-website", WEBSITE_KEYS, withoutBlanks(website));
  const options = readPart("pages", PAGES_KEYS, withoutBlanks(pages));
  const languages = readLanguages({ language, lang: options.values.lang, i18n });
  const { texts, problems } = reader?.readTexts(i18n, languages.lang) ??
    { texts: {}, problems: [] };
  return {
    page: {
      "status-website": website === undefined ? undefined : read.values,
      i18n: texts,
      language: languages.language,
      pages: { ...options.values, lang: languages.lang },
    },
    problems: [
      ...read.problems,
      ...options.problems,
      ...problems,
      ...languages.problems,
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
