import type { Problem } from "../io/problem.ts";
import { formatTime } from "../time.ts";
import type { NewsEvent } from "./message.ts";
import { shortHash } from "../text/short_hash.ts";

/** Something about the monitor itself that channels are notified of once. */
export interface Notice {
  /** The same in every run as long as it is the same problem. */
  key: string;
  /** Name of the monitor. */
  monitor: string;
  /** One line: `Notification channel slack (line 12) can't work`. */
  title: string;
  /** Reason and cure. */
  text: string;
  /** Slug of the site that it is about; absent if it is about the monitor as a whole. */
  site?: string;
  /** Key of the notice whose problem is over, if this one says so. */
  endOf?: string;
}

/** Notices as events, and the keys of those that channels have been notified of by then. */
export interface PlannedNotices {
  events: NewsEvent[];
  notified: readonly string[];
}

/**
 * Plans the notices that channels have not been notified of. One that no longer applies is forgotten, so that
 * it is sent again if it comes back.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const notice = { key: "a", monitor: "acme/status", title: "Notification channel slack can't work", text: "" };
 * const { events, notified } = planNotices([notice], { notified: ["b"], now });
 * assertEquals([events.length, notified], [1, ["a"]]);
 * assertEquals(planNotices([notice], { notified, now }).events, []);
 * ```
 */
export function planNotices(
  notices: readonly Notice[],
  { notified, now }: { notified: readonly string[]; now: Temporal.Instant },
): PlannedNotices {
  const byKey = new Map(notices.map((notice) => [notice.key, notice]));
  const since = formatTime(now);
  const events = [...byKey.values()].filter(({ key }) => !notified.includes(key))
    .map(({ key, monitor, title, text, site, endOf }): NewsEvent => {
      const id = `notice/${key}/${since}`;
      const nothing = { code: 0, attempts: 0, slug: "notice" };
      return {
        id,
        kind: "notice",
        name: monitor,
        title,
        since,
        error: text,
        incident: `notice/${endOf ?? key}`,
        ...site === undefined ? {} : { site },
        ...endOf === undefined ? {} : { over: true },
        ...nothing,
      };
    });
  return { events, notified: [...byKey.keys()] };
}

/** Makes a notice for each channel that the problems of the configuration make unusable. */
export function channelNotices(
  problems: readonly Problem[],
  { file, monitor }: { file: string; monitor: string },
): Notice[] {
  return problems.flatMap(({ channel, line, message, path }) => {
    if (channel === undefined) return [];
    const label = channel.charAt(0).toUpperCase() + channel.slice(1);
    const key = path.length > 1 ? path.at(-1) : undefined;
    const isNamed = typeof key === "string" && key !== "notifications";
    const place = line === undefined ? "" : ` (line ${line})`;
    return [{
      key: shortHash(`channel\n${channel}\n${message}`),
      monitor,
      title: `${label}${place} can't work`,
      text: `${isNamed ? `${key}: ` : ""}${message}; change it in ${file}`,
    }];
  });
}
