import type { Site } from "../config/config.ts";
import { sitesAmong } from "../config/dependency.ts";
import type { SiteWindow } from "./window.ts";
import type { Condition } from "../state.ts";
import type { CheckResult } from "./judge.ts";

/** What a failure is put down to. */
export interface Cause {
  /** An incident of another site, or an address as configured. */
  id: string;
  /** What people call it. */
  name: string;
}

/** How a site is after a run, for those that depend on it. */
export interface ParentState {
  name: string;
  /** What its failure is put down to, and those of its dependents; absent where it is not down. */
  down?: Cause;
  /** Whether it failed without being down yet. */
  isFailing: boolean;
  /** The maintenance in which it fails; absent where it does not. */
  window?: SiteWindow;
}

/** What explains a failure of a site, of all that it depends on. */
export type Explanation =
  | { kind: "none" }
  | { kind: "down"; cause: Cause }
  | { kind: "maintenance"; name: string; window: SiteWindow }
  | { kind: "failing"; name: string };

/**
 * What explains a failure of a site by what it depends on: what is down counts before what is in maintenance, and that
 * before what is not sure yet; of several the first. `before` is what a failure of the site has been put
 * down to: that stays as long as it is down, and an address is as long as nothing else is known of it.
 */
export function explanationOf(
  { site: { dependsOn }, answers }: Pick<CheckResult, "answers"> & {
    site: Pick<Site, "dependsOn">;
  },
  parents: ReadonlyMap<string, ParentState>,
  before?: string,
): Explanation {
  const causes = dependsOn.flatMap((one): Cause[] => {
    if ("slug" in one) return [parents.get(one.slug)?.down ?? []].flat();
    const { address } = one;
    const isDown = answers?.get(address) === false ||
      (before === address && answers?.get(address) === undefined);
    return isDown ? [{ id: address, name: address }] : [];
  });
  const cause = causes.find(({ id }) => id === before) ?? causes[0];
  if (cause !== undefined) return { kind: "down", cause };
  const others = sitesAmong(dependsOn).flatMap((slug) => parents.get(slug) ?? []);
  for (const { name, window } of others) {
    if (window !== undefined) return { kind: "maintenance", name, window };
  }
  const failing = others.find(({ isFailing }) => isFailing);
  return failing === undefined ? { kind: "none" } : { kind: "failing", name: failing.name };
}

/** What a site's look has come to, and what was known before. */
export interface Concluded {
  /** As the run saw it, and as it counts. */
  look: CheckResult;
  result: CheckResult;
  explanation: Explanation;
  /** How the site was. */
  condition?: Condition;
  /** The maintenance that the run falls into. */
  window?: SiteWindow;
  /** The incident that is open after the run, and what that is put down to. */
  incident?: { id: string; cause?: string };
}

/** How a site is for those that depend on it; of one that nothing was learnt of, how it was. */
export function parentStateOf(
  { look, result, explanation, condition, window, incident }: Concluded,
): ParentState {
  const { name } = look.site;
  const { state } = result;
  const hasFailed = look.state === "down";
  const isDown = state === "down" || (look.state === "unknown" && condition === "down");
  const inherited = explanation.kind === "maintenance" ? explanation.window : undefined;
  const own = hasFailed && state === "maintenance" ? window ?? inherited : undefined;
  const root = incident?.cause !== undefined && explanation.kind === "down"
    ? explanation.cause.name
    : name;
  return {
    name,
    isFailing: hasFailed && state !== "down" && state !== "maintenance",
    ...isDown && incident !== undefined
      ? { down: { id: incident.cause ?? incident.id, name: root } }
      : {},
    ...own === undefined ? {} : { window: own },
  };
}

/** A result that says of a failure what explains it. */
export function explained(result: CheckResult, explanation: Explanation): CheckResult {
  const { state, error } = result;
  if (error === undefined) return result;
  if (explanation.kind === "down" && (state === "down" || state === "degraded")) {
    return { ...result, error: `${error}; it depends on ${explanation.cause.name}, which is down` };
  }
  return explanation.kind === "maintenance" && state === "maintenance"
    ? { ...result, error: `${error}; it depends on ${explanation.name}, which is in maintenance` }
    : result;
}
