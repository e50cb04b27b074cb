import type { Encode } from "../../fill_template.ts";
import { plainText } from "../../../text/plain_text.ts";

/**
 * A value within an address. A secret may be a part of one, and is encoded only as a part of the login,
 * as in the address of a site.
 */
export const encodeInAddress: Encode = (value, { template, offset, isSecret }) => {
  const login = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.exec(template)?.[0].length ?? 0;
  if (isSecret && offset >= login) return value.trim();
  return encodeURIComponent((isSecret ? value : plainText(value)).toWellFormed());
};
