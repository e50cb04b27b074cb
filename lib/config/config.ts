import type { CheckName, CheckTarget } from "./checks/mod.ts";
import type { Dependency } from "./dependency.ts";
import type { ConfiguredMaintenance } from "./read_maintenance.ts";
import type { Notification } from "./channels/keys.ts";
import type { PageOptions } from "./page/read_pages.ts";
import type { Website } from "./page/read_website.ts";
import type { Words } from "./page/read_words.ts";
import type { NearMiss } from "./secrets/near_misses.ts";
import type { CommonKeys } from "./keys/site_keys.ts";
import type { TopKeys } from "./keys/top_keys.ts";

/** One monitored endpoint, with every default in place. */
export interface Site extends Omit<CommonKeys, "slug" | "requestTimeout" | "check"> {
  /**
   * The public URL: as configured, without credentials that are written out; references to secrets by
   * their names. Only {@linkcode Site.target} knows more.
   */
  url: string;
  /** As people read it: on one line, without characters that steer a terminal. */
  name: string;
  /** The name its files go by; no other site of the configuration has it. */
  slug: string;
  /** HTTP method, where the check has one and the configuration names it. */
  method?: string;
  /** Milliseconds until a request must be done. */
  requestTimeout: number;
  /** Channels that are told of this site alone. */
  notifications: Notification[];
  /** What it depends on, in the order of the configuration; sites among them lead to no circle. */
  dependsOn: readonly Dependency[];
  /** Names of the secrets it refers to, sorted. */
  secrets: string[];
  /** References that are not replaced, with the secrets that they probably mean. */
  nearMisses: readonly NearMiss[];
  /** Names of secrets that references in other case may mean, in capitals. */
  possibleSecrets: readonly string[];
  check: CheckName;
  /** As its probe reads it, with the address as configured: it is never shown. */
  target: CheckTarget;
}

/** A configuration that can be worked with: what was wrong in it has been left out. */
export interface Config extends TopKeys {
  sites: Site[];
  notifications: Notification[];
  maintenance: ConfiguredMaintenance[];
  "status-website"?: Website;
  i18n: Words;
  pages: PageOptions;
}
