import { type Phase, PHASES } from "../history/yaml_file.ts";
import type { Language } from "../text/language.ts";

/** What phases are called in each language. */
export const PHASE_KEYS = {
  investigating: "investigating",
  identified: "identified",
  monitoring: "monitoring",
  resolved: "resolved",
  "post-mortem": "postMortem",
} as const satisfies Record<Phase, string>;
