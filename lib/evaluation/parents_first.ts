import { sitesAmong } from "../config/dependency.ts";
import type { CheckResult } from "./judge.ts";

/** Looks in an order in which each comes after those at the sites that its site depends on. */
export function parentsFirst(looks: readonly CheckResult[]): CheckResult[] {
  const bySlug = new Map(looks.map((look) => [look.site.slug, look]));
  const ordered = new Set<CheckResult>();
  const entered = new Set<CheckResult>();
  const add = (look: CheckResult) => {
    if (entered.has(look)) return;
    entered.add(look);
    for (const slug of sitesAmong(look.site.dependsOn)) {
      const parent = bySlug.get(slug);
      if (parent !== undefined) add(parent);
    }
    ordered.add(look);
  };
  looks.forEach(add);
  return [...ordered];
}
