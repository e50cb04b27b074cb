import type { Workspace } from "../doors/workspace.ts";
import { PROGRAM } from "../version.ts";
import { WORKFLOW_FOLDER } from "../workflows/workflows.ts";
import { CHECKS_FOLDER } from "./checks_log.ts";
import { DAILY_FOLDER } from "./daily_log.ts";
import { HISTORY_FOLDER, parseRecord, recordedSlugs, recordPath } from "./record.ts";

const UPPTIME_CONFIG = ".upptimerc.yml";

/** True if Upptime wrote a record, given its `generator`. */
export function isUpptimeGenerator(generator: string): boolean {
  return /^upptime\b/i.test(generator);
}

/** True if Upptime wrote a summary: in ours each site has a `state` in addition to Upptime's keys. */
export function isUpptimeSummary(text: string): boolean {
  return text.includes('"uptimeDay"') && !text.includes('"state"');
}

/**
 * Counts the records of a folder that Upptime wrote; 0 if the folder also holds anything that this
 * program wrote. Early versions of Upptime wrote no generator, so a record without one counts as
 * Upptime's if its configuration is present.
 */
export async function countUpptimeRecords(workspace: Workspace): Promise<number> {
  const paths = recordedSlugs(await workspace.list(HISTORY_FOLDER)).map(recordPath);
  if (paths.length === 0) return 0;
  const ours = [...await workspace.list(CHECKS_FOLDER), ...await workspace.list(DAILY_FOLDER)];
  if (ours.length > 0) return 0;
  const texts = await Promise.all(paths.map((path) => workspace.read(path)));
  const generators = texts.flatMap((text = "") => parseRecord(text)?.generator ?? []);
  if (generators.some((generator) => generator.startsWith(PROGRAM))) return 0;
  const isNamelessTheirs = await workspace.has(UPPTIME_CONFIG);
  return generators.filter((generator) =>
    isUpptimeGenerator(generator) || (generator === "" && isNamelessTheirs)
  ).length;
}

/** True if a folder contains Upptime's configuration, records or workflows. */
export async function isFromUpptime(workspace: Workspace): Promise<boolean> {
  if (await workspace.has(UPPTIME_CONFIG)) return true;
  const records = recordedSlugs(await workspace.list(HISTORY_FOLDER)).map(recordPath);
  for (const path of records) {
    const generator = parseRecord(await workspace.read(path) ?? "")?.generator ?? "";
    if (isUpptimeGenerator(generator)) return true;
  }
  for (const name of await workspace.list(WORKFLOW_FOLDER)) {
    const text = await workspace.read(`${WORKFLOW_FOLDER}/${name}`) ?? "";
    if (/^\s*(?:- )?uses:\s*["']?upptime\//m.test(text)) return true;
  }
  return false;
}
