import { overallAt } from "../../lib/page/overall_at.ts";
import type { ReadmeTexts } from "../../lib/setup/readme/fill_places.ts";
import { inertMarkdown } from "../markdown.ts";
import { inlineText } from "./inline_html.ts";
import type { ReadmeView } from "./readme_view.ts";
import { overallWords } from "./state_words.ts";

/** How everything is, in one sentence. */
export function liveStatus({ report, language }: ReadmeView): ReadmeTexts["live"] {
  const text = overallWords(overallAt(report), language);
  return {
    markdown: `**${inertMarkdown(text)}**`,
    html: `<strong>${inlineText(text)}</strong>`,
  };
}
