import { countBytes } from "../text/plain_text.ts";

/**
 * Layouts of files. In a flat one each folder has the file of every site, and each day one log. In a nested one files
 * are in folders by a hash of their name or by the hour, so that no file has more than a megabyte and no folder more
 * than 3,000 entries. All readers know both.
 */

export type Layout = "flat" | "nested";

/** The most configured sites of a flat layout. Tests lower it. */
export const MOST_FLAT = { history: 1000 };

/** Chooses the layout of `history/`. */
export function chooseLayout(sites: number): Layout {
  return sites > MOST_FLAT.history ? "nested" : "flat";
}

/**
 * The path of a name in a folder that has one of each site or incident.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(placeName("shop", "flat"), "shop");
 * assertEquals(placeName("shop", "nested"), "ee/shop");
 * ```
 */
export function placeName(name: string, layout: Layout): string {
  return layout === "flat" ? name : `${toBucket(name)}/${name}`;
}

/** Bytes of a part of a log, without its last row: git objects of more than a megabyte slow everything down. */
export const PART_BYTES = 900_000;

/** Splits lists of texts into parts of at most {@linkcode PART_BYTES}, in their order; a longer text is alone. */
export function splitToParts(texts: Iterable<string>): string[][] {
  const parts: string[][] = [];
  let bytes = Infinity;
  for (const text of texts) {
    const length = countBytes(text);
    bytes += length;
    if (bytes > PART_BYTES) {
      parts.push([]);
      bytes = length;
    }
    parts.at(-1)!.push(text);
  }
  return parts;
}

export const HISTORY_FOLDER = "history";

/** Folder of the run state if it is on the branch, and of the folders of records in a nested history: workflows check it out. */
export const STATE_FOLDER = `${HISTORY_FOLDER}/state`;

/**
 * Path of the record of a site.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(recordPath("shop"), "history/shop.yml");
 * assertEquals(recordPath("shop", "nested"), "history/state/ee/shop.yml");
 * ```
 */
export function recordPath(slug: string, layout: Layout = "flat"): string {
  const folder = layout === "flat" ? HISTORY_FOLDER : STATE_FOLDER;
  return `${folder}/${placeName(slug, layout)}.yml`;
}

/** The slug of the site of a record; `undefined` for other paths. */
export function findRecordSlug(path: string): string | undefined {
  return /^history\/(?:state\/[\da-f]{2}\/)?([^/]+)\.yml$/.exec(path)?.[1];
}

/** The sites that have a record, given the names of the files in {@linkcode HISTORY_FOLDER}. */
export function recordedSlugs(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith(".yml")).map((name) => name.slice(0, -4));
}

/** Names files of a folder, alone or with those of the folders in it. */
interface Lister {
  list(folder: string): Promise<readonly string[]>;
  listAll(folder: string): Promise<readonly string[]>;
}

/** Paths of all records by slug; a site may have one of each layout while it moves. */
export async function listRecords(files: Lister): Promise<Map<string, string[]>> {
  const [flat, nested] = await Promise.all([
    files.list(HISTORY_FOLDER),
    files.listAll(STATE_FOLDER),
  ]);
  const paths = [
    ...flat.map((name) => `${HISTORY_FOLDER}/${name}`),
    ...nested.map((name) => `${STATE_FOLDER}/${name}`),
  ];
  const records = new Map<string, string[]>();
  for (const path of paths) {
    const slug = findRecordSlug(path);
    if (slug !== undefined) records.getOrInsert(slug, []).push(path);
  }
  return records;
}

/** One of 256 folders, as two hexadecimal digits of the FNV-1a hash of a name. */
export function toBucket(name: string): string {
  let hash = 0x811c9dc5;
  for (const byte of ENCODER.encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return ((hash ^ hash >>> 16) & 0xff).toString(16).padStart(2, "0");
}

const ENCODER = new TextEncoder();
