import type { Workspace } from "../io/workspace.ts";
import { PROGRAM } from "../version.ts";
import { WORKFLOW_FOLDER } from "../config/workflows.ts";
import { CHECKS_FOLDER } from "./checks_log.ts";
import { DAILY_FOLDER } from "./daily_log.ts";
import { HISTORY_FOLDER, recordedSlugs, recordPath } from "./record.ts";

const UPPTIME_CONFIG = ".upptimerc.yml";

/** True if a text is a record that Upptime wrote, whether its other lines can be read or not. */
export function isUpptimeRecord(text: string): boolean {
  return /^upptime\b/i.test(generatorIn(text) ?? "");
}

/** The program that wrote a record, empty if it names none; `undefined` for texts that are no record. */
function generatorIn(text: string): string | undefined {
  const isRecord = ["url", "status"].every((key) => new RegExp(`^(?:- )?${key}:`, "m").test(text));
  return isRecord ? /^(?:- )?generator:\s*["']?(.*)$/m.exec(text)?.[1] ?? "" : undefined;
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
  if (texts.some((text = "") => generatorIn(text)?.startsWith(PROGRAM))) return 0;
  const isNamelessTheirs = await workspace.has(UPPTIME_CONFIG);
  return texts.filter((text = "") =>
    isUpptimeRecord(text) || (isNamelessTheirs && generatorIn(text) === "")
  ).length;
}

/** True if a folder contains Upptime's configuration, records or workflows. */
export async function isFromUpptime(workspace: Workspace): Promise<boolean> {
  if (await workspace.has(UPPTIME_CONFIG)) return true;
  const records = recordedSlugs(await workspace.list(HISTORY_FOLDER)).map(recordPath);
  for (const path of records) {
    if (isUpptimeRecord(await workspace.read(path) ?? "")) return true;
  }
  for (const name of await workspace.list(WORKFLOW_FOLDER)) {
    const text = await workspace.read(`${WORKFLOW_FOLDER}/${name}`) ?? "";
    if (/^\s*(?:- )?uses:\s*["']?upptime\//m.test(text)) return true;
  }
  return false;
}
