import { type Maintenance, newMaintenanceId } from "../history/maintenance.ts";
import type { Effect } from "../outbox/effect.ts";
import { formatTime } from "../time.ts";
import { closeAnnouncement } from "./close_announcement.ts";
import type { PlannedWindow } from "./window.ts";

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
  { configured, isPartial = false, announced, timezone }: MaintenancePlans,
  now: Temporal.Instant,
): PlannedMaintenance {
  const plans = [...configured, ...announced ?? []];
  const isPlanKnown = {
    configuration: !isPartial,
    issue: announced !== undefined,
    hand: false,
  };
  const changes: MaintenanceChange[] = [];
  const files = new Map(known);
  const change = (id: string, action: MaintenanceChange["action"], maintenance: Maintenance) => {
    changes.push({ id, action, maintenance });
    files.set(id, maintenance);
  };
  for (const [id, one] of known) {
    if (one.end !== undefined) continue;
    const plan = plans.find((plan) => isOf(one, plan));
    const next = plan === undefined && isPlanKnown[one.source]
      ? ended(one, now)
      : followed(one, plan, now);
    if (!isSame(next, one)) change(id, next.end === undefined ? "change" : "end", next);
  }
  const owed: Effect[] = [];
  const taken = new Set(incidentIds);
  for (const plan of plans) {
    const own = [...files].filter(([, one]) => isOf(one, plan));
    if (own.some(([, { end }]) => end === undefined)) continue;
    const last = own.at(-1);
    const isAhead = isBefore(now, plan.start);
    const maintenance = { kind: "maintenance" as const, ...plan, updates: [] };
    const id = newMaintenanceId(plan, taken);
    if (!isBefore(now, plan.until)) {
      owed.push(closeAnnouncement(last?.[0] ?? id, { ...plan, issue: plan.issue! }, timezone));
    } else if (plan.source === "issue" || (!isAhead && last === undefined)) {
      taken.add(id);
      // What is announced anew after it was over begins anew.
      const start = last === undefined || isAhead ? plan.start : now;
      change(id, isAhead ? "announce" : "begin", { ...maintenance, start });
    }
  }
  const going = [...files.values()].filter(({ end }) => end === undefined);
  const ahead = configured.filter(({ start }) => isBefore(now, start));
  return { changes, windows: [...going, ...ahead], owed };
}

/** Whether a file is that of a planned window: of the same issue, or of the same name and begin. */
function isOf(file: Maintenance, plan: PlannedWindow): boolean {
  if (file.source !== plan.source) return false;
  return plan.source === "issue"
    ? file.issue === plan.issue
    : file.name === plan.name && file.start.equals(plan.start);
}

/** A window that goes on or is still to come, as its plan says now; one that has begun began when it did. */
function followed(
  file: Maintenance,
  plan: PlannedWindow | undefined,
  now: Temporal.Instant,
): Maintenance {
  const hasBegun = !isBefore(now, file.start);
  // What is put off after it has begun is another window.
  if (hasBegun && plan !== undefined && isBefore(now, plan.start)) return ended(file, now);
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

function isSame(one: Maintenance, other: Maintenance): boolean {
  const plain = ({ sites, start, until, end, ...rest }: Maintenance) =>
    JSON.stringify([
      Object.entries(rest).sort(),
      [...sites],
      ...[start, until, end].map((time) => time && formatTime(time)),
    ]);
  return plain(one) === plain(other);
}

function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}
