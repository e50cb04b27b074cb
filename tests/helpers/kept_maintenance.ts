import { assertEquals } from "@std/assert";
import {
  type Expected,
  formatMaintenance,
  type Maintenance,
  parseMaintenance,
  type PlannedWindow,
} from "../../lib/history/maintenance.ts";
import {
  type MaintenanceChange,
  type MaintenancePlans,
  planMaintenance,
} from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { siteWindows } from "../../lib/incidents/maintenance/windows.ts";

/** The time of the day that stories are of, `10:30`, or of another, `22T10:30`. */
export function at(time: string): Temporal.Instant {
  const [, day = "21", clock] = /^(?:(\d\d)T)?(.*)$/.exec(time)!;
  return Temporal.Instant.from(`2026-11-${day}T${clock}:00Z`);
}

/** A window as the configuration plans it, with its sites down. */
export function planned(name: string, start: string, until: string, ...slugs: string[]) {
  const sites = new Map((slugs.length === 0 ? ["shop"] : slugs).map((slug) => [slug, "down"]));
  return {
    source: "configuration",
    name,
    start: at(start),
    until: at(until),
    sites: sites as Map<string, Expected>,
    text: "",
  } satisfies PlannedWindow;
}

/** A window as an issue announces it. */
export function announced(issue: number, start: string, until: string, name = "Router") {
  return { ...planned(name, start, until), source: "issue", issue } satisfies PlannedWindow;
}

/** The files of maintenance windows, from one run to the next: as texts, as the history keeps them. */
export class KeptMaintenance {
  readonly texts = new Map<string, string>();

  get files(): Map<string, Maintenance> {
    return new Map(
      [...this.texts].sort(([one], [other]) => one < other ? -1 : 1)
        .flatMap(([id, text]): [string, Maintenance][] => {
          const maintenance = parseMaintenance(text);
          return maintenance === undefined ? [] : [[id, maintenance]];
        }),
    );
  }

  /** A run; planning a second time at the same moment must change nothing. */
  run(now: Temporal.Instant, plans: Partial<MaintenancePlans>) {
    const all = { configured: [], announced: [], ...plans };
    // The configured plan contains the ongoing windows and the next ones.
    const configured = all.configured.filter(({ until }) =>
      Temporal.Instant.compare(now, until) < 0
    );
    const decide = () => {
      const known = { maintenance: this.files, incidentIds: new Set(this.texts.keys()) };
      return planMaintenance(known, { ...all, configured }, now);
    };
    const { changes, windows, over } = decide();
    const ids = changes.map(({ id }) => id);
    assertEquals(new Set(ids).size, ids.length, "a file is written twice");
    for (const { id, maintenance } of changes) this.texts.set(id, formatMaintenance(maintenance));
    const again = decide();
    assertEquals(again.changes, [], "planning again changes something");
    const of = (some: readonly PlannedWindow[]) => [...siteWindows(some, now)].sort().map(String);
    assertEquals(of(again.windows), of(windows));
    assertEquals(again.over, over);
    return { changes, windows: siteWindows(windows, now), over };
  }

  /** Somebody ends a window by hand. */
  stop(id: string, now: Temporal.Instant): void {
    this.texts.set(id, formatMaintenance({ ...this.files.get(id)!, end: now }));
  }
}

/** A change as one line: `begin move 10:00-11:00`. */
export function changeText({ id, action, maintenance }: MaintenanceChange): string {
  const [, name] = /maintenance-(.*)$/.exec(id)!;
  return `${action} ${name} ${timesText(maintenance)}`;
}

/** When a window is, and when it was over: `10:00-11:00, over 10:30`. */
export function timesText({ start, until, end }: Maintenance): string {
  const [from, to, over] = [start, until, end].map((time) => time && clockOf(time));
  return `${from}-${to}${over === undefined ? "" : `, over ${over}`}`;
}

/** A time on the day of the stories, with its date if that is another. */
export function clockOf(time: Temporal.Instant): string {
  const [, day, clock] = /-(\d\d)T(\d\d:\d\d)/.exec(time.toString())!;
  return day === "21" ? clock! : `${day}T${clock}`;
}
