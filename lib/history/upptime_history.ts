import type { Workspace } from "../io/workspace.ts";
import { PROGRAM } from "../version.ts";
import {
  findGenerator,
  hasOwnFields,
  isUpptimeRecord,
  UPPTIME_CONFIG,
} from "../config/upptime/repository.ts";
import { CHECKS_FOLDER } from "./checks_log.ts";
import { DAILY_FOLDER } from "./daily_log.ts";
import { listRecords, recordPath } from "../config/record_path.ts";

/**
 * Counts the records of a folder that Upptime wrote; 0 if the folder also holds anything that this
 * program wrote. Early versions of Upptime wrote no generator, so a record without one counts as
 * Upptime's if its configuration is present.
 */
export async function countUpptimeRecords(workspace: Workspace): Promise<number> {
  const paths = (await listRecords(workspace)).map(recordPath);
  if (paths.length === 0) return 0;
  const ours = [
    ...await workspace.listAll(CHECKS_FOLDER),
    ...await workspace.listAll(DAILY_FOLDER),
  ];
  if (ours.length > 0) return 0;
  const texts = await Promise.all(paths.map((path) => workspace.read(path)));
  const isOurs = (text = "") => hasOwnFields(text) || findGenerator(text)?.startsWith(PROGRAM);
  if (texts.some(isOurs)) return 0;
  const isNamelessTheirs = await workspace.has(UPPTIME_CONFIG);
  return texts.filter((text = "") =>
    isUpptimeRecord(text) || (isNamelessTheirs && findGenerator(text) === "")
  ).length;
}
