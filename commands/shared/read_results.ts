import { basename, dirname, join } from "node:path";
import type { Config } from "../../lib/config/config.ts";
import { listSelfHostedLocations } from "../../lib/config/legs.ts";
import { LOCATION_REFS } from "../../lib/git/remote.ts";
import {
  isResultsFile,
  LARGEST_RESULTS,
  parseResults,
  type SentResults,
} from "../../lib/history/location_results.ts";
import type { SentText, Store } from "../../lib/history/store/store.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";

type Places = Pick<Config, "locations" | "sites">;

/**
 * Reads the results that self-hosted locations have pushed, and those in `place`, a folder or a file. `notes` name
 * those that can't be used.
 */
export async function readSentResults(
  config: Places,
  { store, place }: { store: Pick<Store, "readSent">; place?: string },
): Promise<{ sent: SentResults[]; notes: string[] }> {
  const hasRefs = listSelfHostedLocations(config).length > 0;
  const texts = hasRefs ? await store.readSent?.() : undefined;
  const pushed = [...texts ?? []].flatMap(([id, own]) =>
    own.map((text) => parse(`${LOCATION_REFS}${id}`, text, config, id))
  );
  const files = place === undefined ? [] : await readFiles(place);
  const all = [...pushed, ...files.map(([path, text]) => parse(path, text, config))];
  return {
    sent: all.filter((one) => typeof one !== "string"),
    notes: all.filter((one) => typeof one === "string"),
  };
}

/** Reads the files of results; one that is too large only has its size read. */
async function readFiles(place: string): Promise<[path: string, text: SentText][]> {
  const decoder = new TextDecoder();
  const isJson = (path: string) => /\.json$/i.test(path);
  const isFile = isJson(place);
  const folder = isFile ? dirname(place) : place;
  const workspace = folderWorkspace(folder);
  const paths = isFile ? [basename(place)] : (await workspace.listAll("")).filter(isJson);
  const files: [string, SentText][] = [];
  for (const path of paths) {
    const bytes = await workspace.size(path) ?? 0;
    const content = bytes > LARGEST_RESULTS ? bytes : await workspace.readBytes(path);
    if (content === undefined) continue;
    const text = typeof content === "number" ? content : decoder.decode(content);
    const isOther = !isFile && !isResultsFile(basename(path)) && typeof text === "string" &&
      parseResults(text) === undefined;
    if (!isOther) files.push([join(folder, path), text]);
  }
  return files;
}

/** Parses results; a text is the reason why they are not used. */
function parse(
  place: string,
  text: SentText,
  { locations, sites }: Places,
  id?: string,
): SentResults | string {
  if (typeof text === "number") {
    const [size, most] = [text, LARGEST_RESULTS].map((bytes) => Math.ceil(bytes / 1e6));
    return `The results in ${place} are ${size} MB and are not used: the limit is ${most} MB`;
  }
  const sent = parseResults(text, new Set(sites.map(({ slug }) => slug)));
  if (sent === undefined || (id !== undefined && sent.location !== id)) {
    return `The results in ${place} can't be read and are not used`;
  }
  const isKnown = sent.location === undefined || locations.some(({ id }) => id === sent.location);
  return isKnown
    ? sent
    : `The results in ${place} are of ${sent.location}, which is no configured location, and are not used`;
}
