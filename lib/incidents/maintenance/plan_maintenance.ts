import { LONGEST_WINDOW } from "../../config/keys/maintenance_keys.ts";
import {
  type Maintenance,
  newMaintenanceId,
  type PlannedWindow,
} from "../../history/maintenance.ts";
import type { Effect } from "../../outbox/effect.ts";
import { formatTime, isBefore, utcDay } from "../../time.ts";
import { closeAnnouncement } from "./close_announcement.ts";

/** The stored maintenance windows. */
export interface KnownMaintenance {
  /** Windows that have a file, by id; of those that are over, some may be missing that began long ago. */
  maintenance: ReadonlyMap<string, Maintenance>;
  /** Ids that are in use. */
  incidentIds: ReadonlySet<string>;
}

/** The planned maintenance windows. */
export interface MaintenancePlans {
  /** Windows of the configuration that go on or are still to come. */
  configured: readonly PlannedWindow[];
  /** True if the configuration may have other windows, because a part of it can't be read. */
  isPartial?: boolean;
  /** Windows that open issues announce; absent if they could not be read. */
  announced?: readonly PlannedWindow[];
  /** Open issues with unreadable announcements: their windows stay as they were. */
  unclear?: readonly number[];
  /** Time zone of times without an offset in announcements. */
  timezone: string;
}

export interface MaintenanceChange {
  id: string;
  /** `announce` and `begin` for a new window; `end` also for one that is cancelled before its start. */
  action: "announce" | "begin" | "change" | "end";
  maintenance: Maintenance;
}

interface PlannedMaintenance {
  changes: MaintenanceChange[];
  /** All ongoing and future windows. */
  windows: PlannedWindow[];
  /** Effects for issues that are open although their window is over. */
  effects: Effect[];
}

/**
 * Updates the files of maintenance windows. A configured window gets a file at its start, an announced
 * one at once. An ongoing window follows changes of its end and sites; it ends on time, or earlier if its
 * plan is removed. A window that somebody ended early does not start again.
 */
export function planMaintenance(
  { maintenance: known, incidentIds }: KnownMaintenance,
  { configured, isPartial = false, announced, unclear = [], timezone }: MaintenancePlans,
  now: Temporal.Instant,
): PlannedMaintenance {
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
  const planned = ownFiles([...configured, ...announced ?? []], known);
  const planOf = new Map(planned.flatMap(({ plan, own }) => own.map(([id]) => [id, plan])));
  for (const [id, file] of known) {
    if (file.end !== undefined) continue;
    const plan = planOf.get(id);
    const next = plan === undefined && isPlanKnown(file)
      ? ended(file, now)
      : followed(id, { file, plan, now });
    if (!isSame(next, file)) change(id, next.end === undefined ? "change" : "end", next);
  }
  const effects: Effect[] = [];
  const ahead: PlannedWindow[] = [];
  const taken = new Set(incidentIds);
  for (const { plan, own } of planned) {
    const current = own.map(([id]): OwnFiles["own"][number] => [id, files.get(id)!]);
    if (current.some(([, { end }]) => end === undefined)) continue;
    const [lastId, last] = current.at(-1) ?? [];
    const isAhead = isBefore(now, plan.start);
    const isOver = !isBefore(now, plan.until);
    const maintenance = { kind: "maintenance" as const, ...plan, updates: [] };
    const id = newMaintenanceId(plan, taken);
    if (plan.source === "issue" && isOver) {
      effects.push(closeAnnouncement({ ...plan, issue: plan.issue! }, timezone));
    } else if (plan.source === "issue") {
      taken.add(id);
      // An issue that announces a time again which is over already, starts again now.
      const isRepeated = last !== undefined && isBefore(plan.start, last.end!);
      const start = isRepeated && !isAhead ? now : plan.start;
      change(id, isAhead ? "announce" : "begin", { ...maintenance, start });
    } else if (isAhead) {
      ahead.push(plan);
    } else if (last === undefined && !isOver) {
      taken.add(id);
      change(id, "begin", maintenance);
    } else if (last !== undefined && !isOver && !isBefore(last.end!, last.until)) {
      // It was over, and goes on: somebody has seen that it takes longer, or a clock was wrong.
      const { end: _, ...file } = last;
      change(lastId!, "change", { ...file, ...plan });
    }
  }
  const going = [...files.values()].filter(({ end }) => end === undefined);
  return { changes, windows: [...going, ...ahead], effects };
}

/** A window that goes on or is still to come, as its plan says now; one that has begun began when it did. */
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
  const told = {
    ...file,
    ...plan,
    start: hasBegun || plan === undefined ? file.start : plan.start,
  };
  return isBefore(now, told.until) ? told : ended(told, now);
}

/** A window that is over now, if it was not before; one that is called off before it began lasts no time. */
function ended(file: Maintenance, now: Temporal.Instant): Maintenance {
  const end = isBefore(now, file.until) ? now : file.until;
  return { ...file, end: isBefore(end, file.start) ? file.start : end };
}

/** Compares two windows, ignoring the order of their sites. */
function isSame(one: Maintenance, other: Maintenance): boolean {
  const plain = ({ sites, start, until, end, ...rest }: Maintenance) =>
    JSON.stringify([
      Object.entries(rest).sort(),
      [...sites].sort(),
      ...[start, until, end].map((time) => time && formatTime(time)),
    ]);
  return plain(one) === plain(other);
}

/** A window that is planned, and the files that are of it, the oldest first. */
interface OwnFiles {
  plan: PlannedWindow;
  own: [id: string, file: Maintenance][];
}

type OwnFile = OwnFiles["own"][number];

/**
 * Finds the files of planned windows: by issue, or by name and start for configured windows. If several
 * windows share these, each gets the most similar file.
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

/** Similarities of a file and a window, the strongest first. */
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
