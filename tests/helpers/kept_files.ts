import { join } from "node:path";

/** Every file in a folder and in those within it: its text and when it was written, by its path. */
export async function keptFiles(
  folder: string,
  within = "",
): Promise<Map<string, { text: string; written: number }>> {
  const files = new Map<string, { text: string; written: number }>();
  for await (const { name, isDirectory } of Deno.readDir(join(folder, within))) {
    const path = within === "" ? name : `${within}/${name}`;
    if (isDirectory) {
      for (const [own, file] of await keptFiles(folder, path)) files.set(own, file);
    } else {
      const bytes = await Deno.readFile(join(folder, path));
      const { mtime } = await Deno.lstat(join(folder, path));
      // Latin, so that no two different contents read alike.
      const text = new TextDecoder("latin1").decode(bytes);
      files.set(path, { text, written: mtime!.getTime() });
    }
  }
  return files;
}

/** Texts by path of some of those, in the order of their paths. */
export function textsOf(files: ReadonlyMap<string, { text: string }>): [string, string][] {
  return [...files].map(([path, { text }]): [string, string] => [path, text]).sort();
}
