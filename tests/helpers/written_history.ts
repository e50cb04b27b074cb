import { join } from "node:path";
import { appendRows, type CheckRow, checksPath } from "../../lib/history/checks_log.ts";
import {
  formatIncident,
  type Incident,
  incidentPath,
  newIncidentId,
} from "../../lib/history/incident.ts";
import { recordPath } from "../../lib/config/record_path.ts";
import { formatRecord } from "../../lib/history/record.ts";
import { outageSince } from "./outage.ts";

/** A site as it was, for a history that is written by hand. */
export interface WrittenSite {
  slug: string;
  /** Outages, by their start and end; an ongoing one has no end. */
  outages?: readonly {
    from: Temporal.Instant;
    to?: Temporal.Instant;
    error?: string;
    issue?: number;
  }[];
  /** True if no check happened at a moment. */
  skips?(time: Temporal.Instant): boolean;
}

/** Minutes between two checks. */
const INTERVAL = 5;

/** Writes a history with a check every five minutes into a folder, from one moment up to another. */
export async function writeHistory(
  folder: string,
  sites: readonly WrittenSite[],
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<void> {
  const rows = new Map<string, CheckRow[]>();
  let run = 0;
  for (
    let time = from;
    Temporal.Instant.compare(time, to) <= 0;
    time = time.add({ minutes: INTERVAL })
  ) {
    const name = (++run).toString(16).padStart(8, "0");
    for (const site of sites) {
      if (site.skips?.(time)) continue;
      const path = checksPath(time);
      rows.set(path, [...rows.get(path) ?? [], rowOf(site, time, name)]);
    }
  }
  const files = new Map([...rows].map(([path, own]) => [path, appendRows(undefined, own)]));
  for (const { slug, outages = [] } of sites) {
    const ids = new Set<string>();
    for (const outage of outages) {
      const id = newIncidentId(outage.from, slug, ids);
      ids.add(id);
      files.set(incidentPath(id), formatIncident(incidentOf(slug, outage)));
    }
    const last = outages.at(-1);
    const isDown = last !== undefined && last.to === undefined;
    files.set(
      recordPath(slug),
      formatRecord({
        url: "https://example.com",
        status: isDown ? "down" : "up",
        code: isDown ? 0 : 200,
        responseTime: isDown ? 0 : 100,
        lastUpdated: to,
        startTime: from,
        generator: "monitor-action v1.41.0",
        degraded: false,
        since: isDown ? last.from : last?.to ?? from,
        ...isDown ? { incident: [...ids].at(-1) } : {},
      }),
    );
  }
  for (const [path, text] of files) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
}

function rowOf({ slug, outages = [] }: WrittenSite, time: Temporal.Instant, run: string): CheckRow {
  const isDown = outages.some(({ from, to }) =>
    Temporal.Instant.compare(from, time) <= 0 &&
    (to === undefined || Temporal.Instant.compare(time, to) < 0)
  );
  if (isDown) return { time, run, slug, state: "down", code: 0, attempts: 3 };
  const ms = 100 + Math.round(20 * Math.sin(time.epochMilliseconds / 7e6));
  return { time, run, slug, state: "up", code: 200, ms, attempts: 1 };
}

function incidentOf(
  slug: string,
  { from, to, ...fields }: NonNullable<WrittenSite["outages"]>[number],
): Incident {
  return outageSince(from, { slug, end: to, ...fields });
}
