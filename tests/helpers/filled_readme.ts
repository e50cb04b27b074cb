import { bytesOf, byteText } from "../../lib/setup/readme/bytes_text.ts";
import type { ReadmeTexts } from "../../lib/setup/readme/fill_places.ts";
import { findPlaces } from "../../lib/setup/readme/find_places.ts";
import { hasMarkers } from "../../lib/setup/readme/find_readme.ts";
import { USUAL_MARKERS } from "../../lib/setup/readme/markers.ts";
import { planReadme, type ReadmeOptions } from "../../lib/setup/readme/plan_readme.ts";

/** What stands in a README of the tests. */
export const TEXTS: ReadmeTexts = {
  summary: "| Größe |\n| --- |\n| 🟩 |",
  live: { markdown: "**🟩 Fine**", html: "<strong>🟩 Fine</strong>" },
};

/** What a README is planned with. */
export function readmeOptions(changes: Partial<ReadmeOptions> = {}): ReadmeOptions {
  return {
    markers: USUAL_MARKERS,
    addsMarkers: false,
    textsOf: () => TEXTS,
    fresh: () => "# New\n",
    ...changes,
  };
}

/** A README as it is filled, from bytes to bytes. */
export function filledBytes(bytes: Uint8Array, changes: Partial<ReadmeOptions> = {}): Uint8Array {
  const text = byteText(bytes);
  const options = readmeOptions(changes);
  const places = findPlaces(text, options.markers);
  return planReadme({ path: "README.md", text, places }, options).content;
}

/** The same for a text. */
export function filledText(text: string, changes: Partial<ReadmeOptions> = {}): string {
  return new TextDecoder("utf-8", { ignoreBOM: true })
    .decode(filledBytes(new TextEncoder().encode(text), changes));
}

/** Everything of a README that stands outside of the places in it, piece by piece; `undefined` where it has none. */
export function outsideOf(bytes: Uint8Array): Uint8Array[] | undefined {
  const text = byteText(bytes);
  const places = findPlaces(text, USUAL_MARKERS);
  if (!hasMarkers(places) || places.faults.length > 0) return undefined;
  const inside = [...places.summaries, ...places.lives].sort((one, other) => one.from - other.from);
  const ends = [0, ...inside.map(({ to }) => to)];
  const begins = [...inside.map(({ from }) => from), text.length];
  return ends.map((end, index) => bytesOf(text.slice(end, begins[index])));
}
