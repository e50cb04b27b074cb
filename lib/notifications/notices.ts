import { formatExpiry, readExpiry } from "../checks/certificates.ts";
import type { Site } from "../config/config.ts";
import type { SiteState } from "../evaluation/results.ts";
import type { Maintenance } from "../history/maintenance.ts";
import type { Language } from "../text/language.ts";
import type { MessageKey } from "../text/messages.ts";
import { DAY, formatDate, formatMoment, formatTime, isBefore } from "../time.ts";
import type { ChannelStates } from "./channel_state.ts";
import type { NoticeTopic } from "./message.ts";
import { joinFirst, joinTexts, sayExpiry } from "./recorded_words.ts";
import { storedSpan, storedTime } from "./stored_times.ts";
import type { Subject } from "./subject.ts";

/** Something other than an outage that channels are notified of, as it is now. */
export interface Notice {
  /** The same in every run as long as it is the same problem. */
  key: string;
  /** Which of its several messages applies; absent if it has only one. */
  level?: string;
  /** One line such as `Notification channel slack (line 12) can't work`; empty if no message is to be sent. */
  title: string;
  /** Reason and cure. */
  text: string;
  /** Slug of the site that it is about; absent if it is about the monitor as a whole. */
  site?: string;
  /** Absent if it is about the monitor itself. */
  topic?: NoticeTopic;
  /** Slugs of the sites that maintenance is about; empty for all. */
  about?: readonly string[];
  /** Set if it is over, as title and text say. */
  isOver?: true;
  /** Set if it says that another channel can't be used. */
  isOfChannel?: true;
}

/** Starts of the open notices by key, as the run state keeps them. */
export type NoticeStarts = Readonly<Record<string, Temporal.Instant>>;

/**
 * Makes the subjects of notices. `known` are the starts of those that were open before; a new one starts now.
 * `monitor` is the name of the monitor.
 */
export function toNoticeSubjects(
  notices: readonly Notice[],
  { known, monitor, now }: { known: NoticeStarts; monitor: string; now: Temporal.Instant },
): { subjects: Subject[]; starts: NoticeStarts } {
  const byKey = [...new Map(notices.map((notice) => [notice.key, notice])).values()];
  const subjects = byKey.map((notice): Subject => {
    const { key, level, title, text, topic, site, about, isOver, isOfChannel } = notice;
    const incident = NOTICE + key;
    const start = known[key] ?? now;
    const name = level === undefined ? key : `${key}/${level}`;
    return {
      slug: "notice",
      incident,
      ...isOver ? { end: now } : { state: "notice" },
      start,
      level,
      isOfChannel,
      reason: "",
      event: {
        id: `${NOTICE}${name}/${formatTime(start)}${isOver ? "/over" : ""}`,
        kind: "notice",
        slug: "notice",
        name: monitor,
        title,
        error: text,
        incident,
        topic,
        site,
        about: about && [...about],
        since: formatTime(now),
        ...isOver ? { over: true } : {},
        code: 0,
        attempts: 0,
      },
    };
  });
  const starts = subjects.filter(({ state }) => state !== undefined)
    .map(({ incident, start }) => [incident.slice(NOTICE.length), start] as const);
  return { subjects, starts: Object.fromEntries(starts) };
}

const NOTICE = "notice/";

/** Keys of the notices that channels were notified of. */
export function listNotified(states: ChannelStates): string[] {
  const keys = Object.values(states).flatMap(({ notified }) =>
    notified.flatMap(({ kind, incident }) => kind === "notice" ? incident.slice(NOTICE.length) : [])
  );
  return [...new Set(keys)];
}

const GAP = "gap/";

/**
 * Makes the notice about a time without checks, which the run at its end has noticed; times are milliseconds since
 * 1970, and `usual` gaps milliseconds long.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createLanguage } from "../text/language.ts";
 * import { mergeMessages } from "../text/messages.ts";
 * const [from, to] = ["2026-11-21T10:05:00Z", "2026-11-21T14:20:00Z"].map((time) => Date.parse(time));
 * const english = createLanguage("en", mergeMessages());
 * const { title, text } = toGapNotice({ from, to, usual: { median: 300_000, p90: 420_000 } }, english);
 * assertEquals(title, "No checks from 2026-11-21 10:05 to 2026-11-21 14:20 UTC");
 * assertEquals(text, "4 hours 15 minutes; the usual gap is 5 minutes, and 9 of 10 are at most 7 minutes");
 * ```
 */
export function toGapNotice(
  { from, to, usual: { median, p90 } }: {
    from: number;
    to: number;
    usual: { median: number; p90: number };
  },
  language: Language,
): Notice {
  const { say, duration } = language;
  const [start, end] = [from, to].map((time) => Temporal.Instant.fromEpochMilliseconds(time));
  const usual = { TIME: duration(to - from), USUAL: duration(median), MOST: duration(p90) };
  return {
    key: GAP + formatMoment(from),
    title: say("noChecksFrom", { SPAN: storedSpan(start!, end!) }),
    text: joinTexts("semicolonBetween", [
      say("usualGap", usual),
      to - from < 7 * DAY ? "" : say("scheduleDisabled"),
    ], language),
  };
}

/** Plans the notice about the time without checks that a run has ended; the next run ends it without a message. */
export function planGapNotices(
  gap: Parameters<typeof toGapNotice>[0] | undefined,
  notified: readonly string[],
  language: Language,
): Notice[] {
  const own = gap === undefined ? [] : [toGapNotice(gap, language)];
  return [...endOthers(GAP, own, notified), ...own];
}

/** Ends the notices with a prefix of their keys that are no longer planned, without a message. */
function endOthers(
  prefix: string,
  planned: readonly Notice[],
  notified: readonly string[],
): Notice[] {
  const keys = new Set(planned.map(({ key }) => key));
  return notified.filter((key) => key.startsWith(prefix) && !keys.has(key))
    .map((key) => ({ key, isOver: true, title: "", text: "" }));
}

const CERTIFICATE = "certificate/";

/**
 * Makes a notice for each certificate that expires within a number of days of its site's `warnAt`, the smallest of
 * them, and one when it has been renewed. `notified` are the keys of those that are open, or that channels were notified of.
 */
export function planCertificateNotices({ outcomes, sites, notified, language, now }: {
  outcomes: readonly { result: Pick<SiteState, "site" | "certificate"> }[];
  sites: readonly Site[];
  notified: readonly string[];
  language: Language;
  now: Temporal.Instant;
}): Notice[] {
  const { say } = language;
  const expiries = new Map(outcomes.map(({ result: { site, certificate } }) => [
    site.slug,
    certificate?.epochMilliseconds,
  ]));
  const own = sites.filter(({ paused }) => !paused).flatMap((site): Notice[] => {
    const { name, slug, warnAt } = site;
    const key = CERTIFICATE + slug;
    const isNotified = notified.includes(key);
    const expiry = expiries.get(slug);
    // Without a result in this run the last notice stays as it is.
    if (expiry === undefined) return isNotified ? [{ key, title: "", text: "" }] : [];
    const left = expiry - now.epochMilliseconds;
    const step = Math.min(...warnAt.filter((days) => left <= days * DAY));
    const date = formatDate(expiry);
    const about = { key, topic: "certificate", site: slug } as const;
    if (step !== Infinity) {
      const level = `${date}/${step}`;
      const title = sayExpiry(name, readExpiry(formatExpiry(left))!, date, language);
      return [{ ...about, level, title, text: say(left < 0 ? "renewNow" : "renewBefore") }];
    }
    if (!isNotified) return [];
    const title = say("newCertificate", { NAME: language.isolate(name) });
    return [{
      ...about,
      isOver: true,
      title,
      text: say("validUntil", { DAY: language.day(date) }),
    }];
  });
  return [...own, ...endOthers(CERTIFICATE, own, notified)];
}

const MAINTENANCE = "maintenance/";
const MOST_NAMES = 5;

/**
 * Makes a notice for each maintenance window that is announced or ongoing, and one for each that has ended or was
 * canceled since. `notified` are the keys of those that are open, or that channels were notified of.
 */
export function planMaintenanceNotices({ files, sites, notified, language, now }: {
  /** By id, with the changes of this run. */
  files: ReadonlyMap<string, Maintenance>;
  sites: readonly { slug: string; name: string }[];
  notified: readonly string[];
  language: Language;
  now: Temporal.Instant;
}): Notice[] {
  const { say, isolate } = language;
  const names = new Map(sites.map(({ slug, name }) => [slug, name]));
  const own = [...files].flatMap(([id, file]): Notice[] => {
    const { name, start, until, end } = file;
    const slugs = [...file.sites.keys()];
    const list = slugs.length === 0
      ? say("everySite")
      : joinFirst(slugs.map((slug) => isolate(names.get(slug) ?? slug)), MOST_NAMES, language);
    const key = MAINTENANCE + id;
    const make = (what: MessageKey, when: string, more: Partial<Notice>): Notice => ({
      key,
      topic: "maintenance",
      about: slugs,
      title: say(what, { NAME: isolate(name) }),
      text: joinTexts("commaBetween", [list, when], language),
      ...more,
    });
    if (end === undefined) {
      return isBefore(now, start)
        ? [make("maintenanceAnnounced", storedSpan(start, until), {
          level: "announced",
        })]
        : [make("maintenanceStarted", say("untilTime", { TIME: storedTime(until) }), {
          level: "started",
        })];
    }
    if (!notified.includes(key)) return [];
    return isBefore(end, start) || end.equals(start)
      ? [make("maintenanceCanceled", say("wasToStart", { TIME: storedTime(start) }), {
        isOver: true,
      })]
      : [make("maintenanceEnded", say("atTime", { TIME: storedTime(end) }), { isOver: true })];
  });
  return [...own, ...endOthers(MAINTENANCE, own, notified)];
}
