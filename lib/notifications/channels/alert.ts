import { createHash } from "node:crypto";
import { cutText, joinFitting } from "../fit_text.ts";
import type { MessageView, SiteEvent } from "../message.ts";
import { type EventText, listCommonLinks, renderMessage, toFact } from "../message_text.ts";
import { findSeparator } from "../recorded_words.ts";

/** An action on an alert at a service that handles one incident at a time. */
export interface Alert {
  /** Deduplication key: the same in every run. */
  key: string;
  action: "open" | "acknowledge" | "end";
  /** At least one; several if they share the alert. */
  events: SiteEvent[];
}

/**
 * Makes alerts of the events of a message. Of several events of an incident only the last counts, so that an
 * outage that ended in the same message does not page; incidents that share an alert are in it together.
 */
export function toAlerts(events: readonly SiteEvent[], monitor: string, longest: number): Alert[] {
  const byKey = Map.groupBy(events, (event) => alertKey(event, monitor, longest));
  return [...byKey].map(([key, own]) => {
    const last = own.at(-1)!;
    const action = findAction(last);
    const together = last.alert === undefined
      ? [last]
      : own.filter((event) => findAction(event) === action);
    return { key, action, events: together };
  });
}

function findAction({ kind, over, news }: SiteEvent): Alert["action"] {
  // Somebody who mutes a site has noticed its outage.
  if (news === "acknowledged" || news === "muted") return "acknowledge";
  return kind === "up" || over ? "end" : "open";
}

/** Longest line about one of several events, in UTF-16 units. */
const LONGEST_LINE = 300;
/** Longest name of one of several sites, in UTF-16 units. */
const LONGEST_NAME = 100;

/**
 * Renders the events of an alert as one: several have a joint headline, and a line for each in place of a reason,
 * as many as fit into `longest` UTF-16 units.
 */
export function renderAlert(
  events: readonly SiteEvent[],
  view: MessageView,
  longest: number,
): EventText {
  const { headline, events: texts, lines } = renderMessage({ id: "", events }, view);
  const [first] = texts as [EventText];
  const common = lines.length === 1 ? lines[0] : undefined;
  if (texts.length === 1) return first;
  const { language } = view;
  const comma = findSeparator("commaBetween", language);
  const join = (parts: readonly string[], separator: string, each: number) =>
    joinFitting(parts.map((part) => cutText(part, each)), { separator, longest, language });
  const names = join(texts.map(({ event }) => language.isolate(event.name)), comma, LONGEST_NAME);
  const all = common?.sentence ?? join(lines.map(({ summary }) => summary), "\n", LONGEST_LINE);
  return {
    ...first,
    headline,
    reason: all,
    sentence: all,
    summary: common?.summary ?? headline,
    // A line stands for several sites if their errors are equal.
    facts: lines.length < texts.length ? [toFact("sites", names, language)] : [],
    links: listCommonLinks(events, view),
    event: {
      ...first.event,
      name: names,
      incident: first.event.alert ?? first.event.incident,
      error: all,
      severity: texts.every(({ event }) => event.severity) ? first.event.severity : undefined,
      code: 0,
      url: undefined,
      responseTime: undefined,
    },
  };
}

/**
 * Key of the alert of an event: that of its incident unless several share one. A long key ends in a hash, so
 * that it stays unique.
 */
export function alertKey(
  { kind, slug, incident, alert, news }: Pick<
    SiteEvent,
    "kind" | "slug" | "incident" | "alert" | "news"
  >,
  monitor: string,
  longest: number,
): string {
  const key = kind === "test"
    ? `${monitor}:test`
    : alert !== undefined
    ? `${monitor}:${alert}`
    : kind === "notice" && news === undefined
    ? `${monitor}:${incident}`
    : `${monitor}:${slug}:${incident}`;
  if (key.length <= longest) return key;
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `${cutText(key, longest - 1 - hash.length)}:${hash}`;
}
