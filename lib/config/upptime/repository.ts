import type { Workspace } from "../../io/workspace.ts";
import { listRecords, recordPath } from "../record_path.ts";
import { WORKFLOW_FOLDER } from "../workflows.ts";

export const UPPTIME_CONFIG = ".upptimerc.yml";

/**
 * True if a text is a record that Upptime wrote, whether its other lines can be read or not. One that was imported names
 * Upptime too, but has fields of ours.
 */
export function isUpptimeRecord(text: string): boolean {
  return /^upptime\b/i.test(findGenerator(text) ?? "") && !hasOwnFields(text);
}

/** True if Upptime wrote a summary: in ours each site has a `state` in addition to Upptime's keys. */
export function isUpptimeSummary(text: string): boolean {
  return text.includes('"uptimeDay"') && !text.includes('"state"');
}

/** True if a record has a field that only this program writes. */
export function hasOwnFields(text: string): boolean {
  return /^since:/m.test(text);
}

/** The program that wrote a record, empty if it names none; `undefined` for texts that are no record. */
export function findGenerator(text: string): string | undefined {
  const isRecord = ["url", "status"].every((key) => new RegExp(`^(?:- )?${key}:`, "m").test(text));
  return isRecord ? /^(?:- )?generator:\s*["']?(.*)$/m.exec(text)?.[1] ?? "" : undefined;
}

/** True if a folder contains Upptime's configuration, records or workflows. */
export async function isFromUpptime(workspace: Workspace): Promise<boolean> {
  if (await workspace.has(UPPTIME_CONFIG)) return true;
  const records = (await listRecords(workspace)).map(recordPath);
  for (const path of records) {
    if (isUpptimeRecord(await workspace.read(path) ?? "")) return true;
  }
  for (const name of await workspace.list(WORKFLOW_FOLDER)) {
    const text = await workspace.read(`${WORKFLOW_FOLDER}/${name}`) ?? "";
    if (isUpptimeWorkflow(text)) return true;
  }
  return false;
}

/** True if a workflow runs a part of Upptime, or a fork of its monitor. */
export function isUpptimeWorkflow(text: string): boolean {
  return /^\s*(?:-\s+)?uses:\s*["']?(?:upptime\/|[\w.-]+\/uptime-monitor@)/im.test(text);
}
