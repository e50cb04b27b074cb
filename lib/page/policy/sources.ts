import { createHash } from "node:crypto";
import { isAddress } from "../settings/place.ts";

/** Parts of a content security policy that say where things come from. */
export type Directive =
  | "style-src"
  | "style-src-attr"
  | "script-src"
  | "script-src-attr"
  | "img-src"
  | "font-src"
  | "connect-src"
  | "media-src"
  | "frame-src"
  | "manifest-src"
  | "object-src"
  | "form-action";

/** That something comes from somewhere, as the policy names it. */
export type Source = readonly [Directive, string];

/**
 * What the policy calls the place that an address leads to; nothing where it can't be told from the rest
 * of the policy, or leads nowhere.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const addresses = ["https://A.example:8443/x", "logo.svg", "data:image/png,", "https://a;b/", "mailto:a@b"];
 * assertEquals(addresses.map(originOf), ["https://a.example:8443", "'self'", "data:", undefined, undefined]);
 * ```
 */
export function originOf(address: string): string | undefined {
  const text = address.trim();
  if (/^data:/i.test(text)) return "data:";
  if (!isAddress(text)) return "'self'";
  const url = URL.parse(text, "https://page.example/");
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!/^(?:[a-z\d._-]+|\[[a-f\d:]+\])(?::\d+)?$/.test(url.host)) return undefined;
  if (text.startsWith("#")) return undefined;
  return text.startsWith("//") ? url.host : url.origin;
}

/** Where things of a kind come from, given their addresses. */
export function sourcesAt(directives: readonly Directive[], ...addresses: string[]): Source[] {
  const origins = addresses.map(originOf).filter((origin) => origin !== undefined);
  return directives.flatMap((directive) => origins.map((origin): Source => [directive, origin]));
}

/** What the policy calls a script or style that stands in the page itself. */
export function hashOf(code: string): string {
  const text = code.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** A style sheet from elsewhere, with the pictures and fonts that usually lie beside it. */
export function styleSheetAt(address: string): Source[] {
  const beside: Directive[] = ["style-src", "img-src", "font-src"];
  const isOfGoogle = originOf(address) === "https://fonts.googleapis.com";
  return [
    ...sourcesAt(beside, address),
    ...isOfGoogle ? sourcesAt(["font-src"], "https://fonts.gstatic.com") : [],
  ];
}

/** What CSS loads: further sheets, pictures and fonts. */
export function sourcesOfStyle(css: string): Source[] {
  const imports = css.matchAll(/@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/gi);
  const others = css.matchAll(/url\(\s*["']?([^"')\s]+)/gi);
  return [
    ...[...imports].flatMap(([, address]) => styleSheetAt(address!)),
    ...sourcesAt(["img-src", "font-src"], ...[...others].map(([, address]) => address!)),
  ];
}
