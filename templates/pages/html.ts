/** Text of HTML, in which everything that isn't markup is escaped. */
export class Element {
  constructor(readonly html: string) {}
}

/** Content of an element: texts are escaped, and nothing is written of `false`, `null` and the like. */
export type Content = Element | string | number | boolean | null | undefined | readonly Content[];

type Attribute = string | number | boolean | null | undefined;
type Component<Props> = (props: Props) => Content;

type Written = Element;

// JSX is compiled to calls of the functions below, which write elements at once, from the inside out.
export declare namespace JSX {
  type Element = Written;
  type ElementType = string | Component<never>;
  interface ElementChildrenAttribute {
    children: unknown;
  }
  interface IntrinsicElements {
    [name: string]: { [attribute: string]: Content };
  }
}

/** Joins the fixed and the varying texts of an element. */
export function jsxTemplate(
  fixed: readonly string[],
  ...varying: readonly (string | Element)[]
): Element {
  let html = fixed[0]!;
  for (let index = 0; index < varying.length; index++) {
    const one = varying[index]!;
    html += (typeof one === "string" ? one : one.html) + fixed[index + 1]!;
  }
  return new Element(html);
}

/** Writes an attribute; nothing if it is absent or false. */
export function jsxAttr(name: string, value: Attribute): string {
  if (value === undefined || value === null || value === false) return "";
  return value === true ? name : `${name}="${escapeText(String(value))}"`;
}

/**
 * Writes the content of an element.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const content = ["R & D", " > ", 0, false, [unescaped("<b>1</b>")]];
 * assertEquals(jsxEscape(content), "R &amp; D > 0<b>1</b>");
 * ```
 */
export function jsxEscape(content: Content): string {
  if (typeof content === "string") return escapeText(content);
  if (content instanceof Element) return content.html;
  if (typeof content === "number") return String(content);
  if (!Array.isArray(content)) return "";
  let html = "";
  for (const one of content) html += jsxEscape(one);
  return html;
}

/** Writes a component, or an element whose attributes are given by an object. */
export function jsx<Props extends { children?: Content }>(
  type: string | Component<Props>,
  props: Props,
): Element {
  if (typeof type === "function") return toElement(type(props));
  const { children, ...attributes } = props;
  const texts = Object.entries(attributes).map(([name, value]) =>
    jsxAttr(name, value as Attribute)
  );
  const start = [type, ...texts.filter((text) => text !== "")].join(" ");
  return new Element(`<${start}>${jsxEscape(children)}</${type}>`);
}

export { jsx as jsxs };

export function Fragment({ children }: { children?: Content }): Content {
  return children;
}

function toElement(content: Content): Element {
  return content instanceof Element ? content : new Element(jsxEscape(content));
}

const SPECIAL = /["&<]/;

function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

export function renderPage(page: Element): string {
  return `<!DOCTYPE html>\n${page.html}\n`;
}

/** Includes HTML as it is: only for what the page's owner wrote. */
export function unescaped(html: string): Element {
  return new Element(html);
}

/**
 * Data for the script, as JSON in which nothing can end the element or a line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const { html } = jsonElement("days", ["</script>", "\u2028"]);
 * assertEquals(html, '<script type="application/json" id="days">["\\u003c/script>","\\u2028"]</script>');
 * ```
 */
export function jsonElement(id: string, value: unknown): Element {
  const json = JSON.stringify(value).replaceAll(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return unescaped(`<script type="application/json" id="${id}">${json}</script>`);
}

/** Caches elements, by owner and key. */
export function elementCache<Owner extends object>(): (
  owner: Owner,
  key: string | number,
  make: () => Element,
) => Element {
  const known = new WeakMap<Owner, Map<string | number, Element>>();
  return (owner, key, make) => known.getOrInsert(owner, new Map()).getOrInsertComputed(key, make);
}
