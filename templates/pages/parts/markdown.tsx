import { type Link, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { addressesOf } from "../markdown/addresses.ts";
import { allowedHtml } from "../markdown/allowed_html.ts";
import { rawHtml } from "../markdown/raw_html.ts";
import type { View } from "../page.ts";

/** What somebody wrote in Markdown, whom nobody has to trust. */
export interface MarkdownProps {
  text: string;
  /** The rank of the heading that it stands under. */
  under: number;
  /** What the ids in it begin with: no other text of the page has the same. */
  prefix: string;
  view: Pick<View, "assets" | "language" | "settings">;
  link: Link;
  /** Where the whole text stands, for the rest of a very long one. */
  source?: string;
}

/** A text in Markdown with nothing that could do harm; very long ones are cut. */
export function Markdown({ text, under, prefix, view, link, source }: MarkdownProps) {
  const { assets, language, settings: { imageHosts } } = view;
  const { html, isCut } = rawHtml(text, {
    title: language.say("footnotes"),
    back: (number) => language.say("footnoteBack", { NUMBER: language.number(number) }),
  });
  const isThere = (path: string) => assets.has(path) || PAGES.includes(path);
  const linkTo = (path: string) => isThere(path) ? link(path) : undefined;
  const allowed = allowedHtml(html, {
    addresses: addressesOf({ linkTo, imageHosts }),
    ...{ under, prefix, tableLabel: language.say("table") },
  });
  return [
    <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: allowed }} />,
    isCut && (
      <p class="muted">
        {language.say("textCut")}{" "}
        {source !== undefined && <a href={source}>{language.say("incidentViewOnGitHub")}</a>}
      </p>
    ),
  ];
}

const PAGES: readonly string[] = Object.values(PAGE_PATHS);
