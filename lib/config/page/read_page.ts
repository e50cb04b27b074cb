import type { Config } from "../config.ts";
import type { Problem } from "../../io/problem.ts";
import { textsIn } from "../document.ts";
import { readPages } from "./read_pages.ts";
import { readWebsite } from "./read_website.ts";
import { readWords } from "./read_words.ts";

/** Everything that a configuration says of the status page, and what is wrong with it. */
export function readPage(input: Readonly<Record<string, unknown>>): {
  page: Pick<Config, "status-website" | "i18n" | "pages">;
  problems: Problem[];
} {
  const { website, problems: ofWebsite } = readWebsite(input["status-website"]);
  const { words, problems: ofWords } = readWords(input["i18n"]);
  const { pages, problems: ofPages } = readPages(input["pages"]);
  const wrong = [...ofWebsite, ...ofWords, ...ofPages];
  const places = new Set(wrong.map(({ path }) => JSON.stringify(path)));
  const secrets = publicSecrets(input["status-website"], ["status-website"]);
  const problems = [
    ...wrong,
    ...secrets.filter(({ path }) => !places.has(JSON.stringify(path))),
  ];
  return { page: { "status-website": website, i18n: words, pages }, problems };
}

/** What stands for the repository in links. */
const PLACEHOLDERS = ["OWNER", "REPO"];

/** A warning for each text that seems to wait for a secret: everybody can read the page. */
function publicSecrets(value: unknown, path: Problem["path"]): Problem[] {
  return textsIn(value, path).flatMap(([at, text]): Problem[] => {
    const name = [...text.matchAll(/\$([A-Z][A-Z0-9_]+)\b/g)].map(([, name]) => name!)
      .find((name) => !PLACEHOLDERS.includes(name));
    if (name === undefined) return [];
    const message = `$${name} is not replaced: the page is public, so it takes no secrets`;
    return [{ severity: "warning", path: at, message }];
  });
}
