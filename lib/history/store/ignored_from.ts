/** How a line begins by which git ignores something in a folder, given from the top of the repository. */
export function ignoredFrom(prefix: string): string {
  return `/${prefix.replace(/[\\*?[]/g, "\\$&")}`;
}
