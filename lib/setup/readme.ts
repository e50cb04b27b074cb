import type { Change, Published, Snapshot, Store } from "../history/store/store.ts";
import type { Workspace } from "../io/workspace.ts";
import { UsageError } from "../text/arguments.ts";
import {
  addMarkers,
  fillPlaces,
  findPlaces,
  hasMarkers,
  markerLines,
  type Markers,
  type Places,
  type ReadmeTexts,
} from "./readme_markers.ts";

/** Folders in which GitHub looks for the README that it shows, in its order. */
const FOLDERS = [".github", "", "docs"];

/** Name of a new README. */
export const NEW_README = "README.md";

/** A README, and the places in it. */
interface FoundReadme {
  path: string;
  text: string;
  places: Places;
}

/**
 * Finds the first README with markers in GitHub's order, else the first one. Below the top of a repository
 * only the folder itself is searched.
 *
 * @throws {UsageError} If a README is not UTF-8.
 */
export async function findReadme(
  snapshot: Pick<Snapshot, "list" | "readBytes">,
  markers: Markers,
  isAtTop: boolean,
): Promise<FoundReadme | undefined> {
  const folders = isAtTop ? FOLDERS : [""];
  const names = await Promise.all(folders.map((folder) => snapshot.list(folder)));
  const paths = folders.flatMap((folder, index) =>
    sortReadmes(names[index]!).map((name) => folder === "" ? name : `${folder}/${name}`)
  );
  const contents = await snapshot.readBytes(paths);
  const found = paths.filter((path) => contents.has(path)).map((path) => {
    const text = decodeText(path, contents.get(path)!);
    return { path, text, places: findPlaces(text, markers) };
  });
  return found.find(({ places }) => hasMarkers(places)) ?? found[0];
}

/** READMEs among the names of files, the usual spelling first. */
function sortReadmes(names: readonly string[]): string[] {
  const readmes = names.filter((name) => /^readme\.(?:md|markdown)$/i.test(name)).sort();
  return [
    ...readmes.filter((one) => one === NEW_README),
    ...readmes.filter((one) => one !== NEW_README),
  ];
}

/**
 * The text of a file, with its byte order mark.
 *
 * @throws {UsageError} If it is not UTF-8.
 */
export function decodeText(path: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new UsageError(`Cannot read ${path}: it is not UTF-8 text; save it as UTF-8`);
  }
}

/** How a README is filled. */
export interface ReadmeOptions {
  markers: Markers;
  /** True if missing markers are added, and a missing README is written. */
  addsMarkers: boolean;
  /** The texts for the README at a path. */
  textsOf(path: string): ReadmeTexts;
  /** A new README with markers. */
  fresh(path: string): string;
}

/** A README as it should be. */
export interface PlannedReadme {
  path: string;
  content: string;
  /** True if the content differs from the present one. */
  isNew: boolean;
  /** Markers of the summary if the README has live statuses only. */
  lacking: readonly string[];
}

/**
 * Fills a README.
 *
 * @throws {UsageError} If it is missing, has no markers, or its markers don't match.
 */
export function fillReadme(
  found: FoundReadme | undefined,
  { markers, addsMarkers, textsOf, fresh }: ReadmeOptions,
): PlannedReadme {
  if (found === undefined && !addsMarkers) {
    throw new UsageError(
      `Cannot write the summary: ${NEW_README} is missing; --add-markers creates it, or commit one with these lines:\n\n${
        markerLines(markers)
      }`,
    );
  }
  const path = found?.path ?? NEW_README;
  const text = found?.text ?? fresh(path);
  const places = found?.places ?? findPlaces(text, markers);
  const { start, end } = markers.summary[0]!;
  if (places.faults.length > 0) {
    throw new UsageError(
      `Cannot write the summary into ${path}: its markers don't match\n${
        places.faults.map((fault) => `  ${fault}`).join("\n")
      }\nA summary goes between two markers, each on its own line:\n\n${start}\n${end}`,
    );
  }
  if (!hasMarkers(places) && !addsMarkers) {
    throw new UsageError(
      `Cannot write the summary into ${path}: it has no markers; --add-markers adds them, or add these lines:\n\n${
        markerLines(markers)
      }`,
    );
  }
  const marked = addsMarkers ? addMarkers(text, markers, places) : text;
  const filledPlaces = findPlaces(marked, markers);
  const content = fillPlaces(marked, filledPlaces, textsOf(path));
  const lacking = filledPlaces.summaries.length > 0 ? [] : [start, end];
  return { path, content, isNew: content !== found?.text, lacking };
}

/** A folder, and how its README is filled. */
export interface FolderReadmeOptions extends ReadmeOptions {
  workspace: Workspace;
  isAtTop: boolean;
}

/**
 * Fills the README of a branch.
 *
 * @throws {UsageError} If it can't be filled, or the folder has one that is not committed.
 */
export async function planReadme(
  snapshot: Snapshot,
  { workspace, isAtTop, ...options }: FolderReadmeOptions,
): Promise<PlannedReadme> {
  const found = await findReadme(snapshot, options.markers, isAtTop);
  if (found === undefined && await workspace.has(NEW_README)) {
    throw new UsageError(
      `Cannot write the summary: ${NEW_README} is not committed as a regular file; commit and push it first`,
    );
  }
  return fillReadme(found, options);
}

/** A README after the attempt to publish it. */
export interface KeptReadme {
  readme: PlannedReadme;
  /** Absent in a dry run. */
  published?: Published;
}

/** Publishes the README of the branch if it differs. */
export async function keepReadme(
  store: Store,
  options: FolderReadmeOptions,
  commit: Omit<Change, "files" | "pending">,
): Promise<KeptReadme> {
  let readme: PlannedReadme | undefined;
  const published = await store.publish(async (snapshot) => {
    readme = await planReadme(snapshot, options);
    if (!readme.isNew || !snapshot.capabilities.commits) return undefined;
    return { ...commit, files: new Map([[readme.path, readme.content]]) };
  });
  if (published.refused !== undefined) throw published.refused;
  return { readme: readme!, published };
}
