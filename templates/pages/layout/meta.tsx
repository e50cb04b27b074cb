import type { MetaTag } from "./meta_tags.ts";

/** A meta tag; those of Open Graph have a property for a name. */
export function Meta({ name, isProperty, content, media }: MetaTag) {
  if (isProperty || /^og:/i.test(name)) return <meta property={name} content={content} />;
  return media === undefined
    ? <meta name={name} content={content} />
    : <meta name={name} content={content} media={media} />;
}
