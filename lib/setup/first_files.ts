import { addMarkers } from "./readme/add_markers.ts";
import { bytesOf, byteText } from "./readme/bytes_text.ts";
import { findReadme, hasMarkers, NEW_README } from "./readme/find_readme.ts";
import type { Markers } from "./readme/markers.ts";
import type { Workspace } from "../io/workspace.ts";
import { workspaceFiles } from "../history/store/files_store.ts";
import { GIT_ATTRIBUTES_PATH, withGitAttributes } from "./git_attributes.ts";

/** A file of a new repository: one that was not there, one that something is added to, or one that stays as it is. */
export interface FirstFile {
  path: string;
  fate: "new" | "added to" | "kept";
  content: string | Uint8Array;
}

/** What a new repository gets beside its configuration. */
export interface FirstTexts {
  markers: Markers;
  /** A whole README. */
  readme: string;
  /** Workflows by path; none below the top of a repository. */
  workflows: ReadonlyMap<string, string>;
  /** Whether the folder is not below the top of a repository. */
  isAtTop: boolean;
}

/** What becomes of the files of a folder: whatever is there keeps all that it says. */
export async function planFirstFiles(
  workspace: Workspace,
  { markers, readme, workflows, isAtTop }: FirstTexts,
): Promise<FirstFile[]> {
  return [
    await planReadme(workspace, { markers, readme, isAtTop }),
    await planAttributes(workspace),
    ...await planWorkflows(workspace, workflows),
  ];
}

async function planReadme(
  workspace: Workspace,
  { markers, readme, isAtTop }: Pick<FirstTexts, "markers" | "readme" | "isAtTop">,
): Promise<FirstFile> {
  const found = await findReadme(workspaceFiles(workspace), markers, isAtTop);
  if (found === undefined) {
    const fate = await workspace.has(NEW_README) ? "kept" : "new";
    return { path: NEW_README, fate, content: readme };
  }
  const { path, text, places } = found;
  if (hasMarkers(places)) return { path, fate: "kept", content: bytesOf(text) };
  return { path, fate: "added to", content: bytesOf(addMarkers(text, markers, places)) };
}

async function planAttributes(workspace: Workspace): Promise<FirstFile> {
  const path = GIT_ATTRIBUTES_PATH;
  const before = await workspace.readBytes(path);
  const text = before && byteText(before);
  const content = bytesOf(withGitAttributes(text));
  if (text === undefined) return { path, fate: "new", content };
  return { path, fate: byteText(content) === text ? "kept" : "added to", content };
}

async function planWorkflows(
  workspace: Workspace,
  made: ReadonlyMap<string, string>,
): Promise<FirstFile[]> {
  return await Promise.all([...made].map(async ([path, content]): Promise<FirstFile> => ({
    path,
    fate: await workspace.has(path) ? "kept" : "new",
    content,
  })));
}
