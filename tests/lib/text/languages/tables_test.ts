import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { readTexts } from "../../../../lib/config/page/read_texts.ts";
import { ENGLISH } from "../../../../lib/text/english.ts";
import { LANGUAGE_CODES } from "../../../../lib/text/languages/mod.ts";
import { PROJECT } from "../../../helpers/program.ts";

const FOLDER = join(PROJECT, "lib", "text", "languages");
const FILES = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name)
  .filter((name) => name !== "mod.ts").sort();
const CODES = LANGUAGE_CODES.filter((code) => code !== "en");

/** The keys of a language in the order of the English ones, with its own plural forms. */
function listKeys(code: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
  const forms = ["zero", "one", "two", "few", "many", "other"]
    .filter((form) => pluralCategories.includes(form as Intl.LDMLPluralRule));
  const keys = Object.keys(ENGLISH).flatMap((key) =>
    key.includes(".") ? forms.map((form) => key.replace(/\w+$/, form)) : [key]
  );
  return [...new Set(keys)];
}

Deno.test("each language has a file, and each file is a language", () => {
  assertEquals(FILES, CODES.map((code) => `${code}.json`).sort());
});

for (const code of CODES) {
  Deno.test(`the texts in ${code} are complete, and have the placeholders of the English ones`, async () => {
    const texts: Record<string, string> = JSON.parse(
      await Deno.readTextFile(join(FOLDER, `${code}.json`)),
    );
    const { problems } = readTexts(texts, code);
    const faults = problems.map(({ path, message }) => `${path[1] ?? ""}: ${message}`);
    const keys = listKeys(code);
    const missing = keys.filter((key) => !Object.hasOwn(texts, key));
    assertEquals({ missing, faults }, { missing: [], faults: [] });
    assertEquals(Object.keys(texts), keys, "the keys have the order of the English ones");
  });
}
