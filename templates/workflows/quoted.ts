/** Words that YAML, in one of its versions, reads as something else than a text. */
const READ_OTHERWISE = /^(?:y|n|yes|no|on|off|true|false|null|\.inf|\.nan)$/i;

/** Signs that JSON leaves as they are, and that YAML takes for the end of a line, or refuses. */
const STEERING = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * A text as a value in a workflow: one that YAML reads back as it is, and in which GitHub finds
 * no expression. Every text of a configuration gets into a workflow this way.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(quoted("ubuntu-latest"), "ubuntu-latest");
 * assertEquals(quoted("*\/5 * * * *"), '"*\/5 * * * *"');
 * assertEquals(quoted("a: ${{ b"), `"a: \${{ '\${{' }} b"`);
 * ```
 */
export function quoted(text: string): string {
  if (/^[A-Za-z][A-Za-z0-9._/@-]*$/.test(text) && !READ_OTHERWISE.test(text)) return text;
  const inert = text.toWellFormed().replaceAll("${{", "${{ '${{' }}");
  return JSON.stringify(inert).replace(
    STEERING,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
