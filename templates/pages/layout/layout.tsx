import { type Link, linksOf, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { placeLink } from "../../../lib/page/settings/place.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import type { Content } from "../html.ts";
import type { View } from "../page.ts";
import { Head } from "./head.tsx";
import { LiveNote } from "./live.tsx";
import { OwnerHtml } from "./owner_code.tsx";
import { PageFooter } from "./page_footer.tsx";
import { SHAPE_DEFINITIONS } from "../parts/shape.tsx";

/** What a page is, beside its content. */
export interface LayoutProps {
  view: View;
  /** Where it is, from the top of the status page. */
  path: string;
  /** What stands in the title of the window before the name of the status page; absent on the overview. */
  title?: string;
  /** One sentence, for search engines and previews. */
  description: string;
  children: Content;
}

const NAVIGATION = [
  ["navStatus", PAGE_PATHS.overview],
  ["navIncidents", PAGE_PATHS.incidents],
  ["navMaintenance", PAGE_PATHS.maintenance],
] as const;

/** What surrounds the content of every page. */
export function Layout(props: LayoutProps) {
  const { view: { settings, language }, path, children } = props;
  const { lang, direction, theme, links, code } = settings;
  const link = linksOf(path, settings.base);
  return (
    <html lang={lang} dir={direction} data-theme={theme === "auto" ? undefined : theme}>
      <Head {...props} />
      <body>
        <OwnerHtml html={code.body} />
        <a class="skip" href="#content">{language.say("skipToContent")}</a>
        {SHAPE_DEFINITIONS}
        <header class="top">
          <Brand settings={settings} link={link} />
          <nav>
            {NAVIGATION.map(([key, target]) => (
              <a href={link(target)} aria-current={target === path ? "page" : undefined}>
                {language.say(key)}
              </a>
            ))}
            {links.map(({ title, href, target }) => (
              <a href={placeLink(href, link)} target={target} dir="auto">{plainText(title)}</a>
            ))}
          </nav>
        </header>
        <LiveNote view={props.view} />
        <main id="content">{children}</main>
        <PageFooter view={props.view} path={path} link={link} />
        <OwnerHtml html={code.foot} />
      </body>
    </html>
  );
}

/** The name and the logo of a page, which lead to its overview or where its owner wants. */
function Brand(
  { settings: { name, logo, logoHref, showsName }, link }: Pick<View, "settings"> & { link: Link },
) {
  const href = logoHref === undefined ? link(PAGE_PATHS.overview) : placeLink(logoHref, link);
  return (
    <a class="brand" href={href}>
      {logo !== undefined && (
        <img src={placeLink(logo, link)} alt={showsName ? "" : name} height="28" />
      )}
      {showsName && <span dir="auto">{name}</span>}
    </a>
  );
}
