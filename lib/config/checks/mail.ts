import { found, optional, word } from "../keys/values.ts";
import { checkKind } from "./check_kind.ts";
import {
  EXPIRY_KEY,
  FAMILY_KEYS,
  familyProblem,
  PORT_KEY,
  TLS_KEYS,
  tlsProblem,
} from "./connection_keys.ts";
import { hostAndPort } from "./hosts.ts";
import { findHostProblem } from "./host_checks.ts";

const KEYS = {
  ...PORT_KEY,
  tls: optional(
    "smtp, imap: `starttls`, `implicit` (TLS from the first byte) or `none`. Default: by port or scheme.",
    word(["starttls", "implicit", "none"]),
  ),
  ...EXPIRY_KEY,
  ...TLS_KEYS,
  ...FAMILY_KEYS,
};

/** Keys of `smtp`. `url` is a host, with or without `smtp://` or `smtps://` and `:port`. */
export const smtp = mailKind("smtp");

/** Keys of `imap`. `url` is a host, with or without `imap://` or `imaps://` and `:port`. */
export const imap = mailKind("imap");

function mailKind<const Name extends "smtp" | "imap">(check: Name) {
  return checkKind(check, KEYS, (site) => {
    const { url } = site;
    if (url.includes("$")) return tlsProblem(site);
    if (/^[a-z]+:\/\//i.test(url) && !new RegExp(`^${check}s?://`, "i").test(url)) {
      const expected = `a host, or an address that starts with ${check}s:// or ${check}://`;
      return { path: ["url"], message: `expected ${expected}, found ${found(url)}` };
    }
    return findHostProblem(url, site.port) ?? tlsProblem(site) ??
      familyProblem(hostAndPort(url).host, site);
  });
}
