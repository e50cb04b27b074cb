import { count } from "../words.ts";
import type { Change } from "../../lib/history/store/store.ts";

/** Files that would be written, for who only wants to see them. */
export function plannedFiles(files: Change["files"]): string {
  return [...files].map(([path, content]) =>
    `\n--- ${path}\n${content === null ? "(removed)" : textOf(content).trimEnd()}`
  ).join("\n");
}

function textOf(content: string | Uint8Array): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

/** Files that would get another content or go, without that: the length in bytes, or `null` for one that goes. */
export function plannedChanges(
  changes: Iterable<readonly [path: string, bytes: number | null]>,
): string {
  return [...changes].map(([path, bytes]) =>
    bytes === null ? `${path} (removed)` : `${path} (${count(bytes, "byte")})`
  ).join("\n");
}
