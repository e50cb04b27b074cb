import { type Link, sitePagePath } from "../../../lib/config/page_path.ts";
import { shorten } from "../../../lib/text/plain_text.ts";
import type { Content } from "../html.ts";
import type { View } from "../page.ts";
import { nameOf, siteOf } from "../site_of.ts";

/** More characters of a name than these no line shows. */
const LONGEST_NAME = 80;

/** What names a site where it is told of, and leads to its page where it has one. */
export function SiteLink(
  { slug, view: { report }, link }: {
    slug: string;
    view: Pick<View, "report">;
    link: Link;
  },
) {
  const name = shorten(nameOf(slug, report), LONGEST_NAME);
  if (siteOf(slug, report) === undefined) return <bdi>{name}</bdi>;
  return <a href={link(sitePagePath(slug))} dir="auto">{name}</a>;
}

/** The names of sites one after another, of very many the first ones. */
export function SiteLinks(
  { slugs, view, link }: { slugs: readonly string[]; view: View; link: Link },
) {
  const shown = slugs.slice(0, MOST);
  const rest = slugs.length - shown.length;
  const { language } = view;
  return [
    ...shown.flatMap((slug, index): Content[] => [
      index === 0 ? "" : ", ",
      <SiteLink slug={slug} view={view} link={link} />,
    ]),
    rest === 0 ? "" : ` ${language.say("andMore", { COUNT: language.number(rest) })}`,
  ];
}

/** More names than these no line has. */
const MOST = 8;
