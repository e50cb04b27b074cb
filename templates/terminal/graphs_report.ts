import type { GraphChanges } from "../../lib/statistics/graphs/graph_changes.ts";
import type { KeptGraphs } from "../../lib/statistics/graphs/keep_graphs.ts";
import { escapeMarkdown } from "../markdown.ts";
import { notesList } from "../update/job_summary.ts";
import { count } from "../words.ts";
import { plannedChanges } from "./planned_files.ts";

/** What became of graphs, on one line. */
export function graphsLine(
  drawn: number,
  { written, removed, published, place }: KeptGraphs,
): string {
  const gone = removed === 0 ? "" : `, ${removed} removed`;
  const kept = published ? "Published" : "Nothing new to publish";
  return `Drew ${count(drawn, "graph")}: ${written} changed${gone}. ${kept}: ${place}.`;
}

/** What became of graphs, for the page of a job. */
export function graphsSummary(drawn: number, kept: KeptGraphs): string {
  const notes = [...kept.notes, ...kept.refused === undefined ? [] : [kept.refused.message]];
  return `### ${escapeMarkdown(graphsLine(drawn, kept))}\n${notesList(notes)}`;
}

/** What would be written, for who only wants to see it. */
export function plannedGraphs(changes: GraphChanges): string {
  if (changes.size === 0) return "No graph would change.";
  return plannedChanges([...changes].map(([path, content]) => [path, content?.length ?? null]));
}

/** What became of graphs, or would become of them, for programs. */
export function graphsJson(
  drawn: ReadonlyMap<string, Uint8Array>,
  { kept, changes }: { kept?: KeptGraphs; changes?: GraphChanges },
): unknown {
  return {
    graphs: [...drawn.keys()],
    ...kept === undefined ? {} : {
      written: kept.written,
      removed: kept.removed,
      published: kept.published,
      place: kept.place,
      notes: kept.notes,
      failure: kept.refused?.message,
    },
    ...changes === undefined ? {} : {
      changes: [...changes].map(([path, content]) => ({ path, bytes: content?.length ?? null })),
    },
  };
}
