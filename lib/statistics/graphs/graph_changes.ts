import { Buffer } from "node:buffer";
import { slugOfGraph } from "./graph_files.ts";

/** What was drawn, and of whom graphs are kept. */
export interface Drawn {
  /** Contents by path. */
  files: ReadonlyMap<string, Uint8Array>;
  /**
   * Slugs of all sites that are configured; absent where that is not known. Those of others go. A site
   * of which nothing was drawn keeps what it has.
   */
  configured?: ReadonlySet<string>;
  /**
   * Slugs of all sites that were ever monitored here. Graphs of other slugs were made by another program
   * and stay. Absent if every graph is known to be ours.
   */
  monitored?: ReadonlySet<string>;
}

/** Contents of files to be written, by path; `null` for one that goes. */
export type GraphChanges = ReadonlyMap<string, Uint8Array | null>;

/**
 * What has to change so that the graphs that are held are those that were drawn.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const [one, other] = [Uint8Array.of(1), Uint8Array.of(2)];
 * const [day, week] = ["graphs/shop/response-time-day.png", "graphs/shop/response-time-week.png"];
 * const changes = graphChanges(new Map([[day, one], [week, one]]), { files: new Map([[day, other]]) });
 * assertEquals(changes, new Map([[day, other], [week, null]]));
 * ```
 */
export function graphChanges(
  held: ReadonlyMap<string, Uint8Array>,
  { files, configured, monitored }: Drawn,
): GraphChanges {
  const sites = new Set([...files.keys()].map(slugOfGraph));
  const isStale = (slug: string) =>
    sites.has(slug) ||
    configured !== undefined && !configured.has(slug) && (monitored?.has(slug) ?? true);
  const gone = [...held.keys()].filter((path) => {
    const slug = slugOfGraph(path);
    return slug !== undefined && !files.has(path) && isStale(slug);
  });
  const differing = [...files].filter(([path, content]) => {
    const before = held.get(path);
    return before === undefined || Buffer.compare(before, content) !== 0;
  });
  return new Map([...differing, ...gone.map((path): [string, null] => [path, null])]);
}
