import { LONGEST_WINDOW } from "../../config/read_maintenance.ts";
import {
  type Maintenance,
  newMaintenanceId,
  type PlannedWindow,
} from "../../history/maintenance.ts";
import { formatTime, isBefore, utcDay } from "../../time.ts";

export interface KnownMaintenance {
  /** Windows that have a file, by id; of those that are over, some may be missing that began long ago. */
  maintenance: ReadonlyMap<string, Maintenance>;
  incidentIds: ReadonlySet<string>;
}

export interface MaintenancePlans {
  configured: readonly PlannedWindow[];
  /** True if the configuration may have other windows, because a part of it can't be read. */
  isPartial?: boolean;
  /** Windows that open issues announce; absent if they could not be read. */
  announced?: readonly PlannedWindow[];
  /** Open issues with unreadable announcements: their windows stay as they were. */
  unclear?: readonly number[];
}

export interface MaintenanceChange {
  id: string;
  /** `announce` and `begin` for a new window; `end` also for one that is canceled before its start. */
  action: "announce" | "begin" | "change" | "end";
  maintenance: Maintenance;
}

/** An announced window that is over. */
export type EndedAnnouncement = Pick<Maintenance, "name" | "until"> & { issue: number };

/**
 * Updates the files of maintenance windows. A configured window gets a file at its start, an announced
 * one at once. An ongoing window follows changes of its end and sites; it ends on time, or earlier if its
 * plan is removed. A window that somebody ended early does not start again.
 */
export function planMaintenance(
  { maintenance: known, incidentIds }: KnownMaintenance,
  { configured, isPartial = false, announced, unclear = [] }: MaintenancePlans,
  now: Temporal.Instant,
): {
  changes: MaintenanceChange[];
  /** All ongoing and future windows. */
  windows: PlannedWindow[];
  /** Windows that are over, although their issues are open. */
  over: EndedAnnouncement[];
} {
  const isPlanKnown = ({ source, issue }: Maintenance) =>
    ({
      configuration: !isPartial,
      issue: announced !== undefined && !unclear.includes(issue!),
      hand: false,
    })[source];
  const changes: MaintenanceChange[] = [];
  const files = new Map(known);
  const change = (id: string, action: MaintenanceChange["action"], maintenance: Maintenance) => {
    changes.push({ id, action, maintenance });
    files.set(id, maintenance);
  };
  const planned = findFiles([...configured, ...announced ?? []], known);
  const planOf = new Map(planned.flatMap(({ plan, own }) => own.map(([id]) => [id, plan])));
  for (const [id, file] of known) {
    if (file.end !== undefined) continue;
    const plan = planOf.get(id);
    const next = plan === undefined && isPlanKnown(file)
      ? ended(file, now)
      : followed(id, { file, plan, now });
    if (!isSame(next, file)) change(id, next.end === undefined ? "change" : "end", next);
  }
  const over: EndedAnnouncement[] = [];
  const ahead: PlannedWindow[] = [];
  const taken = new Set(incidentIds);
  for (const { plan, own } of planned) {
    const current = own.map(([id]) => [id, files.get(id)!] as const);
    if (current.some(([, { end }]) => end === undefined)) continue;
    const [lastId, last] = current.at(-1) ?? [];
    const isAhead = isBefore(now, plan.start);
    const isOver = !isBefore(now, plan.until);
    const maintenance = { kind: "maintenance" as const, ...plan, updates: [] };
    const id = newMaintenanceId(plan, taken);
    if (plan.source === "issue" && isOver) {
      over.push({ ...plan, issue: plan.issue! });
    } else if (plan.source === "issue") {
      taken.add(id);
      // An issue that announces a past start again starts now.
      const isRepeated = last !== undefined && isBefore(plan.start, last.end!);
      const start = isRepeated && !isAhead ? now : plan.start;
      change(id, isAhead ? "announce" : "begin", { ...maintenance, start });
    } else if (isAhead) {
      ahead.push(plan);
    } else if (last === undefined && !isOver) {
      taken.add(id);
      change(id, "begin", maintenance);
    } else if (last !== undefined && !isOver && !isBefore(last.end!, last.until)) {
      // It was over and is ongoing again: its end was postponed, or a clock was wrong.
      const { end: _, ...file } = last;
      change(lastId!, "change", { ...file, ...plan });
    }
  }
  const going = [...files.values()].filter(({ end }) => end === undefined);
  return { changes, windows: [...going, ...ahead], over };
}

/** An ongoing or future window with its present plan; one that has started keeps its start. */
function followed(
  id: string,
  { file, plan, now }: { file: Maintenance; plan?: PlannedWindow; now: Temporal.Instant },
): Maintenance {
  const hasBegun = !isBefore(now, file.start);
  if (plan !== undefined) {
    // A window that is postponed after its start is another one, also if its new start has passed by now:
    // else the sites of the new one would count as in maintenance since the start of the old one.
    const isPostponed = plan.start.epochMilliseconds > file.start.epochMilliseconds;
    if (hasBegun && isPostponed) return ended(file, isBefore(now, plan.start) ? now : plan.start);
    // Files are looked for by their day, up to a limit.
    const furthest = plan.start.subtract({ milliseconds: LONGEST_WINDOW });
    if (isBefore(now, plan.start) && id.slice(0, 10) < utcDay(furthest)) return ended(file, now);
  }
  const start = hasBegun || plan === undefined ? file.start : plan.start;
  const next = { ...file, ...plan, start };
  return isBefore(now, next.until) ? next : ended(next, now);
}

/** Ends a window now at the latest; one that is canceled before its start has no length. */
function ended(file: Maintenance, now: Temporal.Instant): Maintenance {
  const end = isBefore(now, file.until) ? now : file.until;
  return { ...file, end: isBefore(end, file.start) ? file.start : end };
}

function isSame(one: Maintenance, other: Maintenance): boolean {
  const plain = ({ sites, start, until, end, ...rest }: Maintenance) =>
    JSON.stringify([
      Object.entries(rest).sort(),
      [...sites].sort(),
      ...[start, until, end].map((time) => time && formatTime(time)),
    ]);
  return plain(one) === plain(other);
}

type OwnFile = [id: string, file: Maintenance];

/**
 * Finds the files of planned windows, the oldest first: by issue, or by name and start for configured windows. Of
 * configured windows that share these each gets the file with its sites, else one that no other has.
 */
function findFiles(
  plans: readonly PlannedWindow[],
  files: ReadonlyMap<string, Maintenance>,
): { plan: PlannedWindow; own: OwnFile[] }[] {
  // A configured window that was called off before its start was made by a wrong clock.
  const counts = ([, { source, start, end }]: OwnFile) =>
    source === "issue" || end === undefined || !end.equals(start);
  const byKey = Map.groupBy([...files].filter(counts), ([, file]) => toKey(file));
  const toSitesKey = ({ sites }: PlannedWindow) => [...sites.keys()].sort().join();
  const taken = new Set<OwnFile>();
  const take = (file: OwnFile | undefined) => {
    if (file !== undefined) taken.add(file);
    return file;
  };
  const found = plans.map((plan) => {
    const alike = byKey.get(toKey(plan)) ?? [];
    const isSame = (one: OwnFile) => !taken.has(one) && toSitesKey(one[1]) === toSitesKey(plan);
    return { plan, alike, same: plan.source === "issue" ? undefined : take(alike.find(isSame)) };
  });
  return found.map(({ plan, alike, same }) => {
    if (plan.source === "issue") return { plan, own: alike };
    const free = alike.filter((one) => !taken.has(one));
    const own = same ?? take(free.find(([, { end }]) => end === undefined) ?? free[0]);
    return { plan, own: own === undefined ? [] : [own] };
  });
}

function toKey({ source, issue, name, start }: PlannedWindow): string {
  return JSON.stringify([source, ...source === "issue" ? [issue] : [formatTime(start), name]]);
}
