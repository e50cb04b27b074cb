import { plainText } from "../../text/plain_text.ts";
import { cutText, cutToMeasure, fitParts, joinFitting } from "../fit_text.ts";
import { isOfSite, type SiteEvent } from "../message.ts";
import { type EventText, listCommonLinks } from "../message_text.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_REASON = 600;
const LONGEST_FACT = 300;
const LONGEST_SUMMARY = 200;

/**
 * Renders a message without markup, to stand below its headline: one event with its facts, or a line for each
 * of several. `measure` counts the length that the vendor limits; by default UTF-16 units.
 */
export function renderPlainText(
  outgoing: Outgoing,
  { longest, measure = ({ length }) => length }: {
    longest: number;
    measure?(text: string): number;
  },
): string {
  const { headline, lines, only } = outgoing.text;
  const template = outgoing.templateTexts({ escape: plainText, separator: "\n\n", longest });
  const text = template ??
    (outgoing.isShort
      ? shortText(lines)
      : only
      ? eventText(only)
      : summaryText(lines, longest, measure));
  return cutToMeasure(text === "" ? headline : text, longest, measure);
}

function eventText({ event, dated: { reason, facts } }: EventText): string {
  return [
    cutText(reason, LONGEST_REASON),
    ...isOfSite(event)
      ? facts.map(({ label, value }) => `${label}: ${cutText(value, LONGEST_FACT)}`)
      : [],
  ].filter((line) => line !== "").join("\n");
}

/** Renders one line for below the headline. */
function shortText(events: readonly EventText[]): string {
  if (events.length === 1) return cutText(events[0]!.sentence, LONGEST_SUMMARY);
  const summaries = events.map(({ summary }) => summary);
  const line = joinFitting(summaries, { separator: "; ", longest: LONGEST_SUMMARY });
  return cutText(line, LONGEST_SUMMARY);
}

function summaryText(
  events: readonly EventText[],
  longest: number,
  measure: (text: string) => number,
): string {
  const lines = events.map(({ sign, summary }) => cutText(`${sign} ${summary}`, LONGEST_SUMMARY));
  const join = (some: readonly string[], more?: string) => [...some, more ?? []].flat().join("\n");
  const { parts, more } = fitParts(lines, (some, rest) => measure(join(some, rest)) <= longest);
  return join(parts, more);
}

/** The kind of event as which a message is announced: what needs nobody is as quiet as a recovery. */
export function findTone({ text: { events } }: Outgoing): SiteEvent["kind"] {
  const { kind, over, news } = events[0]!.event;
  return over || news === "acknowledged" || news === "muted" ? "up" : kind;
}

/** Links to show below a message, the most useful first: of its event, or about all if it has several. */
export function listMessageLinks(
  { text: { events }, message, view }: Outgoing,
): EventText["links"] {
  return events.length === 1 ? events[0]!.links : listCommonLinks(message.events, view);
}
