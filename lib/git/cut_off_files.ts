import { folderWorkspace } from "../io/workspace.ts";
import type { Git } from "./git.ts";
import { readContents } from "./objects.ts";

/**
 * Those of some files that hold a beginning of their new content and no more, or are not there at all:
 * so git leaves a file that it was writing when it was killed. `after` is the name of the new content.
 */
export async function cutOffFiles(
  { git, top }: { git: Git; top: string },
  files: readonly { path: string; after: string }[],
): Promise<Set<string>> {
  const folder = folderWorkspace(top);
  const contents = await readContents(git, files.map(({ after }) => after));
  const cutOff = await Promise.all(files.map(async ({ path }, index) => {
    const whole = contents[index];
    return whole !== undefined && isBeginning(await folder.readBytes(path), whole);
  }));
  return new Set(files.filter((_, index) => cutOff[index]).map(({ path }) => path));
}

function isBeginning(part: Uint8Array | undefined, whole: Uint8Array): boolean {
  if (part === undefined) return true;
  return part.length < whole.length && part.every((byte, index) => byte === whole[index]);
}
