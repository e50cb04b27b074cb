import type { Change } from "../../lib/store/store.ts";

/** Files that would be written, for who only wants to see them. */
export function plannedFiles(files: Change["files"]): string {
  return [...files].map(([path, text]) =>
    `\n--- ${path}\n${text === null ? "(removed)" : text.toString().trimEnd()}`
  ).join("\n");
}
