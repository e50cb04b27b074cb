import { type Element, type Markup, markupOf } from "./html.ts";

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
