import type { ComponentChildren, VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";

/** What may stand between the tags of an element. */
export type Content = ComponentChildren;
/** An element. */
export type Element = VNode;

declare const MARKUP: unique symbol;
/** The text of elements. */
export type Markup = string & { [MARKUP]: true };

/** The text of a page. */
export function htmlOf(page: Element): string {
  return `<!DOCTYPE html>\n${renderToString(page)}\n`;
}

/** The text of an element. */
export function markupOf(element: Element): Markup {
  return renderToString(element) as Markup;
}

/** An element of texts that are made already, one behind the other. */
export function elementOf(...texts: readonly Markup[]): Element {
  return unescaped(texts.join(""));
}

/** An element whose text is made at once, and not again wherever it stands. */
export function written(element: Element): Element {
  return elementOf(markupOf(element));
}

/** HTML that stands in a page as it is written: only for what its owner wrote. */
export function unescaped(html: string): Element {
  return jsxTemplate([html]);
}

/**
 * Hands out the texts of elements of an owner by their keys, each made once: pages in their thousands have the
 * same. The elements themselves are not kept: each would keep the whole page that it stands in.
 */
export function rememberedMarkup<Owner extends object>(): (
  owner: Owner,
  key: string | number,
  make: () => Element,
) => Markup {
  const known = new WeakMap<Owner, Map<string | number, Markup>>();
  return (owner, key, make) => {
    let own = known.get(owner);
    if (own === undefined) known.set(owner, own = new Map());
    let markup = own.get(key);
    if (markup === undefined) own.set(key, markup = markupOf(make()));
    return markup;
  };
}
