/** Texts, and attributes with texts for people or with addresses outside of the page. */
const PARTS = new RegExp(
  [
    ">[^<]+",
    String.raw`\s(?:title|alt|label|aria-label|placeholder)="[^"]*"`,
    String.raw`\s(?:href|src|srcset|action)="(?:[a-z][a-z\d+.-]*:|//)[^"]*"`,
    String.raw`<meta (?:name="(?:description|twitter:\w+)"|property="[^"]*") content="[^"]*"`,
  ].join("|"),
  "gi",
);

/**
 * Redacts secrets in a page. Names of elements and classes and links within the page stay, whatever a secret is.
 * `redact` knows entities.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createRedaction } from "../io/secrets/redaction.ts";
 * const redact = createRedaction(["p&ss", "main"]);
 * const page = '<main class="main"><a href="main.html" title="p&amp;ss">p&amp;ss main</a></main>';
 * assertEquals(redactMarkup(page, redact), '<main class="main"><a href="main.html" title="***">*** ***</a></main>');
 * ```
 */
export function redactMarkup(markup: string, redact: (text: string) => string): string {
  return redact(markup) === markup ? markup : markup.replace(PARTS, redact);
}
