import { cp } from "node:fs/promises";
import { writeBundle } from "../../tools/bundle.ts";
import { makeScratch } from "./scratch.ts";

let built: Promise<string> | undefined;

/** Copies the bundle, which is built once for all tests of a module, to a new folder. */
export async function copyBundle(folder: string): Promise<void> {
  built ??= buildOnce();
  await cp(await built, folder, { recursive: true });
}

async function buildOnce(): Promise<string> {
  const { path } = await makeScratch();
  globalThis.addEventListener("unload", () => Deno.removeSync(path, { recursive: true }));
  await writeBundle(path);
  return path;
}
