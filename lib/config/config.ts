import type { Probe } from "../checks/check.ts";
import type { CommonKeys } from "./site_keys.ts";
import type { TopKeys } from "./top_keys.ts";

/** One monitored endpoint, with every default in place. */
export interface Site extends Omit<CommonKeys, "slug"> {
  /** As people read it: on one line, without characters that steer a terminal. */
  name: string;
  /** The name its files go by; no other site of the configuration has it. */
  slug: string;
  /** HTTP method, where the check has one and the configuration names it. */
  method?: string;
  /** Looks at the site once. */
  probe: Probe;
}

/** A configuration that can be worked with: what was wrong in it has been left out. */
export interface Config extends TopKeys {
  sites: Site[];
}
