import type { Snapshot } from "../../history/store/store.ts";
import { byteText } from "./bytes_text.ts";
import { findPlaces, type Places } from "./find_places.ts";
import type { Markers } from "./markers.ts";

/** Where GitHub looks for the README that it shows, in its order. */
const FOLDERS = [".github", "", "docs"];

/** What a new README is called. */
export const NEW_README = "README.md";

/** A README, and the places in it. */
export interface FoundReadme {
  path: string;
  /** Its bytes, as a text of one character each. */
  text: string;
  places: Places;
}

/**
 * The README that tells how sites are: the first with markers, as GitHub looks for them, or else
 * simply the first; `undefined` where there is none. Below the top of a repository it looks for none
 * elsewhere.
 */
export async function findReadme(
  snapshot: Pick<Snapshot, "list" | "readBytes">,
  markers: Markers,
  isAtTop: boolean,
): Promise<FoundReadme | undefined> {
  const folders = isAtTop ? FOLDERS : [""];
  const paths = (await Promise.all(
    folders.map(async (folder) =>
      readmesIn(await snapshot.list(folder)).map((name) =>
        folder === "" ? name : `${folder}/${name}`
      )
    ),
  )).flat();
  const contents = await snapshot.readBytes(paths);
  const found = paths.flatMap((path): FoundReadme[] => {
    const content = contents.get(path);
    if (content === undefined) return [];
    const text = byteText(content);
    return [{ path, text, places: findPlaces(text, markers) }];
  });
  return found.find(({ places }) => hasMarkers(places)) ?? found[0];
}

/** Whether a README says anywhere that something shall stand in it. */
export function hasMarkers({ summaries, lives, faults }: Places): boolean {
  return summaries.length + lives.length + faults.length > 0;
}

/**
 * The READMEs among the files of a folder, however they are written; the usual spelling first.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(readmesIn(["Readme.markdown", "readme.md", "README.md", "README.txt"]), [
 *   "README.md", "Readme.markdown", "readme.md",
 * ]);
 * ```
 */
export function readmesIn(names: readonly string[]): string[] {
  return names.filter((name) => /^readme\.(?:md|markdown)$/i.test(name))
    .sort((one, other) =>
      Number(other === NEW_README) - Number(one === NEW_README) || (one < other ? -1 : 1)
    );
}
