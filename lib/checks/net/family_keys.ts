import { isIP } from "node:net";
import * as v from "valibot";
import { about, flag, found, type KeyProblem } from "../../config/keys/values.ts";
import type { Family } from "./timed_lookup.ts";

/** Over what a site is reached. */
export const FAMILY_KEYS = {
  ipv4: v.optional(
    about("true: IPv4 only; together with ipv6: true either one. Not for dns.", flag()),
    false,
  ),
  ipv6: v.optional(
    about("true: IPv6 only; together with ipv4: true either one. Not for dns.", flag()),
    false,
  ),
};

/** {@linkcode FAMILY_KEYS} as read. */
export interface FamilyKeys {
  ipv4: boolean;
  ipv6: boolean;
}

/** The one family that is asked for, if any. */
export function familyOf({ ipv4, ipv6 }: FamilyKeys): Family | undefined {
  if (ipv4 === ipv6) return undefined;
  return ipv4 ? 4 : 6;
}

/** What is wrong where an address stands in plain sight that is not of the family asked for. */
export function familyProblem(
  host: string | undefined,
  keys: FamilyKeys,
): KeyProblem | undefined {
  const family = familyOf(keys);
  const own = isIP(host ?? "");
  if (family === undefined || own === 0 || own === family) return undefined;
  return {
    path: [`ipv${family}`],
    message: `expected an IPv${family} address in url, found ${found(host)}`,
  };
}
