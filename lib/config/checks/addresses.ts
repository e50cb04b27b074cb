import { nearest } from "../../text/nearest.ts";

/** A scheme as it may be misspelled, what follows it in place of `://`, and the rest. */
const SCHEME = /^([a-z]{2,8})(\s*[:;,.]?\s*[/\\|]{1,4}|[:;]+(?=[^\d\s]))(.*)$/i;
/** Schemes that are near those of HTTP, but mean something else. */
const OTHERS = ["ftp", "ftps", "sftp", "tcp", "tls", "ntp", "smtp", "smtps", "rtsp", "htm", "html"];

/**
 * Finds the address that one with a mistake in its scheme or host means; `undefined` if it has none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const meant = (url: string) => findMeantAddress(url, "http");
 * assertEquals(meant("https//a.example"), "https://a.example");
 * assertEquals(meant("https://https://a.example"), "https://a.example");
 * assertEquals(meant("https://www,a.example/x,y"), "https://www.a.example/x,y");
 * assertEquals(["https://a.example", "a.example:80/x", "http.example/x"].map(meant), Array(3).fill(undefined));
 * ```
 */
export function findMeantAddress(url: string, scheme: "http" | "ws"): string | undefined {
  const text = url.trim();
  const fixed = withHost(withSingleScheme(text, [scheme, `${scheme}s`]));
  return fixed === text ? undefined : fixed;
}

function withSingleScheme(text: string, schemes: readonly string[]): string {
  const [, word = "", separator = "", rest = ""] = SCHEME.exec(text) ?? [];
  const near = OTHERS.includes(word.toLowerCase()) ? undefined : nearest(word, schemes, 2);
  if (near === undefined || rest === "") return text;
  const isRight = separator === "://" && schemes.includes(word.toLowerCase());
  const inner = withSingleScheme(rest, schemes);
  if (inner !== rest || SCHEME.exec(rest)?.[2] === "://") return inner;
  return isRight ? text : `${near}://${rest}`;
}

/** Replaces commas and removes blanks in the host of an address; what follows a blank may not belong to it. */
function withHost(text: string): string {
  const [, scheme = "", host = "", rest = ""] = /^([a-z]+:\/\/|)([^/?#]*)(.*)$/is.exec(text)!;
  if (scheme === "" && !host.includes(".")) return text;
  const [first = "", ...others] = host.replaceAll(/\s*,\s*/g, ".").split(/\s+/);
  const isWhole = first.includes(".") && !first.endsWith(".");
  const last = others.join("");
  return isWhole && !last.startsWith(".") && others.length > 0
    ? scheme + first
    : scheme + first + last + rest;
}
