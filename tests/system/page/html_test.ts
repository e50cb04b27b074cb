import { assertEquals } from "@std/assert";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { filesOf, someOfEachKind, textOf } from "../../helpers/page_files.ts";
import { worldView } from "../../helpers/page_worlds.ts";

/** Between them they have everything that a page may show. */
const NAMES = [
  "partial outage",
  "maintenance",
  "unchecked",
  "locations",
  "long texts",
  "hostile",
  "past",
] as const;

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ["html-validate:recommended", "html-validate:standard"],
    rules: {
      // Matters of taste: Preact writes void elements as in XML, and the doctype in capitals is as right.
      "void-style": "off",
      "doctype-style": "off",
      "attribute-boolean-style": "off",
      "attribute-empty-style": "off",
      // Titles longer than search engines show are no error, because names are as long as they are.
      "long-title": "off",
      // Nothing here is indented.
      "no-trailing-whitespace": "off",
    },
  }),
);

for (const name of NAMES) {
  Deno.test(`the pages of "${name}" are valid HTML`, async () => {
    const files = filesOf(await worldView(name));
    const faults = new Map<string, string[]>();
    for (const path of someOfEachKind(files, 1)) {
      const { results } = await validator.validateString(textOf(files, path));
      const own = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line, column }) =>
          `${line}:${column} ${ruleId}: ${message}`
        )
      );
      if (own.length > 0) faults.set(path, own.slice(0, 8));
    }
    assertEquals(Object.fromEntries(faults), {});
  });
}
