import { API_FOLDER } from "../history/api_path.ts";
import { HISTORY_FOLDER } from "../config/record_path.ts";
import { workspaceFiles } from "../history/store/files_store.ts";
import type { Workspace } from "../io/workspace.ts";
import { GRAPHS_FOLDER } from "../statistics/graphs/graph_files.ts";
import { findReadme, NEW_README } from "./readme.ts";
import { addMarkers, hasMarkers, type Markers } from "./readme_markers.ts";

/** A file of a new repository; existing content always stays. */
export interface FirstFile {
  path: string;
  fate: "new" | "added to" | "kept";
  content: string;
}

export interface FirstTexts {
  markers: Markers;
  readme: string;
  /** Workflows by path; none below the top of a repository. */
  workflows: ReadonlyMap<string, string>;
}

/** Plans the files of a folder: missing ones are new, and existing ones are added to or kept. */
export async function planFirstFiles(
  workspace: Workspace,
  { markers, readme, workflows }: FirstTexts,
): Promise<FirstFile[]> {
  const planNew = async (path: string, content: string): Promise<FirstFile> => ({
    path,
    fate: await workspace.has(path) ? "kept" : "new",
    content,
  });
  const found = await findReadme(workspaceFiles(workspace), markers);
  return [
    found === undefined ? await planNew(NEW_README, readme) : {
      path: found.path,
      fate: hasMarkers(found.places) ? "kept" : "added to",
      content: hasMarkers(found.places)
        ? found.text
        : addMarkers(found.text, markers, found.places),
    },
    await planAttributes(workspace),
    ...await Promise.all([...workflows].map(([path, content]) => planNew(path, content))),
  ];
}

export const ATTRIBUTES_PATH = ".gitattributes";

async function planAttributes(workspace: Workspace): Promise<FirstFile> {
  const before = await workspace.read(ATTRIBUTES_PATH);
  const content = withGitAttributes(before);
  const fate = before === undefined ? "new" : content === before ? "kept" : "added to";
  return { path: ATTRIBUTES_PATH, fate, content };
}

/**
 * Adds a line to `.gitattributes` for each folder that the program writes; existing lines stay.
 *
 * @example
 * ```ts
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 * import { HISTORY_FOLDER } from "../config/record_path.ts";
 * const text = withGitAttributes("*.png filter=lfs\n");
 * assertStringIncludes(text, "*.png filter=lfs\n");
 * assertStringIncludes(text, `\n/${HISTORY_FOLDER}/** -text linguist-generated\n`);
 * assertEquals(withGitAttributes(text), text);
 * ```
 */
export function withGitAttributes(text = ""): string {
  const patterns = new Set(text.split(/\r?\n/).map((line) => line.trim().split(/\s/)[0]));
  const missing = [HISTORY_FOLDER, API_FOLDER, GRAPHS_FOLDER].map((folder) => `/${folder}/**`)
    .filter((one) => !patterns.has(one));
  if (missing.length === 0) return text;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : `${text}${end}`;
  const lines = [
    "# Files of Monitor Action: the same bytes on every system, and collapsed in diffs.",
    ...missing.map((pattern) => `${pattern} -text linguist-generated`),
  ];
  return before + lines.map((line) => line + end).join("");
}
