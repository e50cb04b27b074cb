import { type Layout, PART_BYTES, toBucket } from "../config/layout.ts";
import { isMap } from "../config/document.ts";
import type { Snapshot } from "../history/store/store.ts";
import type { State } from "../state.ts";
import { parseJson } from "../text/safe_parse.ts";
import { formatSummary, parseSummary, SUMMARY_PATH, type SummaryEntry } from "./summary.ts";
import { countBytes } from "../text/plain_text.ts";

/**
 * Folder of the parts of a summary in a nested history, by the hash of the slugs. Then `summary.json` has the totals and
 * the sites that are not up.
 */
const SUMMARY_FOLDER = SUMMARY_PATH.slice(0, -".json".length);

/** Texts of a summary, by path. */
export type SummaryTexts = ReadonlyMap<string, string>;

export async function readSummaryTexts(
  snapshot: Pick<Snapshot, "listAll" | "read">,
): Promise<SummaryTexts> {
  const parts = await snapshot.listAll(SUMMARY_FOLDER);
  return await snapshot.read([SUMMARY_PATH, ...parts.map((name) => `${SUMMARY_FOLDER}/${name}`)]);
}

/** True if a path is that of a summary or of a part of one. */
export function isSummaryPath(path: string): boolean {
  return path === SUMMARY_PATH || path.startsWith(`${SUMMARY_FOLDER}/`);
}

function partPath(slug: string): string {
  return `${SUMMARY_FOLDER}/${toBucket(slug)}.json`;
}

/** A stored summary, whose parts are parsed when they are needed. */
export class StoredSummary {
  readonly #texts: SummaryTexts;
  readonly #parsed = new Map<string, ReadonlyMap<string, SummaryEntry>>();
  #knownCut?: boolean;

  constructor(texts: SummaryTexts) {
    this.#texts = texts;
  }

  get #isNested(): boolean {
    return this.#texts.size > 1;
  }

  /** True if its files are those of a layout. */
  isOf(layout: Layout): boolean {
    return this.#texts.has(SUMMARY_PATH) && this.#isNested === (layout === "nested");
  }

  /** Paths of its files. */
  get paths(): Iterable<string> {
    return this.#texts.keys();
  }

  find(slug: string): SummaryEntry | undefined {
    const path = this.#isNested ? partPath(slug) : SUMMARY_PATH;
    return this.#parse(path).get(slug) ?? this.#parse(SUMMARY_PATH).get(slug);
  }

  /** The state that it shows of a site; in a nested history `up` of one that is not listed. */
  findState(slug: string): State | undefined {
    const state = this.#parse(SUMMARY_PATH).get(slug)?.current.state;
    if (state !== undefined || !this.#isNested) return state;
    return this.#isCut ? this.find(slug)?.current.state : "up";
  }

  /** True if not all sites that are not up fit into the first file. */
  get #isCut(): boolean {
    this.#knownCut ??= hasUnlisted(parseJson(this.#texts.get(SUMMARY_PATH) ?? ""));
    return this.#knownCut;
  }

  /** All entries, or those of one part of a nested history, by slug. */
  entries(part?: string): ReadonlyMap<string, SummaryEntry> {
    if (part !== undefined) return this.#parse(part);
    const paths = [...this.#texts.keys()].filter((path) => path !== SUMMARY_PATH);
    const all = paths.length === 0 ? [SUMMARY_PATH] : paths;
    return new Map(all.flatMap((path) => [...this.#parse(path)]));
  }

  #parse(path: string): ReadonlyMap<string, SummaryEntry> {
    const known = this.#parsed.get(path) ?? parseSummary(this.#texts.get(path) ?? "");
    this.#parsed.set(path, known);
    return known;
  }
}

/**
 * Formats the files of a summary; of a nested history all parts, or those of some sites. `null` is a part of `before`
 * that is removed.
 */
export function formatSummaryFiles(
  entries: readonly SummaryEntry[],
  { layout, before, only }: {
    layout: Layout;
    /** Paths of the present files. */
    before: Iterable<string>;
    /** Slugs of the sites whose parts are formatted. */
    only?: Iterable<string>;
  },
): Map<string, string | null> {
  const files = new Map<string, string | null>();
  if (layout === "flat") files.set(SUMMARY_PATH, formatSummary(entries));
  else {
    const parts = Map.groupBy(entries, ({ site: { slug } }) => partPath(slug));
    const wanted = only && new Set([...only].map(partPath));
    for (const [path, own] of parts) {
      if (wanted?.has(path) ?? true) files.set(path, formatSummary(own));
    }
    files.set(SUMMARY_PATH, formatIndex(entries));
    if (wanted !== undefined) return files;
  }
  for (const path of before) {
    if (isSummaryPath(path) && !files.has(path)) files.set(path, null);
  }
  return files;
}

function hasUnlisted(summary: unknown): boolean {
  return Array.isArray(summary) && isMap(summary[0]) && summary[0]["unlisted"] !== undefined;
}

/**
 * The totals of all sites and of each group as a first entry without a slug, then the sites that are not up, those
 * that are down first, as far as they fit into {@linkcode PART_BYTES}; `unlisted` is the number of the others.
 */
function formatIndex(entries: readonly SummaryEntry[]): string {
  const last = entries.reduce(
    (latest, { current: { lastUpdated = "" } }) => lastUpdated > latest ? lastUpdated : latest,
    "",
  );
  const groups = Map.groupBy(entries, ({ site: { group = "" } }) => group);
  const { down = [], other = [] } = Object.groupBy(
    entries.filter(({ current: { state } }) => state !== "up"),
    ({ current: { state } }) => state === "down" ? "down" : "other",
  );
  const notUp: unknown[] = JSON.parse(formatSummary([...down, ...other]));
  let bytes = 0;
  const listed = notUp.filter((one) =>
    (bytes += countBytes(JSON.stringify([one], null, 2))) < PART_BYTES
  );
  const unlisted = notUp.length - listed.length;
  const totals = {
    name: `${entries.length} sites`,
    slug: "",
    status: "up",
    state: "up",
    ...last === "" ? {} : { lastUpdated: last },
    sites: entries.length,
    ...unlisted === 0 ? {} : { unlisted },
    states: countStates(entries),
    groups: [...groups].map(([name, own]) => ({
      name,
      sites: own.length,
      states: countStates(own),
    })),
  };
  return `${JSON.stringify([totals, ...listed], null, 2)}\n`;
}

function countStates(entries: readonly SummaryEntry[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { current: { state } } of entries) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
