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
