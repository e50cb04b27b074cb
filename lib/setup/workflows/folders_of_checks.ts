import { dirname, isAbsolute, normalize } from "node:path/posix";
import { textsIn } from "../../config/document.ts";
import { readYaml } from "../../config/yaml/read_yaml.ts";

/** Keys of sites that name a file. */
const FILE_KEYS: readonly (string | number)[] = ["ca", "clientCertificate", "clientKey"];

/**
 * Folders of the repository that checks read files of, given the text of a configuration; `all` where one
 * can't be told. Files at the top are in none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const folders = await foldersOfChecks("sites: [{ ca: certs/own/ca.pem }, { ca: $CA }]");
 * assertEquals(folders, ["certs/own"]);
 * assertEquals(await foldersOfChecks("defaults: { ca: my certs/ca.pem }"), "all");
 * ```
 */
export async function foldersOfChecks(text: string): Promise<readonly string[] | "all"> {
  const { document } = await readYaml(text);
  const files = textsIn(document).filter(([path]) => FILE_KEYS.includes(path.at(-1) ?? ""))
    .map(([, file]) => file)
    .filter((file) => !/[$\n]|-----BEGIN/.test(file) && !isAbsolute(file));
  const folders = new Set(files.map((file) => dirname(normalize(file))));
  folders.delete(".");
  return [...folders].every((folder) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(folder))
    ? [...folders].sort()
    : "all";
}
