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
import type { Config } from "../config/config.ts";
import type { RepositoryAbout } from "../github/github.ts";
import type { PageSettings } from "../page/settings.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import type { Repository } from "../git/repository.ts";
import { toRelativeLink } from "../config/page_path.ts";

export const NEW_README = "README.md";

interface FoundReadme {
  path: string;
  text: string;
  places: Places;
}

/**
 * Finds the README of a folder, in any case; without its byte order mark.
 *
 * @throws {UsageError} If it is not UTF-8.
 */
export async function findReadme(
  snapshot: Pick<Snapshot, "list" | "read">,
  markers: Markers,
): Promise<FoundReadme | undefined> {
  const names = await snapshot.list("");
  const [path] = names.filter((name) => /^readme\.md$/i.test(name)).sort();
  if (path === undefined) return undefined;
  const text = ((await snapshot.read([path])).get(path) ?? "").replace(/^\ufeff/, "");
  if (text.includes("\ufffd")) {
    throw new UsageError(`Cannot read ${path}: it is not UTF-8 text; save it as UTF-8`);
  }
  return { path, text, places: findPlaces(text, markers) };
}

/** A README without a place for the summary; the message has the cure. */
export class NoMarkersError extends UsageError {}

export interface ReadmeOptions {
  markers: Markers;
  /** True if missing markers are added, and a missing README is written. */
  addsMarkers: boolean;
  texts(): ReadmeTexts;
  fresh(): string;
}

interface PlannedReadme {
  path: string;
  content: string;
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
  { markers, addsMarkers, texts, fresh }: ReadmeOptions,
): PlannedReadme {
  if (found === undefined && !addsMarkers) {
    const cure = "--add-markers creates it, or commit one with these lines";
    throw new NoMarkersError(
      `Cannot write the summary: ${NEW_README} is missing; ${cure}:\n\n${markerLines(markers)}`,
    );
  }
  const path = found?.path ?? NEW_README;
  const text = found?.text ?? fresh();
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
    const cure = "--add-markers adds them, or add these lines";
    throw new NoMarkersError(
      `Cannot write the summary into ${path}: it has no markers; ${cure}:\n\n${
        markerLines(markers)
      }`,
    );
  }
  const marked = addsMarkers ? addMarkers(text, markers, places) : text;
  const filledPlaces = findPlaces(marked, markers);
  const content = fillPlaces(marked, filledPlaces, texts());
  const lacking = filledPlaces.summaries.length > 0 ? [] : [start, end];
  return { path, content, isNew: content !== found?.text, lacking };
}

/**
 * Adds the markers of the summary to a README that has no place for it; `note` says what was done, or what is left to
 * do by hand. `undefined` if it has one.
 */
export async function planMarkers(
  files: Pick<Snapshot, "list" | "read">,
  markers: Markers,
): Promise<{ note: string; path?: string; content?: string } | undefined> {
  const byHand = `the summary needs a place; add these lines to it:\n\n${markerLines(markers)}\n`;
  let found: FoundReadme | undefined;
  try {
    found = await findReadme(files, markers);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { note: `${error.message}, and ${byHand}` };
  }
  if (found === undefined) return { note: `${NEW_README} is missing: ${byHand}` };
  const { path, text, places } = found;
  if (places.faults.length > 0) {
    return {
      note: `the markers in ${path} don't match, so the summary is not written: ${
        places.faults.join("; ")
      }`,
    };
  }
  if (places.summaries.length > 0) return undefined;
  const note =
    `${path} has no place for the summary: its markers are added, move them where you like`;
  return { note, path, content: addMarkers(text, markers, places) };
}

export interface FolderReadmeOptions extends ReadmeOptions {
  workspace: Workspace;
}

/**
 * Fills the README of a branch.
 *
 * @throws {UsageError} If it can't be filled, or the folder has one that is not committed.
 */
export async function planReadme(
  snapshot: Snapshot,
  { workspace, ...options }: FolderReadmeOptions,
): Promise<PlannedReadme> {
  const found = await findReadme(snapshot, options.markers);
  if (found === undefined && await workspace.has(NEW_README)) {
    throw new UsageError(
      `Cannot write the summary: ${NEW_README} is not committed as a regular file; commit and push it first`,
    );
  }
  return fillReadme(found, options);
}

interface KeptReadme {
  readme: PlannedReadme;
  published: Published;
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

const TOPICS = ["uptime-monitor", "status-page", "monitor-action"];

/** Longest name in a description, in characters; GitHub allows 350 in all. */
const LONGEST_NAME = 200;

export interface FilledAbout {
  filled: Partial<RepositoryAbout>;
  /** The reason if they could not be; no run fails because of it. */
  note?: string;
}

/** Texts for the empty parts of the "About" box, as far as the configuration allows; nothing is replaced. */
export function planAbout(
  about: RepositoryAbout,
  config: Pick<
    Config,
    "skipDescriptionUpdate" | "skipHomepageUpdate" | "skipTopicsUpdate" | "skipGeneratingWebsite"
  >,
  { name, address }: Pick<PageSettings, "name" | "address">,
): Partial<RepositoryAbout> {
  const lacks = (key: keyof RepositoryAbout, isSkipped: boolean) =>
    about[key].length === 0 && !isSkipped;
  const description = `Uptime monitor and status page of ${shorten(plainText(name), LONGEST_NAME)}`;
  const hasPage = address !== undefined && !config.skipGeneratingWebsite;
  return {
    ...lacks("description", config.skipDescriptionUpdate) ? { description } : {},
    ...hasPage && lacks("homepage", config.skipHomepageUpdate) ? { homepage: address } : {},
    ...lacks("topics", config.skipTopicsUpdate) ? { topics: TOPICS } : {},
  };
}

/** Links of a README into its repository: always relative, so that they work in private repositories. */
export interface ReadmeLinks {
  file(path: string): string;
  /** To a page of the repository on GitHub, such as `issues/12`. */
  page(path: string): string;
  /** To a graph by its path in the monitored folder, or on the branch of graphs. */
  graph(path: string): string;
}

/**
 * Creates the links of the README of the monitored folder; `repository` is absent outside of one. GitHub resolves
 * them from `/owner/name/blob/branch/`, even on the front page of the repository.
 */
export function toReadmeLinks(
  repository: Pick<Repository, "prefix" | "branch" | "remote"> | undefined,
  graphs: Pick<Config["graphs"], "branch">,
): ReadmeLinks {
  const { prefix = "", branch = "", remote } = repository ?? {};
  const folders = (remote?.branch ?? branch).split("/").length + prefix.split("/").length - 1;
  const up = "../".repeat(1 + folders);
  const file = (path: string) =>
    toRelativeLink("", path).replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const page = (path: string) => up + file(path);
  const isApart = remote !== undefined && graphs.branch !== "same";
  return {
    file,
    page,
    graph: (path) => isApart ? page(`raw/${graphs.branch}/${prefix}${path}`) : file(path),
  };
}
