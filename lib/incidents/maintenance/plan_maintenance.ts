import { LONGEST_WINDOW } from "../../config/keys/maintenance_keys.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";
import { type Maintenance, newMaintenanceId } from "../../history/maintenance.ts";
import type { Effect } from "../../outbox/effect.ts";
import { formatTime, isBefore, utcDay } from "../../time.ts";
import { closeAnnouncement } from "./close_announcement.ts";

/** What is known of maintenance when a run decides. */
export interface KnownMaintenance {
  /** Windows that have a file, by id; of those that are over, some may be missing that began long ago. */
  maintenance: ReadonlyMap<string, Maintenance>;
  /** Ids that are in use. */
  incidentIds: ReadonlySet<string>;
}

/** What is planned when a run decides. */
export interface MaintenancePlans {
  /** Windows of the configuration that go on or are still to come. */
  configured: readonly PlannedWindow[];
  /** Whether the configuration may have others, because some of it can't be read. */
  isPartial?: boolean;
  /** What open issues announce; absent where they could not be read. */
  announced?: readonly PlannedWindow[];
  /** Open issues of which it can't be told what they announce: what was known of that before goes on. */
  unclear?: readonly number[];
  /** Of times in announcements without an offset. */
  timezone: string;
}

/** What becomes of a window. */
export interface MaintenanceChange {
  id: string;
  /** `announce` and `begin` of a new one; `end` also of one that is called off before it begins. */
  action: "announce" | "begin" | "change" | "end";
  maintenance: Maintenance;
}

/** What maintenance comes to at a moment. */
export interface PlannedMaintenance {
  changes: MaintenanceChange[];
  /** All windows that go on or are still to come. */
  windows: PlannedWindow[];
  /** What is owed to issues that are still open though the window that they announce is over. */
  owed: Effect[];
}

/**
 * Brings the files of maintenance windows along: a window of the configuration gets one when it begins,
 * one that an issue announces at once. A window that has begun follows what is said of its end and its
 * sites; it ends when its time is over, and before where its plan is gone. One that somebody has ended
 * before its time does not begin again.
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
  const owed: Effect[] = [];
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
      owed.push(closeAnnouncement({ ...plan, issue: plan.issue! }, timezone));
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
  return { changes, windows: [...going, ...ahead], owed };
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

/** Whether two say the same; in which order they name their sites says nothing. */
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
