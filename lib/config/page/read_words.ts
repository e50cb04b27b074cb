import { ENGLISH } from "../../text/english.ts";
import { namesIn } from "../../text/messages.ts";
import { UPPTIME_PAGE_TEXTS } from "../../text/messages/upptime_texts.ts";
import { joinFirst } from "../../text/words.ts";
import { nearest, unknownKey } from "../keys/unknown_key.ts";
import { found } from "../keys/values.ts";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { meantLanguage } from "./guesses.ts";
import { tidiedValue } from "./tidied.ts";
import { canonicalLanguage } from "../keys/page_values.ts";

/** Texts of page and README that the configuration has in other words, by their names. */
export type Words = Readonly<Record<string, string>>;

/** Texts that may be empty: nothing stands there then. */
const MAY_BE_EMPTY: readonly string[] = ["footer"];

/** Sentences of Upptime's README, and the texts of our page that say the same. */
const SENTENCES: Readonly<Record<string, string>> = {
  degradedPerformance: "degradedService",
  completeOutage: "majorOutage",
};

/** Reads `i18n`: a text that can't be used is told, and stays English. */
export function readWords(value: unknown): { words: Words; problems: Problem[] } {
  const path = ["i18n"];
  if (value === undefined) return { words: {}, problems: [] };
  if (!isMap(value)) {
    const message = `expected a map of texts, found ${found(value)}`;
    return { words: {}, problems: [{ severity: "error", path, message }] };
  }
  const read = Object.entries(value)
    .filter(([key]) => !key.startsWith("x-"))
    .map(([key, text]) => ({ key, ...readText(key, text, [...path, key]) }));
  const words: Record<string, string> = {};
  for (const { key, text } of read) {
    if (text !== undefined) words[key] = text;
    const same = SENTENCES[key];
    if (same !== undefined && typeof value[key] === "string") words[same] ??= value[key].trim();
  }
  const elsewhere = Object.keys(value).filter((key) =>
    !key.startsWith("x-") && !Object.hasOwn(ENGLISH, key) && !Object.hasOwn(SENTENCES, key) &&
    (Object.hasOwn(UPPTIME_PAGE_TEXTS, key) || misspeltText(key) === undefined)
  );
  return {
    words,
    problems: [...read.flatMap(({ problems }) => problems), ...unusedTexts(elsewhere, path)],
  };
}

/** Texts that are not on our page, in one line. */
function unusedTexts(keys: readonly string[], path: Problem["path"]): Problem[] {
  if (keys.length === 0) return [];
  const texts = keys.length === 1 ? "1 text is" : `${keys.length} texts are`;
  const message = `${texts} not used by this page: ${joinFirst(keys, 3)}`;
  return [{ severity: "notice", path, message }];
}

/** The text of our page that an unknown name is a misspelling of; guesses further away are mostly wrong. */
function misspeltText(key: string): string | undefined {
  const near = nearest(key, Object.keys(ENGLISH), 2);
  return near === undefined || near.toLowerCase().includes(key.toLowerCase()) ? undefined : near;
}

function readText(
  key: string,
  value: unknown,
  path: Problem["path"],
): { text?: string; problems: Problem[] } {
  const problem = (severity: Problem["severity"], message: string) => ({
    problems: [{ severity, path, message }],
  });
  const isKnown = Object.hasOwn(ENGLISH, key);
  if (!isKnown) {
    const isUpptimes = Object.hasOwn(SENTENCES, key) || Object.hasOwn(UPPTIME_PAGE_TEXTS, key);
    const meant = isUpptimes ? undefined : misspeltText(key);
    return { problems: meant === undefined ? [] : [unknownKey(key, [meant], path)] };
  }
  if (typeof value !== "string" && typeof value !== "number") {
    return problem("error", `expected a text, found ${found(value)}`);
  }
  if (key === "locale") return readLocale(value, path);
  const text = String(value).trim();
  if (text === "" && !MAY_BE_EMPTY.includes(key)) {
    return problem("warning", "is empty: the English text is shown");
  }
  const known = [...namesOf(key)];
  const unknown = [...text.matchAll(/\$([A-Z]+|[a-z]\w*)/g)].map(([, name]) => name!)
    .find((name) => !known.includes(name));
  if (unknown === undefined) return { text, problems: [] };
  const near = nearest(unknown, known);
  const hint = known.length === 0
    ? "the text takes no placeholders"
    : near !== undefined
    ? `did you mean $${near}?`
    : `the placeholders are ${known.map((name) => `$${name}`).join(", ")}`;
  return problem("warning", `$${unknown} is not replaced: ${hint}; the English text is shown`);
}

/** Names that may stand in a text. */
function namesOf(key: string): string[] {
  const english: Readonly<Record<string, string>> = ENGLISH;
  return [...namesIn(english[key] ?? ""), ...key === "footer" ? ["OWNER", "REPO"] : []];
}

function readLocale(value: unknown, path: Problem["path"]): { text?: string; problems: Problem[] } {
  const { value: meant, problems } = tidiedValue(value, meantLanguage, path);
  const text = typeof meant === "string" ? canonicalLanguage(meant) : undefined;
  if (text !== undefined) return { text, problems };
  const message = `expected a language such as en or pt-BR, found ${found(value)}`;
  return { problems: [{ severity: "error", path, message }] };
}
