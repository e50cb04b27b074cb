import type { Link } from "../../../lib/config/page_path.ts";
import type { PageSettings } from "../../../lib/page/settings/page_settings.ts";
import { placeLink } from "../../../lib/page/settings/place.ts";
import { unescaped } from "../html.ts";
import { Meta } from "./meta.tsx";

/** HTML of the owner's, as it stands. */
export function OwnerHtml({ html }: { html?: string }) {
  return html === undefined ? null : unescaped(html);
}

/** What the owner adds to the head: behind ours, so that it counts before it. */
export function OwnerHead(
  { settings, link }: {
    settings: Pick<PageSettings, "code" | "themeUrl">;
    link: Link;
  },
) {
  const { code: { head, js, css, scripts, links, metaTags }, themeUrl } = settings;
  return (
    <>
      {metaTags.map((tag) => <Meta {...tag} />)}
      {themeUrl !== undefined && <link rel="stylesheet" href={placeLink(themeUrl, link)} />}
      {links.map(({ rel, href, media }) => (
        <link rel={rel} href={placeLink(href, link)} media={media} />
      ))}
      {css !== undefined && <style dangerouslySetInnerHTML={{ __html: css }} />}
      {scripts.map(({ src, async }) => <script src={placeLink(src, link)} async={async} />)}
      {js !== undefined && <script dangerouslySetInnerHTML={{ __html: js }} />}
      <OwnerHtml html={head} />
    </>
  );
}
