import { type Element, written } from "./html.ts";

/** Hands out elements of an owner by their keys, each written once: pages in their thousands have the same. */
export function rememberedElements<Owner extends object>(): (
  owner: Owner,
  key: string | number,
  make: () => Element,
) => Element {
  const known = new WeakMap<Owner, Map<string | number, Element>>();
  return (owner, key, make) => {
    let own = known.get(owner);
    if (own === undefined) known.set(owner, own = new Map());
    let element = own.get(key);
    if (element === undefined) own.set(key, element = written(make()));
    return element;
  };
}
