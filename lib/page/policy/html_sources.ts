import { HtmlParser } from "../html_parser.ts";
import {
  type Directive,
  hashOf,
  type Source,
  sourcesAt,
  sourcesOfStyle,
  styleSheetAt,
} from "./sources.ts";

/** What elements load by which attribute, and which part of a policy says whether they may. */
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

/** Links of the head, by what they are for. */
const LINKED: Readonly<Record<string, Directive>> = {
  icon: "img-src",
  "apple-touch-icon": "img-src",
  manifest: "manifest-src",
  modulepreload: "script-src",
};

type Attributes = Readonly<Record<string, string>>;

/** Everything that HTML loads or runs. */
export function sourcesOfHtml(html: string): Source[] {
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

/** What a link of the head loads. */
export function sourcesOfLink({ rel = "", href = "" }: Attributes): Source[] {
  return rel.toLowerCase().split(/\s+/).flatMap((one) => {
    if (one === "stylesheet") return styleSheetAt(href);
    return Object.hasOwn(LINKED, one) ? sourcesAt([LINKED[one]!], href) : [];
  });
}

/** A script from an address, which usually tells something to where it comes from. */
export function scriptAt(address: string): Source[] {
  return sourcesAt(["script-src", "connect-src"], address);
}

/** A script that stands in the page. */
export function ofScript(code: string): Source[] {
  return [["script-src", hashOf(code)]];
}

/** A style that stands in the page. */
export function ofStyle(code: string): Source[] {
  return [["style-src", hashOf(code)], ...sourcesOfStyle(code)];
}

function ofAttribute(directive: Directive, code: string): Source[] {
  return [[directive, "'unsafe-hashes'"], [directive, hashOf(code)]];
}

function addressesOf(srcset: string): string[] {
  return srcset.split(/,\s+/).map((one) => one.trim().split(/\s+/)[0]!);
}
