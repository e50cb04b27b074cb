import { parseIncident } from "../../lib/history/incident.ts";
import { parseMaintenance } from "../../lib/history/maintenance.ts";
import { parseIssueEffect } from "../../lib/incidents/issue_effect.ts";
import { parseMessageEffect } from "../../lib/notifications/message_effects.ts";
import type { Effect } from "../../lib/outbox/effect.ts";

/** The incidents and windows that are kept, in the words of a story. */
export function keptText(
  all: readonly [path: string, text: string][],
  words: (time: Temporal.Instant) => string,
): { incidents: string[]; windows: string[] } {
  const files = all.filter(([path]) => path.startsWith("history/incidents/")).sort();
  const span = (...times: (Temporal.Instant | undefined)[]) =>
    times.map((time) => time === undefined ? "" : words(time)).join("-");
  const incidents = files.flatMap(([, text]) => parseIncident(text) ?? [])
    .sort((one, other) => Temporal.Instant.compare(one.start, other.start));
  return {
    incidents: incidents.map(({ slug, kind, start, end, reopened, ended }) => {
      const ends = [...ended, end];
      const spans = [start, ...reopened].map((from, index) => span(from, ends[index]));
      return `${slug} ${kind} ${spans.join(" and ")}`;
    }),
    windows: files.flatMap(([path, text]) => {
      const maintenance = parseMaintenance(text);
      if (maintenance === undefined) return [];
      const { start, until, end } = maintenance;
      const over = end === undefined ? "" : `, over ${words(end)}`;
      return [`${/maintenance-(.*)\.yml$/.exec(path)![1]} ${span(start, until)}${over}`];
    }),
  };
}

/** The messages of an effect to channels: `shop still down`. */
export function alertsOf({ data }: Effect): string[] {
  const events = parseMessageEffect(data)?.message.events ?? [];
  return events.map(({ slug, kind, reminder, flapping }) =>
    `${slug} ${reminder ? "still " : ""}${flapping === undefined ? kind : "flapping"}`
  );
}

/** The change of an issue by an effect: `open shop`, by the name of the incident without its day. */
export function issuesOf({ handler, queue = "", data }: Effect): string[] {
  if (handler === "announcement") return [`close #${queue.slice("announcement-".length)}`];
  const effect = parseIssueEffect(data);
  return effect === undefined
    ? []
    : [`${effect.action} ${/\d{4}-\d\d-\d\d-(.*)$/.exec(queue)![1]}`];
}

/** The moment of `10:30` on a day, or of `11-22T10:30`. */
export function momentOf(time: string, day: string): Temporal.Instant {
  const [, own = day.slice(5), clock] = /^(?:(\d\d-\d\d)T)?(.*)$/.exec(time)!;
  return Temporal.Instant.from(`${day.slice(0, 5)}${own}T${clock}:00Z`);
}

/** The same, the other way round. */
export function wordsOf(time: Temporal.Instant, day: string): string {
  const [date, clock] = time.toString().split("T");
  const own = date === day ? "" : `${date!.slice(5)}T`;
  return own + clock!.slice(0, 5);
}

/** True if a moment is before another. */
export function isBefore(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) < 0;
}
