import { UsageError } from "../../lib/text/arguments.ts";
import type { Config } from "../../lib/config/config.ts";
import { findSite } from "../../lib/config/find_site.ts";
import { randomName } from "../../lib/io/chance.ts";
import { assertWritable } from "../../lib/io/writable.ts";
import { listIncidents } from "../../lib/history/incident.ts";
import { knownMaintenance } from "../../lib/pipeline/known_maintenance.ts";
import type { Maintenance } from "../../lib/history/maintenance.ts";
import { configuredWindows } from "../../lib/incidents/maintenance/windows.ts";
import { planMaintenance } from "../../lib/incidents/maintenance/plan_maintenance.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import type { Snapshot } from "../../lib/history/store/store.ts";
import { commitAuthor, maintenanceMessage } from "../../templates/commit_message.ts";
import { stoppedJson, stoppedText } from "../../templates/terminal/maintenance.ts";
import { changedFiles, keepByHand, type MaintenanceWork, storeOptions } from "./open.ts";

/** Ends the maintenance that goes on, or what of it the words name, by window or by site. */
export async function stopMaintenance(work: MaintenanceWork): Promise<number> {
  const { context: { root, clock, dryRun, json, log }, config } = work;
  const now = clock.now();
  if (!dryRun) await assertWritable(root);
  const store = await openStore(root, storeOptions(work));
  const meantIn = async (snapshot: Snapshot) =>
    new Map(
      [...await runningIn(snapshot, config, now)].filter(([id, one]) => isMeant(id, one, work)),
    );
  const meant = await meantIn(await store.read());
  for (const note of notesOn(meant, work)) log.warn(note);
  let ended = endedOf(meant, now);
  const published = dryRun ? undefined : await keepByHand(store, async (snapshot) => {
    ended = endedOf(await meantIn(snapshot), now);
    if (ended.size === 0) return undefined;
    return {
      run: randomName(),
      time: now,
      files: await changedFiles(snapshot, ended, now),
      message: maintenanceMessage("end", [...ended.values()]),
      author: commitAuthor(config),
    };
  }, work);
  log.line(stoppedText({ ended, published }, config));
  if (json) log.data(stoppedJson({ ended, published }));
  return 0;
}

/** Windows that have begun and not ended, by id; one that has just begun has no file before the next run. */
async function runningIn(
  snapshot: Snapshot,
  { maintenance: windows, timezone }: Config,
  now: Temporal.Instant,
): Promise<Map<string, Maintenance>> {
  const incidentIds = new Set(await listIncidents(snapshot));
  const { maintenance } = await knownMaintenance(snapshot, incidentIds, now);
  const configured = configuredWindows(windows, now);
  const plans = { configured, isPartial: true, timezone };
  const { changes } = planMaintenance({ maintenance, incidentIds }, plans, now);
  const begun = changes.map(({ id, maintenance }) => [id, maintenance] as const);
  return new Map(
    [...maintenance, ...begun].filter(([, { start, until, end }]) =>
      end === undefined && Temporal.Instant.compare(start, now) <= 0 &&
      Temporal.Instant.compare(now, until) < 0
    ),
  );
}

/** What can be ended here: an issue that announces a window is what says of it that it is over. */
function endedOf(
  meant: ReadonlyMap<string, Maintenance>,
  end: Temporal.Instant,
): Map<string, Maintenance> {
  return new Map(
    [...meant].filter(([, { source }]) => source !== "issue")
      .map(([id, maintenance]) => [id, { ...maintenance, end }]),
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

/**
 * What goes on although everything is to end.
 *
 * @throws {UsageError} Where nothing is meant, or something that can't be ended here.
 */
function notesOn(
  meant: ReadonlyMap<string, Maintenance>,
  { words }: MaintenanceWork,
): string[] {
  if (meant.size === 0) {
    const what = words.length === 0 ? "none goes on" : `none goes on of ${words.join(", ")}`;
    throw new UsageError(`Cannot end maintenance: ${what} ("maintenance" shows what does)`);
  }
  const announced = [...meant.values()].filter(({ source }) => source === "issue");
  const notes = announced.map(({ name, issue }) =>
    `"${plainText(name)}" is announced by issue #${issue}; close that, and the next run ends it`
  );
  const isStuck = announced.length === meant.size || words.length > 0;
  if (isStuck && notes.length > 0) {
    throw new UsageError(`Cannot end maintenance: ${notes.join("; ")}`);
  }
  return notes;
}
