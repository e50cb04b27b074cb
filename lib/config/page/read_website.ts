import * as v from "valibot";
import { WEBSITE_KEYS } from "../keys/page_keys.ts";
import type { Problem } from "../../io/problem.ts";
import {
  meantAddress,
  meantDomain,
  meantFlag,
  meantList,
  meantPath,
  meantScript,
  meantWord,
} from "./guesses.ts";
import { readPart } from "./read_part.ts";

const WEBSITE = v.object(WEBSITE_KEYS);
/** `status-website` as read. */
export type Website = v.InferOutput<typeof WEBSITE>;

const ADDRESSES = { href: meantAddress, src: meantAddress };

/** Reads `status-website`: what is wrong in it costs nothing but itself. */
export function readWebsite(value: unknown): { website?: Website; problems: Problem[] } {
  if (value === undefined) return { problems: [] };
  const { values, problems } = readPart(value, {
    path: ["status-website"],
    keys: WEBSITE_KEYS,
    guesses: {
      ...{ hideNavLogo: meantFlag, hideNavTitle: meantFlag, navbarGitHub: meantFlag },
      ...{ publish: meantFlag, singleCommit: meantFlag },
      ...{ cname: meantDomain, baseUrl: meantPath, theme: meantWord },
      ...{ logoUrl: meantAddress, logoHref: meantAddress, themeUrl: meantAddress },
      ...{ favicon: meantAddress, faviconSvg: meantAddress },
      ...{ navbar: meantList, scripts: meantList, links: meantList, metaTags: meantList },
    },
    items: {
      navbar: { guesses: ADDRESSES, aliases: { url: "href" } },
      scripts: { guess: meantScript, guesses: { ...ADDRESSES, async: meantFlag } },
      links: { guesses: ADDRESSES },
      metaTags: {},
    },
  });
  return { website: values, problems };
}
