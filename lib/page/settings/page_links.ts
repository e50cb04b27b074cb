import type { Website } from "../../config/page/read_website.ts";
import type { Messages } from "../../text/messages/messages.ts";
import type { PageLink } from "./page_settings.ts";
import { type Home, isAddress, placeOf } from "./place.ts";

/** What stands for the repository in what the owner writes. */
export interface RepositoryNames {
  OWNER?: string;
  REPO?: string;
}

/** Owner and name of the repository with a page. */
export function namesOfRepository(repository: string | undefined): RepositoryNames {
  const [, OWNER, REPO] = /^https?:\/\/[^/]+\/([^/]+)\/([^/]+)$/.exec(repository ?? "") ?? [];
  return { OWNER, REPO };
}

/** The links that the owner wants at the top, and what they call the one to the overview, which is there anyway. */
export interface OwnerLinks {
  links: PageLink[];
  overview?: string;
}

/** The links at the top beside ours: as configured, else to the repository. Links that lead nowhere are left out. */
export function ownerLinks(
  { navbar, navbarGitHub = navbar === undefined }: Pick<Website, "navbar" | "navbarGitHub">,
  home: Home,
  messages: Messages,
): OwnerLinks {
  const names = namesOfRepository(home.repository);
  const all = (navbar ?? []).flatMap(({ title, href, target }): PageLink[] => {
    const place = placeOf(filled(href, names), home);
    if (/\$(?:OWNER|REPO)/.test(place) || !leadsSomewhere(place)) return [];
    return [{ title, href: place, target }];
  });
  const links = all.filter(({ href }) => !isOverview(href));
  const { repository } = home;
  if (navbarGitHub && repository !== undefined && links.every(({ href }) => href !== repository)) {
    links.push({ title: messages.navGitHub, href: repository });
  }
  return { links, overview: all.find(({ href }) => isOverview(href))?.title };
}

/** A text with owner and name of the repository put in, where they are known. */
function filled(text: string, names: RepositoryNames): string {
  return text.replace(
    /\$(OWNER|REPO)(?![A-Z_])/g,
    (all, name: keyof RepositoryNames) => names[name] ?? all,
  );
}

function leadsSomewhere(place: string): boolean {
  return !isAddress(place) || URL.parse(place, "https://page.example/") !== null;
}

function isOverview(place: string): boolean {
  return /^(?:index\.html)?(?:#.*)?$/.test(place);
}
