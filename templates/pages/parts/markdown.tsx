import type { PageSettings } from "../../../lib/page/page_settings.ts";
import type { Language } from "../language.ts";
import { addressesOf } from "../markdown/addresses.ts";
import { allowedHtml } from "../markdown/allowed_html.ts";
import { rawHtml } from "../markdown/raw_html.ts";

/** What somebody wrote in Markdown, whom nobody has to trust. */
export interface MarkdownProps {
  text: string;
  /** The rank of the heading that it stands under. */
  under: number;
  /** What the ids in it begin with: no other text of the page has the same. */
  prefix: string;
  settings: Pick<PageSettings, "imageHosts">;
  language: Language;
  /** How the page refers to files of the status page. */
  link(target: string): string;
  /** Where the whole text stands, for the rest of a very long one. */
  source?: string;
}

/** A text in Markdown with nothing that could do harm; very long ones are cut. */
export function Markdown(props: MarkdownProps) {
  const { text, under, prefix, settings, language, link, source } = props;
  const { html, isCut } = rawHtml(
    text,
    (number) => language.say("footnoteBack", { NUMBER: language.number(number) }),
  );
  const allowed = allowedHtml(html, {
    addresses: addressesOf({ link, imageHosts: settings.imageHosts }),
    ...{ under, prefix, tableLabel: language.say("table") },
  });
  return [
    <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: allowed }} />,
    isCut && (
      <p class="muted">
        {language.say("textCut")} {source !== undefined && <a href={source}>{source}</a>}
      </p>
    ),
  ];
}
