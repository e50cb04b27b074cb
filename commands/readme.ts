import { homePage } from "../lib/config/home_page.ts";
import type { Command } from "../lib/context.ts";
import { randomName } from "../lib/doors/chance.ts";
import { surroundingsOf } from "../lib/doors/git/repository.ts";
import { handOn } from "../lib/doors/job.ts";
import { redactTexts } from "../lib/page/export/redact_texts.ts";
import { lastCheck, pageTime } from "../lib/page/page_time.ts";
import { settingsOf } from "../lib/page/settings/settings_of.ts";
import { keepReadme, type KeepReadmeOptions, sketchReadme } from "../lib/readme/keep_readme.ts";
import { linksOfReadme } from "../lib/readme/readme_links.ts";
import { markersOf } from "../lib/readme/markers.ts";
import { openReport } from "../lib/report/open_report.ts";
import { findRepository } from "../lib/store/find_repository.ts";
import { bringTimelines } from "../lib/timeline/bring_timelines.ts";
import { commitAuthor, readmeMessage, timelinesMessage } from "../templates/commit_message.ts";
import { liveStatus } from "../templates/readme/live_status.ts";
import { newReadme } from "../templates/readme/new_readme.ts";
import { readmeSummary } from "../templates/readme/summary.ts";
import { plannedFiles } from "../templates/terminal/planned_files.ts";
import { readmeJobSummary, readmeJson, readmeLine } from "../templates/terminal/readme_report.ts";
import { viewOf } from "./readme/readme_view.ts";

/** Writes how all sites are into the README, between its markers. */
export const readme: Command = async (context) => {
  const { root, log, dryRun, json, environment, clock, secrets } = context;
  const opened = await openReport(context, {
    readOnly: dryRun,
    asOf: (read, now) => pageTime(lastCheck(read, now), now),
  });
  if (opened === undefined) return 2;
  const { config, report } = opened;
  const surroundings = await surroundingsOf(root);
  const found = await findRepository(root);
  const repository = typeof found === "string" ? undefined : found;
  const home = homePage(config, environment, surroundings.origin);
  const redact = (text: string) => secrets.redact(text);
  const settings = redactTexts(settingsOf(config, { repository: home }), redact);
  const world = { config, settings, repository };
  const markers = markersOf(config);
  const options: KeepReadmeOptions = {
    run: { id: randomName(), time: clock.now() },
    isAtTop: surroundings.prefix === "",
    message: readmeMessage(config),
    author: commitAuthor(config),
    optionsOf: (current) => ({
      markers,
      addsMarkers: context.addMarkers,
      textsOf(path) {
        const view = viewOf(current, path, world, context);
        return { summary: readmeSummary(view), live: liveStatus(view) };
      },
      fresh: (path) =>
        newReadme({
          title: settings.name,
          markers,
          config: opened.file,
          workflows: [],
          page: settings.address,
          links: linksOfReadme({ readme: path, repository, graphs: config.graphs }),
        }),
    }),
  };
  // What is wrong with the README is known before anything is asked for or written.
  const planned = await sketchReadme(opened.snapshot, report, options);
  const { timelines, stale } = await bringTimelines(
    { ...opened, surroundings, readOnly: dryRun },
    { author: commitAuthor, message: timelinesMessage },
    context,
  );
  if (stale !== undefined) log.warn(`Timelines are as they were last read: ${stale}`);
  const kept = dryRun ? { report, readme: planned } : await keepReadme(opened, options);
  const notes = [
    ...timelines.published?.notes ?? [],
    ...timelines.failure === undefined
      ? []
      : [`What was read was not kept: ${timelines.failure.message}`],
    ..."published" in kept ? kept.published?.notes ?? [] : [],
  ];
  for (const note of notes) log.warn(note);
  if (dryRun) {
    const text = new TextDecoder().decode(planned.content);
    const files = new Map([
      ...timelines.files,
      ...planned.isNew ? [[planned.path, text] as const] : [],
    ]);
    if (files.size > 0) log.line(plannedFiles(files));
  }
  log.line(readmeLine(kept));
  if (json) log.data(readmeJson(kept));
  await handOn({ outputs: {}, summary: readmeJobSummary(kept, notes) }, context);
  return 0;
};
