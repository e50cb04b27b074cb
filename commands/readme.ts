import { homePage } from "../lib/config/home_page.ts";
import type { Command } from "../lib/context.ts";
import { surroundingsOf } from "../lib/doors/git/repository.ts";
import { handOn } from "../lib/doors/job.ts";
import { redactTexts } from "../lib/page/export/redact_texts.ts";
import { lastCheck, pageTime } from "../lib/page/page_time.ts";
import { settingsOf } from "../lib/page/settings/settings_of.ts";
import { keepReadme } from "../lib/readme/keep_readme.ts";
import { sketchReadme } from "../lib/readme/sketch_readme.ts";
import { openReport } from "../lib/report/open_report.ts";
import { findRepository } from "../lib/store/find_repository.ts";
import { bringTimelines } from "../lib/timeline/bring_timelines.ts";
import { commitAuthor, timelinesMessage } from "../templates/commit_message.ts";
import { plannedFiles } from "../templates/terminal/planned_files.ts";
import {
  aboutLine,
  readmeJobSummary,
  readmeJson,
  readmeLine,
  readmeNotes,
} from "../templates/terminal/readme_report.ts";
import { fillAbout } from "./readme/fill_about.ts";
import { keepOptions } from "./readme/keep_options.ts";

/** Writes how all sites are into the README, between its markers. */
export const readme: Command = async (context) => {
  const { root, log, dryRun, json, environment, secrets } = context;
  const opened = await openReport(context, {
    readOnly: dryRun,
    asOf: (read, now) => pageTime(lastCheck(read, now), now),
  });
  if (opened === undefined) return 2;
  const { config, report, snapshot } = opened;
  const surroundings = await surroundingsOf(root);
  const repository = await findRepository(root);
  const home = homePage(config, environment, surroundings.origin);
  const settings = redactTexts(
    settingsOf(config, { repository: home }),
    (text) => secrets.redact(text),
  );
  const world = {
    ...{ config, settings },
    repository: typeof repository === "string" ? undefined : repository,
  };
  const options = keepOptions(world, opened.file, context);
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
  const about = await fillAbout(config, settings, surroundings.origin, context);
  const notes = readmeNotes(kept, timelines, about);
  for (const note of notes) log.warn(note);
  if (dryRun) {
    const { path, content, isNew } = sketched;
    const own = isNew ? [[path, new TextDecoder().decode(content)] as const] : [];
    const files = new Map([...timelines.timelines.files, ...own]);
    if (files.size > 0) log.line(plannedFiles(files));
  }
  log.line(readmeLine(kept));
  const told = aboutLine(about, dryRun);
  if (told !== undefined) log.line(told);
  if (json) log.data(readmeJson(kept, about));
  await handOn({ outputs: {}, summary: readmeJobSummary(kept, notes) }, context);
  return 0;
};
