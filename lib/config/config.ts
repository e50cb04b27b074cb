import type { CheckName, CheckTarget } from "./checks/mod.ts";
import type { Dependency } from "./dependency.ts";
import type { Notification } from "./channels/keys.ts";
import type { PageConfig } from "./page/read_page.ts";
import type { ScheduleTimes } from "./schedule.ts";
import type { NearMiss } from "./references.ts";
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
  /** HTTP method, if the check has one and the configuration names it. */
  method?: string;
  /** Milliseconds until a request must be done. */
  requestTimeout: number;
  /** Channels notified of this site only. */
  notifications: Notification[];
  /** Its dependencies, in the order of the configuration; sites among them form no cycle. */
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

/** A maintenance window of the configuration. */
export interface ConfiguredMaintenance {
  name: string;
  /** Slugs of the sites that it concerns; at least one. */
  sites: readonly string[];
  /** Its start: once, or repeatedly by a schedule in its time zone. */
  begins: Temporal.Instant | ScheduleTimes;
  /** Milliseconds that it lasts: less than from one start to the next. */
  duration: number;
  timezone: string;
}

/** A configuration without the values that could not be used. */
export interface Config extends TopKeys, PageConfig {
  sites: Site[];
  notifications: Notification[];
  maintenance: ConfiguredMaintenance[];
}
