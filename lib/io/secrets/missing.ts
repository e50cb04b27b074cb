import { joinNames } from "../../text/words.ts";

/**
 * Says that secrets have no value and what to type; `meant` are the ones that they may be misspellings of.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const cure = "pass --secrets FILE, or save it with gh secret set API_TOKEN";
 * assertEquals(describeMissing(["API_TOKEN"]), `secret API_TOKEN is missing: ${cure}`);
 * assertEquals(describeMissing(["TOKN"], ["TOKEN"]), "secret TOKN is missing: did you mean $TOKEN?");
 * ```
 */
export function describeMissing(names: readonly string[], meant: readonly string[] = []): string {
  const all = [...new Set(names)].sort();
  const isOne = all.length === 1;
  const what = `secret${isOne ? "" : "s"} ${joinNames(all)} ${isOne ? "is" : "are"} missing`;
  if (meant.length > 0) {
    return `${what}: did you mean ${joinNames(meant.map((name) => `$${name}`))}?`;
  }
  const [it, name] = isOne ? ["it", all[0]] : ["each", "NAME"];
  return `${what}: pass --secrets FILE, or save ${it} with gh secret set ${name}`;
}
