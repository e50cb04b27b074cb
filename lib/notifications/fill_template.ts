import type { Secrets } from "../io/secrets/secrets.ts";

/** Values by name, without the `$`. */
export type Placeholders = Readonly<Record<string, string>>;

/** Where a value stands, for who has to escape it. */
export interface PlaceInTemplate {
  name: string;
  isSecret: boolean;
  template: string;
  /** Index of the `$` in the template. */
  offset: number;
}

/** A value made fit for where it lands. */
export type Encode = (value: string, place: PlaceInTemplate) => string;

/** A template with its values in place. */
export interface Filled {
  text: string;
  /** Names that look like secrets and that there is no value for; they stand in the text as written. */
  missing: string[];
}

/** A reference in a template: the whole identifier counts. */
const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Puts placeholders and secrets into a template in one pass: placeholders win, and a value is never
 * looked at again. Without `secrets` these stay in the text by their names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Secrets } from "../io/secrets/secrets.ts";
 * const values = { placeholders: { SITE_NAME: "$KEY" }, secrets: new Secrets({ KEY: "a", SITE_NAME: "b" }) };
 * assertEquals(fillTemplate("$SITE_NAME $SITE_NAMES $KEY", values), { text: "$KEY $SITE_NAMES a", missing: ["SITE_NAMES"] });
 * ```
 */
export function fillTemplate(
  template: string,
  { placeholders = {}, secrets, encode = (value) => value }: {
    placeholders?: Placeholders;
    secrets?: Secrets;
    encode?: Encode;
  },
): Filled {
  const missing: string[] = [];
  const text = template.replace(REFERENCE, (reference, name: string, offset: number) => {
    const place = { name, template, offset };
    if (Object.hasOwn(placeholders, name)) {
      return encode(placeholders[name]!, { ...place, isSecret: false });
    }
    if (secrets === undefined) return reference;
    const found = secrets.substitute(reference);
    missing.push(...found.missing);
    return found.secret ? encode(found.text, { ...place, isSecret: true }) : reference;
  });
  return { text, missing };
}
