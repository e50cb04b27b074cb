import { parse } from "@std/yaml";
import { assert, assertEquals } from "@std/assert";
import { parse as parseOther } from "yaml";
import { quoteYaml } from "../../../templates/workflows/workflow.ts";
import fc, { anyText } from "../../helpers/property.ts";
import { interpolate } from "../../helpers/runner/expressions.ts";
import { hostileText } from "../../helpers/hostile_text.ts";

Deno.test("a quoted text is one line that YAML reads back as it is, at every place of a value", () => {
  const text = fc.oneof(
    hostileText(),
    anyText(),
    fc.constantFrom("no", "0o7", ".nan", "~", "a\u0085b", "\ufeff${{", "12:30", "2026-11-21", "="),
  );
  fc.assert(fc.property(text, (given) => {
    const scalar = quoteYaml(given);
    assert(!/[\p{Cc}\u2028\u2029\ufeff]/u.test(scalar));
    for (
      const document of [`a: ${scalar} # b\n`, `a: [x, ${scalar}]\n`, `- a: ${scalar}\n  b: c\n`]
    ) {
      for (const read of [parse, (text: string) => parseOther(text)]) {
        const values = JSON.stringify(read(document));
        assert(
          values.includes(JSON.stringify(scalar.startsWith('"') ? JSON.parse(scalar) : scalar)),
        );
      }
    }
    assertEquals(interpolate(String(parse(scalar)), {}), given.toWellFormed());
  }));
});
