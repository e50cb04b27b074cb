import type { Workspace } from "../../io/workspace.ts";
import type { Snapshot } from "../../history/store/store.ts";
import { workspaceFiles } from "../../history/store/files_store.ts";
import { findReadme, type FoundReadme, hasMarkers, NEW_README } from "./find_readme.ts";
import { type PlannedReadme, planReadme, type ReadmeOptions } from "./plan_readme.ts";
import { ReadmeError } from "./readme_error.ts";

/** Where READMEs are looked for. */
export interface ReadmePlaces {
  /** The user's files, which may differ from those of the branch. */
  workspace: Workspace;
  /** Whether the monitored folder is the top of its repository. */
  isAtTop: boolean;
}

/** What the README of the branch would be like, and whether the user has another one. */
export interface SketchedReadme extends PlannedReadme {
  /** Whether the file in the folder differs from the one of the branch in more than ends of lines. */
  isEdited: boolean;
}

/**
 * What the README of the branch would be like.
 *
 * @throws {ReadmeError} Where it can't be filled, or is not there.
 */
export async function sketchReadme(
  snapshot: Snapshot,
  { workspace, isAtTop }: ReadmePlaces,
  options: ReadmeOptions,
): Promise<SketchedReadme> {
  const { markers } = options;
  const found = await findReadme(snapshot, markers, isAtTop);
  const here = await findReadme(workspaceFiles(workspace), markers, isAtTop);
  if (here !== undefined && isAhead(here, found)) {
    throw new ReadmeError(
      `Cannot write the summary: ${here.path} is not committed as it is in this folder; commit and push it first`,
    );
  }
  if (found === undefined && await workspace.has(NEW_README)) {
    throw new ReadmeError(
      `Cannot write the summary: ${NEW_README} is no plain file; put one in its place`,
    );
  }
  const planned = planReadme(found, options);
  const isEdited = found !== undefined && here !== undefined && here.path === found.path &&
    withPlainEnds(here.text) !== withPlainEnds(found.text);
  return { ...planned, isEdited };
}

/** Whether the user has a README with what the branch lacks, so that another one would be in its way. */
function isAhead(here: FoundReadme, found: FoundReadme | undefined): boolean {
  return found === undefined || (hasMarkers(here.places) && !hasMarkers(found.places));
}

/** git may write other ends of lines into files than it keeps. */
function withPlainEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
