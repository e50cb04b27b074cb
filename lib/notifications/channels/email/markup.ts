import { escapeMarkup } from "../inert/html.ts";

/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may stand in a template: anything but markup is escaped. */
type Value = string | number | Markup | readonly Value[];

/**
 * HTML in which every value is escaped that isn't markup itself.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const cells = ["<b>", "&"].map((name) => markup`<td>${name}</td>`);
 * assertEquals(markup`<tr>${cells}</tr>`.text, "<tr><td>&lt;b&gt;</td><td>&amp;</td></tr>");
 * ```
 */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Markup {
  const parts = strings.map((text, index) => text + (index in values ? show(values[index]!) : ""));
  return new Markup(parts.join(""));
}

function show(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(show).join("");
  return escapeMarkup(String(value));
}
