/** Characters that XML 1.0 can't hold, not even escaped. */
// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;

const BEYOND = /[\ufffe\uffff]/g;

/** An attribute or a child that is `undefined` is left out. */
type Attributes = Readonly<Record<string, string | undefined>>;
type Children = string | readonly (string | undefined)[];

/**
 * Formats an element: a string is its text, a list its elements, each on its own lines.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(element("title", {}, "a\0 < b"), "<title>a &lt; b</title>");
 * assertEquals(element("feed", { href: '"' }, [element("id", {}, "1"), undefined]), '<feed href="&quot;">\n<id>1</id>\n</feed>');
 * assertEquals(element("link", { href: "https://a.example/" }), '<link href="https://a.example/"/>');
 * ```
 */
export function element(name: string, attributes: Attributes, children: Children = []): string {
  const start = name +
    Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [` ${key}="${toXmlText(value)}"`]
    ).join("");
  if (typeof children === "string") return `<${start}>${toXmlText(children)}</${name}>`;
  const lines = children.filter((one) => one !== undefined);
  return lines.length === 0 ? `<${start}/>` : `<${start}>\n${lines.join("\n")}\n</${name}>`;
}

/** Formats a document of one element. */
export function formatXml(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}

/** Escapes a text; one after the other, which is much faster for long texts of markup. */
function toXmlText(text: string): string {
  return text.toWellFormed().replaceAll(FORBIDDEN, "").replaceAll(BEYOND, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
