import { type Link, PAGE_PATHS } from "../../../lib/page/page_path.ts";
import type { View } from "../page.ts";
import { Markdown } from "../parts/markdown.tsx";

/** The end of every page: where its numbers come from, and the owner's words in place of ours. */
export function PageFooter({ view, link }: { view: View; link: Link }) {
  const { settings: { footer }, language } = view;
  return (
    <footer class="bottom">
      <p>
        <a href={link(PAGE_PATHS.about)}>{language.say("navAbout")}</a>
      </p>
      {footer === undefined && <p>{language.say("footer")}</p>}
      {footer !== undefined && footer !== "" && (
        <Markdown text={footer} under={2} prefix="footer-" view={view} link={link} />
      )}
    </footer>
  );
}
