import type { Maintenance } from "../history/maintenance.ts";
import { joinFirst } from "../text/words.ts";
import { isBefore, utcMinute } from "../time.ts";
import type { Notice } from "./notices.ts";

const ANNOUNCED = "announced/";
const STARTED = "maintenance/";
const MOST_NAMES = 5;

/**
 * Makes a notice for each maintenance window that is announced or ongoing, and one for each that has ended or was
 * cancelled since. `notified` are the keys of the notices that channels were notified of.
 */
export function planMaintenanceNotices({ files, sites, notified, now }: {
  /** By id, with the changes of this run. */
  files: ReadonlyMap<string, Maintenance>;
  sites: readonly { slug: string; name: string }[];
  notified: readonly string[];
  now: Temporal.Instant;
}): Notice[] {
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  return [...files].flatMap(([id, file]): Notice[] => {
    const { name, start, until, end } = file;
    const slugs = [...file.sites.keys()];
    const list = slugs.length === 0
      ? "All sites"
      : joinFirst(slugs.map((slug) => names.get(slug) ?? slug), MOST_NAMES);
    const make = (key: string, what: string, when: string, endOf?: string): Notice => ({
      ...{ key, topic: "maintenance", about: slugs, title: `Maintenance ${what}: ${name}` },
      ...{ text: `${list}, ${when} UTC`, ...endOf === undefined ? {} : { endOf } },
    });
    const [announced, started] = [ANNOUNCED + id, STARTED + id];
    if (end === undefined) {
      const isOngoing = !isBefore(now, start);
      const when = `${isOngoing ? "" : `${utcMinute(start)} `}until ${utcMinute(until)}`;
      return [
        make(isOngoing ? started : announced, isOngoing ? "has started" : "is announced", when),
      ];
    }
    if (notified.includes(started)) {
      return [make(`ended/${id}`, "has ended", `at ${utcMinute(end)}`, started)];
    }
    if (!notified.includes(announced)) return [];
    const when = `which was to start at ${utcMinute(start)}`;
    return [make(`cancelled/${id}`, "is cancelled", when, announced)];
  });
}
