import { API_FOLDER } from "../history/api_path.ts";
import { GRAPHS_FOLDER } from "../statistics/graphs/graph_files.ts";
import { HISTORY_FOLDER } from "../history/record.ts";

/** Where git reads how it treats files. */
export const GIT_ATTRIBUTES_PATH = ".gitattributes";

const WHY =
  "# What Monitor Action writes: the same bytes on every system, and folded away in diffs.";
const FOLDERS = [HISTORY_FOLDER, API_FOLDER, GRAPHS_FOLDER];

/**
 * The text of `.gitattributes` with a line for each folder that the program writes, behind whatever
 * stands there; lines that are there stay as they are. `text` is that of the file, where there is one.
 *
 * @example
 * ```ts
 * import { assertEquals, assertStringIncludes } from "@std/assert";
 * import { HISTORY_FOLDER } from "../history/record.ts";
 * const text = withGitAttributes("*.png filter=lfs\n");
 * assertStringIncludes(text, "*.png filter=lfs\n");
 * assertStringIncludes(text, `\n/${HISTORY_FOLDER}/** -text linguist-generated\n`);
 * assertEquals(withGitAttributes(text), text);
 * ```
 */
export function withGitAttributes(text = ""): string {
  const patterns = new Set(text.split(/\r?\n/).map((line) => line.trim().split(/\s/)[0]));
  const missing = FOLDERS.map((folder) => `/${folder}/**`).filter((one) => !patterns.has(one));
  if (missing.length === 0) return text;
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : `${text}${end}`;
  const lines = [WHY, ...missing.map((pattern) => `${pattern} -text linguist-generated`)];
  return before + lines.map((line) => line + end).join("");
}
