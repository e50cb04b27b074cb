import { HtmlParser } from "./html_parser.ts";
import { createHash } from "node:crypto";
import { isAddress } from "./place.ts";

const BASE: readonly (readonly [directive: string, sources: readonly string[]])[] = [
  ["default-src", ["'none'"]],
  ["style-src", ["'self'"]],
  ["script-src", ["'self'"]],
  ["img-src", ["'self'", "data:"]],
  ["connect-src", ["'self'"]],
  ["font-src", ["'self'"]],
  ["base-uri", ["'none'"]],
  ["form-action", ["'none'"]],
];

const ANYTHING: readonly Directive[] = [
  ...["style-src", "script-src", "img-src", "connect-src", "font-src"] as const,
  ...["media-src", "frame-src"] as const,
];

/** The owner's additions to all pages. */
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

/** The settings of a page that load something. */
interface PolicySettings {
  logo?: string;
  icon?: string;
  themeUrl?: string;
  imageHosts: readonly string[];
  origins: readonly string[];
  live?: { summary: string };
  code: OwnerCode;
}

/** Computes the content security policy of all pages: only the owner's additions load from elsewhere. */
export function computePolicy(settings: PolicySettings): string {
  const policy = new Map(BASE.map(([directive, sources]) => [directive, new Set(sources)]));
  for (const [directive, source] of sourcesOf(settings)) {
    const known = policy.get(directive) ?? new Set();
    known.delete("'none'");
    policy.set(directive, known.add(source));
  }
  return [...policy].map(([directive, sources]) => [directive, ...sources].join(" ")).join("; ");
}

function sourcesOf(
  { logo, icon, themeUrl, imageHosts, origins, live, code }: PolicySettings,
): Source[] {
  const { head, body, foot, js, css, scripts, links } = code;
  const pictures = [logo, icon].filter((place) => place !== undefined);
  const html = [head, body, foot].filter((text) => text !== undefined);
  return [
    ...sourcesAt(["img-src"], ...pictures, ...imageHosts.map((host) => `https://${host}`)),
    ...themeUrl === undefined ? [] : styleSheetAt(themeUrl),
    ...live === undefined ? [] : sourcesAt(["connect-src"], live.summary),
    ...scripts.flatMap(({ src }) => scriptAt(src)),
    ...links.flatMap(({ rel, href }) => sourcesOfLink({ rel, href })),
    ...js === undefined ? [] : ofScript(js),
    ...css === undefined ? [] : ofStyle(css),
    ...html.flatMap(sourcesOfHtml),
    ...sourcesAt(ANYTHING, ...origins),
  ];
}

const LOADED: readonly (readonly [elements: string, attribute: string, Directive[]])[] = [
  ["img input image", "src", ["img-src"]],
  ["video", "poster", ["img-src"]],
  ["video audio source track", "src", ["media-src"]],
  ["iframe frame", "src", ["frame-src"]],
  ["embed", "src", ["object-src"]],
  ["object", "data", ["object-src"]],
  ["form", "action", ["form-action"]],
  ["button input", "formaction", ["form-action"]],
];

/** Directives of `<link>` elements, by `rel`. */
const LINKED: Readonly<Record<string, Directive>> = {
  icon: "img-src",
  "apple-touch-icon": "img-src",
  manifest: "manifest-src",
  modulepreload: "script-src",
};

type Attributes = Readonly<Record<string, string>>;

function sourcesOfHtml(html: string): Source[] {
  const sources: Source[] = [];
  let [name, code, isInline] = ["", "", false];
  const parser = new HtmlParser({
    onopentag(element, attributes) {
      sources.push(...sourcesOfTag(element, attributes));
      isInline = element === "style" || (element === "script" && attributes["src"] === undefined);
      [name, code] = [element, ""];
    },
    ontext(text) {
      code += text;
    },
    onclosetag(element) {
      if (isInline && element === name) {
        sources.push(...name === "script" ? ofScript(code) : ofStyle(code));
      }
      isInline = false;
    },
  });
  parser.write(html);
  parser.end();
  return sources;
}

function sourcesOfTag(element: string, attributes: Attributes): Source[] {
  const { style, src, srcset } = attributes;
  const handlers = Object.entries(attributes).filter(([name]) => name.startsWith("on"));
  return [
    ...LOADED.flatMap(([elements, attribute, directives]) => {
      const address = attributes[attribute];
      if (address === undefined || !elements.split(" ").includes(element)) return [];
      return sourcesAt(directives, address);
    }),
    ...element === "script" && src !== undefined ? scriptAt(src) : [],
    ...element === "link" ? sourcesOfLink(attributes) : [],
    ...srcset === undefined ? [] : sourcesAt(["img-src"], ...addressesOf(srcset)),
    ...style === undefined ? [] : sourcesOfStyle(style),
    ...style === undefined ? [] : ofAttribute("style-src-attr", style),
    ...handlers.flatMap(([, code]) => ofAttribute("script-src-attr", code)),
  ];
}

function sourcesOfLink({ rel = "", href = "" }: Attributes): Source[] {
  return rel.toLowerCase().split(/\s+/).flatMap((one) => {
    if (one === "stylesheet") return styleSheetAt(href);
    return Object.hasOwn(LINKED, one) ? sourcesAt([LINKED[one]!], href) : [];
  });
}

/** Sources of a script, which usually makes requests to its own origin. */
function scriptAt(address: string): Source[] {
  return sourcesAt(["script-src", "connect-src"], address);
}

function ofScript(code: string): Source[] {
  return [["script-src", hashOf(code)]];
}

function ofStyle(code: string): Source[] {
  return [["style-src", hashOf(code)], ...sourcesOfStyle(code)];
}

function ofAttribute(directive: Directive, code: string): Source[] {
  return [[directive, "'unsafe-hashes'"], [directive, hashOf(code)]];
}

function addressesOf(srcset: string): string[] {
  return srcset.split(/,\s+/).map((one) => one.trim().split(/\s+/)[0]!);
}

type Directive =
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

type Source = readonly [Directive, string];

/**
 * Returns the source expression for an address; `undefined` if the policy can't express it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const addresses = ["https://A.example:8443/x", "logo.svg", "data:image/png,", "https://a;b/", "mailto:a@b"];
 * assertEquals(addresses.map(toSource), ["https://a.example:8443", "'self'", "data:", undefined, undefined]);
 * ```
 */
export function toSource(address: string): string | undefined {
  const text = address.trim();
  if (/^data:/i.test(text)) return "data:";
  if (!isAddress(text)) return "'self'";
  const url = URL.parse(text, "https://page.example/");
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!/^(?:[a-z\d._-]+|\[[a-f\d:]+\])(?::\d+)?$/.test(url.host)) return undefined;
  if (text.startsWith("#")) return undefined;
  return text.startsWith("//") ? url.host : url.origin;
}

function sourcesAt(directives: readonly Directive[], ...addresses: string[]): Source[] {
  const origins = addresses.map(toSource).filter((origin) => origin !== undefined);
  return directives.flatMap((directive) => origins.map((origin): Source => [directive, origin]));
}

function hashOf(code: string): string {
  const text = code.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Sources of a style sheet, with images and fonts from its origin. */
function styleSheetAt(address: string): Source[] {
  const beside: Directive[] = ["style-src", "img-src", "font-src"];
  const isOfGoogle = toSource(address) === "https://fonts.googleapis.com";
  return [
    ...sourcesAt(beside, address),
    ...isOfGoogle ? sourcesAt(["font-src"], "https://fonts.gstatic.com") : [],
  ];
}

function sourcesOfStyle(css: string): Source[] {
  const imports = css.matchAll(/@import\s+(?:url\(\s*)?["']?([^"')\s;]+)/gi);
  const others = css.matchAll(/url\(\s*["']?([^"')\s]+)/gi);
  return [
    ...[...imports].flatMap(([, address]) => styleSheetAt(address!)),
    ...sourcesAt(["img-src", "font-src"], ...[...others].map(([, address]) => address!)),
  ];
}
