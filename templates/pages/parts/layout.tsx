import { linksOf, PAGE_PATHS } from "../../../lib/page/page_path.ts";
import type { Content } from "../html.ts";
import type { View } from "../page.ts";
import { Head } from "./head.tsx";
import { Live } from "./live.tsx";
import { ShapeDefinitions } from "./shape.tsx";

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
  const { lang, direction, theme, name, logo, logoHref, links, showsName } = settings;
  const link = linksOf(path, settings.base);
  return (
    <html lang={lang} dir={direction} data-theme={theme === "auto" ? undefined : theme}>
      <Head {...props} />
      <body>
        <a class="skip" href="#content">{language.say("skipToContent")}</a>
        <ShapeDefinitions />
        <header class="top">
          <a class="brand" href={logoHref ?? link(PAGE_PATHS.overview)}>
            {logo !== undefined && <img src={logo} alt={showsName ? "" : name} height="28" />}
            {showsName && <span dir="auto">{name}</span>}
          </a>
          <nav>
            {NAVIGATION.map(([key, target]) => (
              <a href={link(target)} aria-current={target === path ? "page" : undefined}>
                {language.say(key)}
              </a>
            ))}
            {links.map(({ title, href, target }) => <a href={href} target={target}>{title}</a>)}
          </nav>
        </header>
        <main id="content">{children}</main>
        <footer class="bottom">
          <p>
            <a href={link(PAGE_PATHS.about)}>{language.say("navAbout")}</a>
          </p>
          <p>{language.say("footer")}</p>
        </footer>
        <Live view={props.view} path={path} />
      </body>
    </html>
  );
}
