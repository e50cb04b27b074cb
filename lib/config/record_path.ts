export const HISTORY_FOLDER = "history";

/** Folder of the run state if it is on the branch; workflows check it out. */
export const STATE_FOLDER = `${HISTORY_FOLDER}/state`;

/**
 * Path of the record of a site.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(recordPath("shop"), "history/shop.yml");
 * assertEquals(findRecordSlug("history/shop.yml"), "shop");
 * assertEquals(findRecordSlug("history/incidents/2026-11-21-shop.yml"), undefined);
 * ```
 */
export function recordPath(slug: string): string {
  return `${HISTORY_FOLDER}/${slug}.yml`;
}

/** The slug of the site of a record; `undefined` for other paths. */
export function findRecordSlug(path: string): string | undefined {
  return /^history\/([^/]+)\.yml$/.exec(path)?.[1];
}

export async function listRecords(
  files: { list(folder: string): Promise<readonly string[]> },
): Promise<string[]> {
  const names = await files.list(HISTORY_FOLDER);
  return names.flatMap((name) => findRecordSlug(`${HISTORY_FOLDER}/${name}`) ?? []);
}
