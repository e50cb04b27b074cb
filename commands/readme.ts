import type { Command } from "./shared/context.ts";
import { surroundingsOf } from "../lib/git/repository.ts";
import { handOn } from "./shared/job.ts";
import { readmeWorld } from "./shared/readme_world.ts";
import { keepReadme, type SketchedReadme, sketchReadme } from "../lib/setup/readme.ts";
import { openReport } from "./shared/open_report.ts";
import type { Change } from "../lib/history/store/store.ts";
import { heldWorkflows } from "../lib/setup/workflows/held_workflows.ts";
import { bringTimelines, type BroughtTimelines } from "./shared/bring_timelines.ts";
import { commitAuthor, timelinesMessage } from "../templates/commit_message.ts";
import { plannedFiles } from "../templates/terminal/lines.ts";
import {
  aboutLine,
  readmeJobSummary,
  readmeJson,
  readmeLine,
  readmeNotes,
} from "../templates/terminal/results.ts";
import { fillAbout } from "./readme/fill_about.ts";
import { keepOptions } from "./readme/keep_options.ts";

/** Writes how all sites are into the README, between its markers. */
export const readme: Command = async (context) => {
  const { root, log, dryRun, json } = context;
  const opened = await openReport(context);
  if (opened === undefined) return 2;
  const { config, report, snapshot } = opened;
  const surroundings = await surroundingsOf(root);
  const world = await readmeWorld(config, surroundings.origin, context);
  const workflows = surroundings.prefix === "" ? await heldWorkflows(snapshot) : [];
  const options = keepOptions(world, { file: opened.file, workflows }, context);
  // What is wrong with the README is known before anything is asked for or written.
  const sketched = await sketchReadme(
    snapshot,
    { ...opened, ...options },
    options.optionsOf(report),
  );
  const timelines = await bringTimelines(
    { ...opened, surroundings, readOnly: dryRun },
    { author: commitAuthor, message: timelinesMessage },
    context,
  );
  const kept = dryRun ? { report, readme: sketched } : await keepReadme(opened, sketched, options);
  const about = await fillAbout(config, world.settings, surroundings.origin, context);
  const notes = readmeNotes(kept, timelines, about);
  for (const note of notes) log.warn(note);
  const planned = plannedOf(sketched, timelines);
  if (dryRun && planned.size > 0) log.line(plannedFiles(planned));
  log.line(readmeLine(kept));
  const told = aboutLine(about, dryRun);
  if (told !== undefined) log.line(told);
  if (json) log.data(readmeJson(kept, about));
  await handOn({ outputs: {}, summary: readmeJobSummary(kept, notes) }, context);
  return 0;
};

/** Files that would be written. */
function plannedOf(
  { path, content, isNew }: SketchedReadme,
  { timelines }: BroughtTimelines,
): Change["files"] {
  return isNew ? new Map([...timelines.files, [path, content]]) : timelines.files;
}
