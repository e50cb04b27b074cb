import { type Link, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import type { View } from "../page.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Time } from "../parts/time.tsx";

/** The end of every page: where its numbers come from, and the owner's words in place of ours. The overview alone says when it was built: the others stay byte for byte the same. */
export function PageFooter({ view, path, link }: { view: View; path: string; link: Link }) {
  const { settings: { footer }, language, built } = view;
  return (
    <footer class="bottom">
      <p>
        <a href={link(PAGE_PATHS.about)}>{language.say("navAbout")}</a>
      </p>
      {path === PAGE_PATHS.overview && (
        <p class="times">
          {language.tell("pageBuilt", { TIME: <Time at={built} language={language} /> })}
        </p>
      )}
      {footer === undefined && <p>{language.say("footer")}</p>}
      {footer !== undefined && footer !== "" && (
        <Markdown text={footer} under={2} prefix="footer-" view={view} link={link} />
      )}
    </footer>
  );
}
