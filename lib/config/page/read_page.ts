import type * as v from "valibot";
import type { Problem } from "../../io/problem.ts";
import { isMap, textsIn } from "../document.ts";
import { type Read, readKeys } from "../keys/read_keys.ts";
import { found } from "../keys/values.ts";
import { type PageOptions, PAGES_KEYS, type Website, WEBSITE_KEYS } from "./page_keys.ts";
import { readWords, type Words } from "./read_words.ts";

/** Lists that lose only their wrong items. */
const BY_ITEM = ["navbar", "scripts", "links", "metaTags", "images", "origins"];

/** The settings of the status page. */
export interface PageConfig {
  "status-website"?: Website;
  i18n: Words;
  pages: PageOptions;
}

/** Reads every setting of the status page; a wrong value costs nothing but itself. */
export function readPage(
  input: Readonly<Record<string, unknown>>,
): { page: PageConfig; problems: Problem[] } {
  const website = readPart("status-website", WEBSITE_KEYS, input);
  const pages = readPart("pages", PAGES_KEYS, input);
  const { words, problems: ofWords } = readWords(input["i18n"]);
  const wrong = [...website.problems, ...pages.problems, ...ofWords];
  const places = new Set(wrong.map(({ path }) => JSON.stringify(path)));
  const secrets = publicSecrets(input["status-website"])
    .filter(({ path }) => !places.has(JSON.stringify(path)));
  return {
    page: {
      "status-website": input["status-website"] === undefined ? undefined : website.values,
      i18n: words,
      pages: pages.values,
    },
    problems: [...wrong, ...secrets],
  };
}

function readPart<const Keys extends v.ObjectEntries>(
  part: string,
  keys: Keys,
  input: Readonly<Record<string, unknown>>,
): { values: Read<Keys>["values"]; problems: Problem[] } {
  const value = input[part] ?? {};
  if (!isMap(value)) {
    const message = `expected a map, found ${found(value)}`;
    const problems: Problem[] = [{ severity: "error", path: [part], message }];
    return { values: readKeys(keys, {}).values, problems };
  }
  // An empty text stands for a key that is not set.
  const set = Object.entries(value).filter(([, one]) =>
    typeof one !== "string" || one.trim() !== ""
  );
  const { values, problems } = readKeys(keys, Object.fromEntries(set), { byItem: BY_ITEM });
  return {
    values,
    problems: problems.map(({ path, ...fault }) => ({
      severity: "error",
      path: [part, ...path],
      ...fault,
    })),
  };
}

/** Warns of texts that seem to wait for a secret: everybody can read the page. */
function publicSecrets(website: unknown): Problem[] {
  return textsIn(website, ["status-website"]).flatMap(([path, text]): Problem[] => {
    const name = [...text.matchAll(/\$([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name!)
      .find((name) => !["OWNER", "REPO"].includes(name));
    if (name === undefined) return [];
    const message = `$${name} is not replaced: the page is public, so it takes no secrets`;
    return [{ severity: "warning", path, message }];
  });
}
