import type { Problem } from "../../io/problem.ts";
import { isMap, listTexts } from "../document.ts";
import { readPart } from "../keys/read_keys.ts";
import { type PageOptions, PAGES_KEYS, type Website, WEBSITE_KEYS } from "./page_keys.ts";
import { readWords, type Words } from "./read_words.ts";

export interface PageConfig {
  "status-website"?: Website;
  i18n: Words;
  pages: PageOptions;
}

/** Reads every setting of the status page; a wrong value costs nothing but itself. */
export function readPage(
  { "status-website": website, pages, i18n }: Readonly<Record<string, unknown>>,
): { page: PageConfig; problems: Problem[] } {
  const read = readPart("status-website", WEBSITE_KEYS, withoutBlanks(website));
  const options = readPart("pages", PAGES_KEYS, withoutBlanks(pages));
  const { words, problems } = readWords(i18n);
  return {
    page: {
      "status-website": website === undefined ? undefined : read.values,
      i18n: words,
      pages: options.values,
    },
    problems: [...read.problems, ...options.problems, ...problems, ...publicSecrets(website)],
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
