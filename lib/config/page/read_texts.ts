import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { joinFirst } from "../../text/words.ts";
import { listPlaceholders, mergeMessages, type TableKey, type Texts } from "../../text/messages.ts";
import { nearest } from "../../text/nearest.ts";
import { found } from "../keys/values.ts";
import { describeUnknownPlaceholder } from "../references.ts";

/** English texts, and the marker that Upptime has among them. */
export const TEXTS: Texts = mergeMessages({ liveStatusHtmlComment: "" });

/** Sentences of Upptime's README, and the texts of our page that say the same. */
const UPPTIME_SENTENCES: Readonly<Record<string, TableKey>> = {
  degradedPerformance: "degradedService",
  completeOutage: "majorOutage",
};

/** Reads `i18n`, whose texts are in the language of a tag: one that can't be used is reported, and ours is shown. */
export function readTexts(value: unknown, tag: string): { texts: Texts; problems: Problem[] } {
  if (value === undefined) return { texts: {}, problems: [] };
  if (!isMap(value)) {
    const message = `expected a map of texts, found ${found(value)}`;
    return { texts: {}, problems: [{ severity: "error", path: ["i18n"], message }] };
  }
  const texts: Record<string, string> = {};
  const problems: Problem[] = [];
  const unused: string[] = [];
  const report = (severity: Problem["severity"], key: string, message: string) =>
    problems.push({ severity, path: ["i18n", key], message });
  for (const [key, own] of Object.entries(value)) {
    if (key === "locale" || key.startsWith("x-")) continue;
    const text = typeof own === "string" || typeof own === "number"
      ? String(own).trim()
      : undefined;
    const sentence = Object.hasOwn(UPPTIME_SENTENCES, key) ? UPPTIME_SENTENCES[key] : undefined;
    const english = findEnglish(key);
    if (sentence !== undefined) texts[sentence] ??= text ?? TEXTS[sentence]!;
    else if (english === undefined) {
      const forms = listForms(key, tag);
      const near = nearest(key, Object.keys(TEXTS), key.length < 10 ? 1 : 2);
      if (forms.length > 0) {
        report("warning", key, `has a text for each plural form: write ${forms.join(", ")}`);
      } else if (near === undefined) unused.push(key);
      // Upptime has texts that the page doesn't, some with names close to others.
      else report("notice", key, `unknown text, did you mean "${near}"?`);
    } else {
      const fault = text === undefined
        ? `expected a text, found ${found(own)}`
        : findFault(key, text, english);
      if (fault !== undefined) report("warning", key, `${fault}; the built-in text is shown`);
      else {
        texts[key] = text!;
        const lost = listLost(key, text!, english, tag);
        if (lost.length > 0) report("notice", key, `lacks ${lost.join(", ")}`);
      }
    }
  }
  if (unused.length > 0) {
    const count = unused.length === 1 ? "1 text is" : `${unused.length} texts are`;
    const message = `${count} not used: ${joinFirst(unused, 3)}`;
    problems.push({ severity: "notice", path: ["i18n"], message });
  }
  return { texts, problems: [...problems, ...findFormProblems(Object.keys(value), tag)] };
}

/** The English text of a key; of a plural form that English doesn't have, that of many things. */
function findEnglish(key: string): string | undefined {
  if (Object.hasOwn(TEXTS, key)) return TEXTS[key];
  const { base, form } = splitForm(key);
  return FORMS.includes(form) ? TEXTS[`${base}.other`] : undefined;
}

/** The keys of a text with plural forms, of which one without a form was given. */
function listForms(key: string, tag: string): string[] {
  if (!Object.hasOwn(TEXTS, `${key}.other`)) return [];
  return listUsedForms(tag).map((form) => `${key}.${form}`);
}

function findFault(key: string, text: string, english: string): string | undefined {
  if (text === "" && key !== "footer") return "is empty";
  const many = TEXTS[`${splitForm(key).base}.other`];
  const names = new Set([
    ...listPlaceholders(english),
    ...many === undefined ? [] : ["COUNT", ...listPlaceholders(many)],
  ]);
  return describeUnknownPlaceholder(text, [...key === "footer" ? ["OWNER", "REPO"] : [], ...names]);
}

/** Placeholders of the English text that an own one lacks. */
function listLost(key: string, text: string, english: string, tag: string): string[] {
  const own = listPlaceholders(text);
  const lost = [...new Set(listPlaceholders(english))].filter((name) => !own.includes(name));
  if (lost.length === 0) return [];
  // A word may stand for the number of a form: one service, both services. Some languages say one of 0, too.
  const isOfOneNumber = countNumbers(tag).get(splitForm(key).form)! <= 2;
  return lost.filter((name) => name !== "COUNT" || !isOfOneNumber).map((name) => `$${name}`);
}

/** Categories of plural forms (CLDR). */
const FORMS = ["zero", "one", "two", "few", "many", "other"];

function splitForm(key: string): { base: string; form: string } {
  const [, base = key, form = ""] = /^(.+)\.(\w+)$/.exec(key) ?? [];
  return { base, form };
}

/** The plural forms of a language that numbers up to some hundreds have. */
function listUsedForms(tag: string): string[] {
  const numbers = countNumbers(tag);
  return FORMS.filter((form) => numbers.has(form));
}

/** How many of the numbers up to some hundreds have each plural form. */
function countNumbers(tag: string): Map<string, number> {
  const rules = new Intl.PluralRules(tag);
  const counts = new Map<string, number>();
  for (let number = 0; number < 200; number++) {
    const form = rules.select(number);
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return counts;
}

/** Warns of plural forms that the language lacks, and of those that are left out: two wordings would be mixed. */
function findFormProblems(keys: readonly string[], tag: string): Problem[] {
  const known: readonly string[] = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  const used = listUsedForms(tag);
  const reported = new Set<string>();
  return keys.flatMap((key): Problem[] => {
    const { base, form } = splitForm(key);
    if (!FORMS.includes(form) || !Object.hasOwn(TEXTS, `${base}.other`)) return [];
    const path = ["i18n", key];
    if (!known.includes(form)) {
      const message = `has no effect: the plural forms in "${tag}" are ${used.join(", ")}`;
      return [{ severity: "warning", path, message }];
    }
    const missing = used.map((one) => `${base}.${one}`).filter((one) => !keys.includes(one));
    if (missing.length === 0 || reported.has(base)) return [];
    reported.add(base);
    const message = `is one of several plural forms: write ${missing.join(", ")} as well`;
    return [{ severity: "warning", path, message }];
  });
}
