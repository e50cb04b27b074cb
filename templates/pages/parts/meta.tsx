import type { MetaTag } from "../meta_tags.ts";

/** A meta tag; those of Open Graph have a property for a name. */
export function Meta({ name, content, media }: MetaTag) {
  return /^og:/i.test(name)
    ? <meta property={name} content={content} />
    : <meta name={name} content={content} media={media} />;
}
