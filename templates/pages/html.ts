import type { ComponentChildren, VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";

export type Content = ComponentChildren;
export type Element = VNode;

declare const MARKUP: unique symbol;
export type Markup = string & { [MARKUP]: true };

export function renderPage(page: Element): string {
  return `<!DOCTYPE html>\n${renderToString(page)}\n`;
}

export function renderMarkup(element: Element): Markup {
  return renderToString(element) as Markup;
}

/** Makes one element of rendered ones. */
export function fromMarkup(...texts: readonly Markup[]): Element {
  return unescaped(texts.join(""));
}

/** Renders an element at once, instead of on every page that contains it. */
export function renderOnce(element: Element): Element {
  return fromMarkup(renderMarkup(element));
}

/** Includes HTML as it is: only for what the page's owner wrote. */
export function unescaped(html: string): Element {
  return jsxTemplate([html]);
}

/**
 * Data for the script, as JSON in which nothing can end the element or a line.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const html = renderMarkup(jsonElement("days", ["</script>", "\u2028"]));
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

/** Caches rendered elements as text, by owner and key: an element would keep the page that contains it. */
export function markupCache<Owner extends object>(): (
  owner: Owner,
  key: string | number,
  make: () => Element,
) => Markup {
  const known = new WeakMap<Owner, Map<string | number, Markup>>();
  return (owner, key, make) => {
    return known.getOrInsert(owner, new Map())
      .getOrInsertComputed(key, () => renderMarkup(make()));
  };
}
