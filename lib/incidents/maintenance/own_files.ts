import type { Maintenance } from "../../history/maintenance.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** A window that is planned, and the files that are of it, the oldest first. */
export interface OwnFiles {
  plan: PlannedWindow;
  own: [id: string, file: Maintenance][];
}

type OwnFile = OwnFiles["own"][number];

/**
 * Finds the files of planned windows: those of the same issue, and of a window of the configuration the one
 * of the same name and begin. Where several share these, as windows without a name do, each gets the one
 * that is most like it.
 */
export function ownFiles(
  plans: readonly PlannedWindow[],
  files: ReadonlyMap<string, Maintenance>,
): OwnFiles[] {
  const byKey = Map.groupBy([...files].filter(counts), ([, file]) => keyOf(file));
  return [...Map.groupBy(plans, keyOf)].flatMap(([key, alike]) => {
    const own = byKey.get(key) ?? [];
    return alike[0]!.source === "issue" ? alike.map((plan) => ({ plan, own })) : shared(alike, own);
  });
}

function keyOf({ source, issue, name, start }: PlannedWindow): string {
  const of = source === "issue" ? [issue] : [start.epochMilliseconds, name];
  return JSON.stringify([source, ...of]);
}

/**
 * A window of the configuration that was called off before it began is none: a clock that was wrong made
 * its file, and its time is still to come.
 */
function counts([, { source, start, end }]: OwnFile): boolean {
  return source === "issue" || end === undefined || !end.equals(start);
}

/** How a file may be like a window, the most telling first. */
const LIKENESSES: readonly ((plan: PlannedWindow, file: Maintenance) => boolean)[] = [
  (plan, file) => plan.until.equals(file.until) && hasSameSites(plan, file),
  hasSameSites,
  (_, { end }) => end === undefined,
  () => true,
];

function hasSameSites({ sites }: PlannedWindow, file: Maintenance): boolean {
  return sites.size === file.sites.size &&
    [...sites].every(([slug, expected]) => file.sites.get(slug) === expected);
}

function shared(plans: readonly PlannedWindow[], files: readonly OwnFile[]): OwnFiles[] {
  const found = new Map<PlannedWindow, OwnFile>();
  const left = new Set(files);
  for (const isLike of LIKENESSES) {
    for (const plan of plans) {
      const own = found.has(plan) ? undefined : [...left].find(([, file]) => isLike(plan, file));
      if (own === undefined) continue;
      found.set(plan, own);
      left.delete(own);
    }
  }
  return plans.map((plan) => {
    const own = found.get(plan);
    return { plan, own: own === undefined ? [] : [own] };
  });
}
