import { overallAt } from "../../lib/page/overall_at.ts";
import type { KeptReadme } from "../../lib/setup/readme/keep_readme.ts";
import type { FilledAbout } from "../../lib/setup/readme/filled_about.ts";
import type { BroughtTimelines } from "../../commands/shared/bring_timelines.ts";
import { escapeMarkdown } from "../markdown.ts";
import { notesList } from "../update/job_summary.ts";
import { countSites } from "../words.ts";

/** What came of a README, on one line. */
export function readmeLine({ report, readme: { path, isNew }, published }: KeptReadme): string {
  const of = `Summary of ${countSites(report.sites.length)} in ${path}`;
  if (!isNew) return `${of}: nothing new.`;
  if (published === undefined) return `${of}: would be written.`;
  const commit = published.commit === undefined ? "" : ` in ${published.commit.slice(0, 7)}`;
  return `${of}: written${commit}, ${published.place}.`;
}

/** What was filled in of what the repository says of itself; `undefined` where nothing was. */
export function aboutLine({ filled }: FilledAbout, isDryRun: boolean): string | undefined {
  const parts = Object.entries(filled).map(([key, value]) =>
    `${key} (${[value].flat().join(", ")})`
  );
  if (parts.length === 0) return undefined;
  return `The repository ${isDryRun ? "would get" : "got"} what it lacked: ${parts.join("; ")}.`;
}

/** What people should know. */
export function readmeNotes(
  { readme: { path, isEdited, lacking }, published }: KeptReadme,
  { timelines, stale }: BroughtTimelines,
  { note }: FilledAbout,
): string[] {
  const isKept = published?.commit !== undefined;
  return [
    ...stale === undefined ? [] : [`Timelines are as they were last read: ${stale}`],
    ...timelines.published?.notes ?? [],
    ...timelines.failure === undefined
      ? []
      : [`What was read was not kept: ${timelines.failure.message}`],
    ...published?.notes ?? [],
    ...lacking.length === 0 ? [] : [
      `${path} has no place for the summary: --add-markers makes one, or put ${
        lacking.join(" and ")
      } where it belongs, each on a line of its own`,
    ],
    ...isEdited && !isKept
      ? [
        `${path} in this folder differs from the one of the branch, which is the one that is told of here`,
      ]
      : [],
    ...note === undefined ? [] : [note],
  ];
}

/** What came of a README for the page of a job, with what people should know. */
export function readmeJobSummary(kept: KeptReadme, notes: readonly string[]): string {
  return `### ${escapeMarkdown(readmeLine(kept))}\n${notesList(notes)}`;
}

/** What came of a README, for programs. */
export function readmeJson(
  { report, readme, published }: KeptReadme,
  { filled }: FilledAbout,
) {
  return {
    file: readme.path,
    changed: readme.isNew,
    overall: overallAt(report),
    sites: report.sites.map(({ site: { slug } }) => slug),
    commit: published?.commit ?? null,
    place: published?.place ?? null,
    about: filled,
  };
}
