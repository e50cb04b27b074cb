import type { Secrets } from "../../../io/secrets/secrets.ts";
import { type Encode, fillTemplate, type Placeholders } from "../../fill_template.ts";
import { shownAddress, shownCredential } from "../../../config/channels/kinds.ts";

/** What is shorter is no credential, and common in other texts; in UTF-16 units. */
const SHORTEST = 12;

/** Puts secrets into the texts of a notification, or leaves them in by their names. */
export interface Filler {
  /** A text that can't be sent as long as a secret is missing. */
  text(template: string, placeholders?: Placeholders, encode?: Encode): string;
  /** A text that is sent all the same: it only tells something. */
  telling(template: string, placeholders?: Placeholders, encode?: Encode): string;
  /** A key or a token. */
  credential(template: string, encode?: Encode): string;
  /** An address that whoever knows it may send to. */
  address(template: string): string;
}

/** Puts secrets in; `missing` gathers the names of those that there is no value for. */
export function resolving(secrets: Secrets, missing: Set<string>): Filler {
  const text: Filler["text"] = (template, placeholders, encode) => {
    const filled = fillTemplate(template, { placeholders, encode, secrets });
    for (const name of filled.missing) missing.add(name);
    return filled.text;
  };
  const credential: Filler["credential"] = (template, encode) => {
    const before = missing.size;
    const filled = text(template.trim(), {}, (value, place) => {
      const trimmed = value.trim();
      return encode?.(trimmed, place) ?? trimmed;
    });
    // Also one that stands in the configuration as it is shall not be repeated.
    if (missing.size === before && filled.length >= SHORTEST) secrets.derive(filled);
    return filled;
  };
  return {
    text,
    telling: (template, placeholders, encode) =>
      fillTemplate(template, { placeholders, encode, secrets }).text,
    credential,
    address(template) {
      const address = credential(template);
      const { pathname = "", search = "" } = URL.parse(address) ?? {};
      if (pathname.length >= SHORTEST) secrets.derive(pathname);
      if (search.length >= SHORTEST) secrets.derive(search);
      return address;
    },
  };
}

/** Shows where secrets would be put in. */
export const byName: Filler = {
  text: (template, placeholders, encode) => fillTemplate(template, { placeholders, encode }).text,
  telling: (template, placeholders, encode) => byName.text(template, placeholders, encode),
  credential: shownCredential,
  address: shownAddress,
};
