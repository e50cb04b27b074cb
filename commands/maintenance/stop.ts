import { UsageError } from "../../lib/arguments.ts";
import { findSite } from "../../lib/config/find_site.ts";
import { randomName } from "../../lib/doors/chance.ts";
import { assertWritable } from "../../lib/doors/writable.ts";
import { incidentIdsOf, incidentPath, INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import { knownMaintenance } from "../../lib/history/known_maintenance.ts";
import { formatMaintenance, type Maintenance } from "../../lib/history/maintenance.ts";
import type { Snapshot } from "../../lib/store/store.ts";
import { commitAuthor, maintenanceMessage } from "../../templates/commit_message.ts";
import { stoppedJson, stoppedText } from "../../templates/terminal/maintenance_report.ts";
import { type MaintenanceWork, openStoreOf } from "./open.ts";

/** Ends the maintenance that goes on, or what of it the words name, by window or by site. */
export async function stopMaintenance(work: MaintenanceWork): Promise<number> {
  const { context: { root, clock, dryRun, json, log }, config } = work;
  const now = clock.now();
  if (!dryRun) await assertWritable(root);
  const store = await openStoreOf(work, { readOnly: dryRun });
  const endedIn = async (snapshot: Snapshot) =>
    new Map(
      [...await runningIn(snapshot, now)].filter(([id, one]) => isMeant(id, one, work))
        .map(([id, maintenance]) => [id, { ...maintenance, end: now }]),
    );
  let ended = await endedIn(await store.read());
  assertStoppable(ended, work);
  const published = dryRun ? undefined : await store.publish(async (snapshot) => {
    ended = await endedIn(snapshot);
    const [first] = ended.values();
    if (first === undefined) return undefined;
    return {
      run: randomName(),
      time: now,
      files: new Map(
        [...ended].map(([id, maintenance]) => [incidentPath(id), formatMaintenance(maintenance)]),
      ),
      message: maintenanceMessage("end", first),
      author: commitAuthor(config),
    };
  });
  if (published?.refused !== undefined) throw published.refused;
  for (const note of published?.notes ?? []) log.warn(note);
  log.line(stoppedText({ ended, published }));
  if (json) log.data(stoppedJson({ ended, published }));
  return 0;
}

/** Windows that have begun and not ended, by id. */
async function runningIn(
  snapshot: Snapshot,
  now: Temporal.Instant,
): Promise<Map<string, Maintenance>> {
  const ids = incidentIdsOf(await snapshot.list(INCIDENTS_FOLDER));
  const { maintenance: known } = await knownMaintenance(snapshot, ids, now);
  return new Map(
    [...known].filter(([, { start, until, end }]) =>
      end === undefined && Temporal.Instant.compare(start, now) <= 0 &&
      Temporal.Instant.compare(now, until) < 0
    ),
  );
}

function isMeant(
  id: string,
  { name, sites }: Maintenance,
  { words, config }: MaintenanceWork,
): boolean {
  if (words.length === 0) return true;
  return words.some((word) => {
    const slug = findSite(config.sites, word)?.slug;
    return word === id || word.toLowerCase() === name.toLowerCase() ||
      (slug !== undefined && sites.has(slug));
  });
}

/** @throws {UsageError} Where there is nothing to end here. */
function assertStoppable(
  meant: ReadonlyMap<string, Maintenance>,
  { words }: MaintenanceWork,
): void {
  if (meant.size === 0) {
    const what = words.length === 0 ? "none goes on" : `none goes on of ${words.join(", ")}`;
    throw new UsageError(`Cannot end maintenance: ${what} ("maintenance" shows what does)`);
  }
  for (const { source, issue, name } of meant.values()) {
    if (source !== "issue") continue;
    throw new UsageError(
      `Cannot end maintenance: "${name}" is announced by issue #${issue}; close that, and the next run ends it`,
    );
  }
}
