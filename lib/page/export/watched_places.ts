import { basename, dirname, join, resolve } from "node:path";
import { API_FOLDER } from "../../history/api_path.ts";
import { configFiles } from "../../config/load.ts";
import { Git, NoGitError } from "../../git/git.ts";
import type { Watched } from "../../io/watch.ts";
import { HISTORY_FOLDER } from "../../history/record.ts";
import { ASSETS_FOLDER } from "./assets.ts";

/** Where the page comes from: the configuration, the folders that are shown, and what a repository knows of commits. */
export async function watchedPlaces(root: string, config: string | undefined): Promise<Watched> {
  const folders = [HISTORY_FOLDER, API_FOLDER, ASSETS_FOLDER];
  const names = new Map([[root, new Set(folders)]]);
  for (const file of configFiles(root, config)) {
    const folder = dirname(join(root, file));
    names.set(folder, (names.get(folder) ?? new Set()).add(basename(file)));
  }
  const repository = await repositoryOf(root);
  for (const own of repository) names.set(own, new Set(["HEAD", "packed-refs"]));
  const refs = repository.flatMap((own) => [join(own, "refs"), join(own, "reftable")]);
  return { names, folders: [...folders.map((name) => join(root, name)), ...refs] };
}

/** The folders that git keeps its own in; two for one of several work trees. */
async function repositoryOf(root: string): Promise<string[]> {
  try {
    const found = await new Git(root).maybe(["rev-parse", "--git-dir", "--git-common-dir"]);
    const folders = (found ?? "").split("\n").filter((own) => own !== "");
    return [...new Set(folders.map((own) => resolve(root, own)))];
  } catch (error) {
    if (error instanceof NoGitError) return [];
    throw error;
  }
}
