import { overallOf } from "../../lib/page/overall.ts";
import { watchedStates } from "../../lib/page/watched_states.ts";
import type { KeptReadme } from "../../lib/readme/keep_readme.ts";
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

/** The same for the page of a job, with what people should know. */
export function readmeJobSummary(kept: KeptReadme, notes: readonly string[]): string {
  return `### ${escapeMarkdown(readmeLine(kept))}\n${notesList(notes)}`;
}

/** What came of a README, for programs. */
export function readmeJson({ report, readme, published }: KeptReadme) {
  return {
    file: readme.path,
    changed: readme.isNew,
    overall: overallOf(watchedStates(report.sites)),
    sites: report.sites.map(({ site: { slug } }) => slug),
    commit: published?.commit ?? null,
    place: published?.place ?? null,
  };
}
