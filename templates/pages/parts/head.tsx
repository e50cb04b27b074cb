import { linksOf, PAGE_PATHS } from "../../../lib/page/page_path.ts";
import type { LayoutProps } from "./layout.tsx";

/** The head of every page. */
export function Head({ view: { settings }, path, title, description }: LayoutProps) {
  const link = linksOf(path, settings.base);
  return (
    <head>
      <meta charset="utf-8" />
      <title>{title === undefined ? settings.name : `${title} – ${settings.name}`}</title>
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <meta name="description" content={description} />
      <link rel="stylesheet" href={link(PAGE_PATHS.style)} />
    </head>
  );
}
