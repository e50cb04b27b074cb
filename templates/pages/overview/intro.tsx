import { linksOf, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { View } from "../page.ts";
import { Markdown } from "../parts/markdown.tsx";

/** What the owner says of the page, in Markdown. */
export function Intro({ view }: { view: View }) {
  const { introTitle, introMessage = "" } = view.settings;
  const title = introTitle === undefined ? "" : `# ${plainText(introTitle)}\n\n`;
  if (title + introMessage === "") return null;
  return (
    <section class="intro">
      <Markdown
        text={title + introMessage}
        under={1}
        prefix="intro-"
        view={view}
        link={linksOf(PAGE_PATHS.overview)}
      />
    </section>
  );
}
