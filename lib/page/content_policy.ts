import { createHash } from "node:crypto";
import { isAddress } from "./place.ts";

export interface OwnerCode {
  /** HTML for the head, and for the start and the end of the body. */
  head?: string;
  body?: string;
  foot?: string;
  js?: string;
  css?: string;
  scripts: readonly { src: string; async: boolean }[];
  links: readonly { rel: string; href: string; media?: string }[];
  /** `isProperty` marks RDFa properties, as in Open Graph. */
  metaTags: readonly { name: string; isProperty?: boolean; content: string }[];
}

/**
 * Computes the content security policy of all pages: only the owner's additions load from elsewhere. Inline
 * code is allowed by its hash, or without one if the owner adds HTML, which may contain any.
 */
export function computePolicy(
  { logo, logoDark, icon, themeUrl = "", imageHosts, origins, live, code }: {
    logo?: string;
    logoDark?: string;
    icon?: string;
    themeUrl?: string;
    imageHosts: readonly string[];
    origins: readonly string[];
    live?: { summary: string };
    code: OwnerCode;
  },
): string {
  const { head = "", body = "", foot = "", js = "", css = "", scripts, links } = code;
  const html = head + body + foot;
  const named = [...scripts.map(({ src }) => src), ...links.map(({ href }) => href), themeUrl];
  const own = toSources([...origins, ...named, ...findAddresses(html + js + css)]);
  if (own.includes("https://fonts.googleapis.com")) own.push("https://fonts.gstatic.com");
  const pictures = [
    ...[logo, logoDark, icon].map((place) => place ?? ""),
    ...imageHosts.map((host) => `https://${host}`),
  ];
  const inline = (text: string) =>
    html !== "" ? ["'unsafe-inline'"] : text === "" ? [] : [computeHash(text)];
  const policy: Readonly<Record<string, readonly string[]>> = {
    "default-src": ["'none'"],
    "style-src": ["'self'", ...own, ...inline(css)],
    "script-src": ["'self'", ...own, ...inline(js)],
    "img-src": ["'self'", "data:", ...own, ...toSources(pictures)],
    "connect-src": ["'self'", ...own, ...toSources([live?.summary ?? ""])],
    "font-src": ["'self'", ...own],
    "manifest-src": ["'self'", ...own],
    "media-src": ["'self'", ...own],
    "frame-src": ["'self'", ...own],
    "base-uri": ["'none'"],
    "form-action": own.length === 0 ? ["'none'"] : own,
  };
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...new Set(sources)].join(" ")).join("; ");
}

function findAddresses(code: string): string[] {
  const addresses = /https?:\/\/[\w.-]+(?::\d+)?|(?<=["'(=])\/\/[\w-]+\.[\w.-]+(?::\d+)?/gi;
  return [...code.matchAll(addresses)].map(([address]) => address);
}

function toSources(addresses: readonly string[]): string[] {
  return addresses.map(toSource).filter((source) => source !== undefined);
}

/**
 * Returns the source expression for an address on another host; `undefined` for any other text, and if the
 * policy can't express it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const addresses = ["https://A.example:8443/x", "//a.example/", "logo.svg", "data:image/png,", "https://a;b/"];
 * assertEquals(addresses.map(toSource), ["https://a.example:8443", "a.example", undefined, undefined, undefined]);
 * ```
 */
export function toSource(address: string): string | undefined {
  const text = address.trim();
  const url = isAddress(text) ? URL.parse(text, "https://page.example/") : null;
  if (url === null || text.startsWith("#") || !/^https?:$/.test(url.protocol)) return undefined;
  if (!/^(?:[a-z\d._-]+|\[[a-f\d:]+\])(?::\d+)?$/.test(url.host)) return undefined;
  return text.startsWith("//") ? url.host : url.origin;
}

function computeHash(code: string): string {
  const text = code.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
