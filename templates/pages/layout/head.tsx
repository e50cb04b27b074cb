import { addressAt, linksOf, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { placeLink } from "../../../lib/page/settings/place.ts";
import { plainText } from "../../../lib/text/plain_text.ts";
import { metaTags } from "./meta_tags.ts";
import { STYLE } from "../style.ts";
import { versioned } from "../versioned.ts";
import type { LayoutProps } from "./layout.tsx";
import { Live } from "./live.tsx";
import { Meta } from "./meta.tsx";
import { OwnerHead } from "./owner_code.tsx";

/** The head of every page. The policy counts for all that stands behind it. */
export function Head({ view, path, title: own, description }: LayoutProps) {
  const { settings } = view;
  const link = linksOf(path, settings.base);
  const name = plainText(settings.name);
  const title = own === undefined ? name : `${plainText(own)} – ${name}`;
  const described = { path, title, description: plainText(description) };
  const { address, icon } = settings;
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={settings.policy} />
      <title>{title}</title>
      {metaTags(settings, described).map((tag) => <Meta {...tag} />)}
      {address !== undefined && path !== PAGE_PATHS.notFound && (
        <link rel="canonical" href={addressAt(address, path)} />
      )}
      <link rel="icon" href={icon === undefined ? link(PAGE_PATHS.icon) : placeLink(icon, link)} />
      <link rel="stylesheet" href={versioned(link(PAGE_PATHS.style), STYLE)} />
      <Live view={view} path={path} />
      <OwnerHead settings={settings} link={link} />
    </head>
  );
}
