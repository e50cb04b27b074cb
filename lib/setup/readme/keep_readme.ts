import type { Author } from "../../git/objects.ts";
import { readHistories } from "../../history/read_histories.ts";
import type { Run } from "../../history/run.ts";
import type { OpenedReport } from "../../../commands/shared/open_report.ts";
import type { Report } from "../../statistics/report/report.ts";
import { reportOf } from "../../statistics/report/report_of.ts";
import type { Published } from "../../history/store/store.ts";
import type { ReadmeOptions } from "./plan_readme.ts";
import { type SketchedReadme, sketchReadme } from "./sketch_readme.ts";

/** What keeping a README takes. */
export interface KeepReadmeOptions {
  run: Run;
  isAtTop: boolean;
  /** What the README is made with, given what is known. */
  optionsOf(report: Report): ReadmeOptions;
  message: string;
  author: Author;
}

/** What became of a README. */
export interface KeptReadme {
  report: Report;
  readme: SketchedReadme;
  /** Absent where nothing was kept, because nothing may be written. */
  published?: Published;
}

/**
 * Writes the README of the branch anew where it differs, and again where somebody else was faster.
 *
 * @throws {ReadmeError} Where it can't be filled, or is not there.
 */
export async function keepReadme(
  { config, store, snapshot, workspace, report }: Pick<
    OpenedReport,
    "config" | "store" | "snapshot" | "workspace" | "report"
  >,
  readme: SketchedReadme,
  { run, message, author, isAtTop, optionsOf }: KeepReadmeOptions,
): Promise<KeptReadme> {
  let kept: KeptReadme = { report, readme };
  const published = await store.publish(async (newest) => {
    if (newest.version === undefined || newest.version !== snapshot.version) {
      const known = await readHistories(newest, config.sites);
      const current = reportOf(config, known, run.time);
      const places = { workspace, isAtTop };
      kept = {
        report: current,
        readme: await sketchReadme(newest, places, optionsOf(current)),
      };
    }
    const { path, content, isNew } = kept.readme;
    if (!isNew || !newest.capabilities.commits) return undefined;
    return { run: run.id, time: run.time, files: new Map([[path, content]]), message, author };
  });
  if (published.refused !== undefined) throw published.refused;
  return { ...kept, published };
}
