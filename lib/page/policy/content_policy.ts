import { ofScript, ofStyle, scriptAt, sourcesOfHtml, sourcesOfLink } from "./html_sources.ts";
import type { PageSettings } from "../settings/page_settings.ts";
import { type Directive, type Source, sourcesAt, styleSheetAt } from "./sources.ts";

/** What pages of which nothing is configured may load: what lies beside them. */
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

/** Everything that further addresses of the owner's may be for. */
const ANYTHING: readonly Directive[] = [
  ...["style-src", "script-src", "img-src", "connect-src", "font-src"] as const,
  ...["media-src", "frame-src"] as const,
];

/** What a policy is made of. */
export type PolicySettings = Pick<
  PageSettings,
  "logo" | "icon" | "themeUrl" | "imageHosts" | "origins" | "live" | "code"
>;

/** The content security policy of all pages: nothing from elsewhere but what the owner names. */
export function contentPolicy(settings: PolicySettings): string {
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
