import { addMarkers, markerLines } from "./add_markers.ts";
import { bytesOf, byteText } from "./bytes_text.ts";
import { fillPlaces, type ReadmeTexts } from "./fill_places.ts";
import { findPlaces } from "./find_places.ts";
import { type FoundReadme, hasMarkers, NEW_README } from "./find_readme.ts";
import type { Markers } from "./markers.ts";
import { ReadmeError } from "./readme_error.ts";

/** What a README is made with. */
export interface ReadmeOptions {
  markers: Markers;
  /** Whether markers that are missing are added, and a README where there is none. */
  addsMarkers: boolean;
  /** What stands in a README, given its path. */
  textsOf(path: string): ReadmeTexts;
  /** A whole README with markers, for where there is none. */
  fresh(path: string): string;
}

/** A README as it is to be. */
export interface PlannedReadme {
  path: string;
  content: Uint8Array;
  /** Whether that differs from what is there. */
  isNew: boolean;
  /** The comments between which a summary would stand, where it has live statuses alone. */
  lacking: readonly string[];
}

/**
 * What becomes of a README.
 *
 * @throws {ReadmeError} Where it can't be filled, or is not there.
 */
export function planReadme(
  found: FoundReadme | undefined,
  { markers, addsMarkers, textsOf, fresh }: ReadmeOptions,
): PlannedReadme {
  if (found === undefined && !addsMarkers) {
    throw new ReadmeError(
      `Cannot write the summary: there is no ${NEW_README}; --add-markers makes one, or commit one that has these lines:\n\n${
        markerLines(markers)
      }`,
    );
  }
  const { path, text: before } = found ?? { path: NEW_README, text: undefined };
  const text = before ?? byteText(fresh(path));
  const places = findPlaces(text, markers);
  if (places.faults.length > 0) {
    const { start, end } = markers.summary[0]!;
    throw new ReadmeError(
      `Cannot write the summary into ${path}: its markers don't match\n${
        places.faults.map((fault) => `  ${fault}`).join("\n")
      }\nA summary stands between two, each on a line of its own:\n\n${start}\n${end}`,
    );
  }
  if (!hasMarkers(places) && !addsMarkers) {
    throw new ReadmeError(
      `Cannot write the summary into ${path}: it does not say where; --add-markers does that, or put these lines where they belong:\n\n${
        markerLines(markers)
      }`,
    );
  }
  const marked = addsMarkers ? addMarkers(text, markers, places) : text;
  const fill = (one: string) => fillPlaces(one, findPlaces(one, markers), texts);
  const texts = textsOf(path);
  const filled = fill(marked);
  // A marker at the begin of a line makes HTML of all that follows it there.
  if (fill(filled) !== filled || findPlaces(filled, markers).faults.length > 0) {
    throw new ReadmeError(
      `Cannot write the summary into ${path}: what stands beside its markers would mean something else then; put each on a line of its own`,
    );
  }
  const [pair] = markers.summary;
  const lacking = findPlaces(filled, markers).summaries.length > 0 ? [] : [pair!.start, pair!.end];
  return { path, content: bytesOf(filled), isNew: filled !== before, lacking };
}
