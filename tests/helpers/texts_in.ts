import { join } from "node:path";
import { PROJECT } from "./program.ts";

/** The texts of all files in a folder of the project whose names match, also in the folders in it. */
export async function textsIn(folder: string, names: RegExp): Promise<string[]> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) texts.push(...await textsIn(path, names));
    else if (names.test(name)) texts.push(await Deno.readTextFile(join(PROJECT, path)));
  }
  return texts;
}
