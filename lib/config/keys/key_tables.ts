import * as v from "valibot";
import { GROUP_KEYS } from "../groups.ts";
import { CHECK_KINDS } from "../checks/mod.ts";
import { MAINTENANCE_KEYS } from "../read_maintenance.ts";
import { DEPENDENCY_KEYS, SHARED_KEYS, SITE_KEYS, UNSUPPORTED_SITE_KEYS } from "./site_keys.ts";
import { LOCATION_KEYS, SITE_LOCATION_KEYS } from "./location_keys.ts";
import { NOTIFICATION } from "../channels/keys.ts";
import { PAGES_KEYS, WEBSITE_KEYS } from "../page/page_keys.ts";
import { TOP_KEYS, UNSUPPORTED_TOP_KEYS } from "./top_keys.ts";
import { SITE_ALIASES } from "../upptime/spellings.ts";
import { unwrapped } from "./read_keys.ts";
import { about, list, map, optional, withoutEffect } from "./values.ts";

export const CHECK_KEYS: v.ObjectEntries = Object.assign(
  {},
  ...Object.values(CHECK_KINDS).map(({ keys }) => keys),
);

const { expectedStatusCodes, maxRedirects, redirects } = CHECK_KINDS.http.keys;
const { expiresWithin } = CHECK_KINDS.ssl.keys;
const { quorum, partial } = SITE_LOCATION_KEYS;

/** Keys that the top level sets for all sites. */
export const ALL_SHARED_KEYS = {
  ...SHARED_KEYS,
  ...{ expectedStatusCodes, maxRedirects, redirects, expiresWithin },
  ...{ quorum, partial },
};

const { name: _name, url: _url, slug: _slug, ...COMMON_KEYS } = SITE_KEYS;

/** Keys that `defaults:` may hold: all of a site's except those that distinguish sites. */
export const DEFAULT_KEYS: v.ObjectEntries = {
  ...SHARED_KEYS,
  ...COMMON_KEYS,
  ...DEPENDENCY_KEYS,
  ...CHECK_KEYS,
};

const SPELLINGS = Object.fromEntries(
  Object.entries(SITE_ALIASES).map(([alias, key]) => [
    alias,
    optional(`Another spelling of ${key}.`, unwrapped(DEFAULT_KEYS[key]!)),
  ]),
);

export const KNOWN_SITE_KEYS = {
  ...SITE_KEYS,
  // A heartbeat has none.
  url: v.optional(SITE_KEYS.url),
  ...DEPENDENCY_KEYS,
  ...SHARED_KEYS,
  ...CHECK_KEYS,
  notifications: optional("Channels notified only about this site.", list(NOTIFICATION)),
  ...UNSUPPORTED_SITE_KEYS,
  ...SPELLINGS,
};

export const KNOWN_TOP_KEYS = {
  sites: about("Sites to monitor.", list(map(KNOWN_SITE_KEYS))),
  defaults: optional(
    "Site keys that apply to all sites; a site's own keys win.",
    map({
      ...DEFAULT_KEYS,
      ...UNSUPPORTED_SITE_KEYS,
      ...SPELLINGS,
      ...withoutEffect({
        name: "each site has its own",
        url: "each site has its own",
        slug: "each site has its own",
      }, "warning"),
    }),
  ),
  notifications: optional("Channels notified about every site.", list(NOTIFICATION)),
  groups: optional("Groups of sites, in the order in which they are shown.", list(map(GROUP_KEYS))),
  maintenance: optional(
    "Maintenance windows: no alerts are sent, and the time is excluded from uptime.",
    list(map(MAINTENANCE_KEYS)),
  ),
  locations: optional(
    "Places from which sites are checked: runners, and probes of Globalping.",
    list(map(LOCATION_KEYS)),
  ),
  ...ALL_SHARED_KEYS,
  ...TOP_KEYS,
  "status-website": optional("The status page.", map(WEBSITE_KEYS)),
  i18n: optional(
    "Own texts by their keys, in place of those of the language.",
    v.record(v.string(), v.union([v.string(), v.number()])),
  ),
  pages: optional("Further options of the status page.", map(PAGES_KEYS)),
  ...UNSUPPORTED_TOP_KEYS,
  ...SPELLINGS,
};
